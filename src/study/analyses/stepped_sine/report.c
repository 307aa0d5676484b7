/* Tables, summary and report of stepped_sine. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/stepped_sine/stepped_sine.h"

/* ---- tables ---- */

static ms_status create(ms_study *s, const ms_task *task, const char *ending, const char *columns,
                        ms_result_table **out) {
  const ms_stepped *p = task->product;
  char name[96], text[512];
  snprintf(name, sizeof name, "%.80s%s", task->name, ending);
  snprintf(text, sizeof text, "mode,level [%s],omega [rad/s],%s",
           ms_harmonic_level_unit(&p->options), columns);
  return ms_result_table_create(s, name, text, out);
}

static ms_status create_all(ms_study *s, const ms_task *task, ms_stepped *p) {
  char columns[256];
  snprintf(columns, sizeof columns,
           "q [m sqrt(kg)],tracked [%s],zeta,zeta_joint,zeta_viscous,loss [J],higher,residual,"
           "repeat,iterations,phase [rad],multiplier,stability:word",
           !p->weights ? "m sqrt(kg)"
           : p->turns  ? "rad"
                       : "m");
  MS_TRY(create(s, task, "", columns, &p->table));
  MS_TRY(create(s, task, "_sensors",
                "sensor:word,displacement [m],velocity [m/s],acceleration [m/s^2]", &p->sensors));
  if (ms_structure_count_joints(s->structure) == 0) return MS_SUCCESS;
  return create(s, task, "_joints",
                "joint:word,axis,displacement [m],peak_displacement [m],force [N],loss [J],"
                "amplitude [m]",
                &p->joints);
}

/* The loss is the whole joint's: it stands with the first axis. */
static ms_status add_joints(ms_study *s, const ms_stepped *p, const ms_stepped_run *r,
                            ptrdiff_t i) {
  const ms_harmonic_point *c = &r->point[i];
  const ms_harmonic_axis_motion *z = r->axis + r->n_axis * i;
  for (int j = 0; j < r->n_joint; j++) {
    const int n = ms_joint_info(ms_structure_get_joint(s->structure, j))->n_axis;
    for (int a = 0; a < n; a++, z++) {
      MS_TRY(ms_result_table_add_row(s->ctx, p->joints, r->mode + 1.0, c->level, c->omega,
                                     ms_structure_get_joint_name(s->structure, j), a + 1.0,
                                     z->displacement, z->peak, z->force,
                                     a == 0 ? r->loss[j + r->n_joint * i] : 0.0, z->half_range));
    }
  }
  return MS_SUCCESS;
}

static ms_status add_point(ms_study *s, const ms_stepped *p, const ms_stepped_run *r, ptrdiff_t i) {
  const ms_harmonic_point *c = &r->point[i];
  const double *x = r->sensor + p->plan.n_sensor * i;
  MS_TRY(ms_result_table_add_row(s->ctx, p->table, r->mode + 1.0, c->level, c->omega, c->q,
                                 c->response, c->zeta, c->zeta_joint, c->zeta_viscous, c->D,
                                 c->higher, c->residual, c->repeat, (double)c->iterations, c->phase,
                                 c->multiplier, ms_harmonic_stability_word(c->stability)));
  for (ptrdiff_t k = 0; k < p->plan.n_sensor; k++) {
    MS_TRY(ms_result_table_add_row(s->ctx, p->sensors, r->mode + 1.0, c->level, c->omega,
                                   ms_structure_get_name(s->structure, p->plan.sensor[k]), x[k],
                                   c->omega * x[k], c->omega * c->omega * x[k]));
  }
  return p->joints ? add_joints(s, p, r, i) : MS_SUCCESS;
}

ms_status ms_stepped_tabulate(ms_study *s, const ms_task *task) {
  ms_stepped *p = task->product;
  MS_TRY(create_all(s, task, p));
  for (int m = 0; m < p->n_mode; m++) {
    for (ptrdiff_t i = 0; i < p->run[m].n; i++) MS_TRY(add_point(s, p, &p->run[m], i));
  }
  return MS_SUCCESS;
}

/* ---- summary ---- */

static void summarise_run(const ms_stepped_run *r, ms_json *json) {
  ms_json_begin_object(json, NULL);
  ms_json_add_integer(json, "mode", r->mode + 1);
  ms_json_add_integer(json, "points", r->n);
  ms_json_add_bool(json, "complete", r->complete);
  ms_json_add_text(json, "reason", r->remark);
  ms_json_begin_array(json, "missing");
  for (ptrdiff_t i = 0; i < r->plan->n_level; i++) {
    if (!ms_stepped_has_level(r, i)) ms_json_add_number(json, NULL, r->plan->level[i]);
  }
  ms_json_end(json);
  ms_json_add_number(json, "residual", r->worst);
  ms_json_end(json);
}

void ms_stepped_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const ms_stepped *p = task->product;
  int partial = 0;
  (void)s;
  for (int m = 0; m < p->n_mode; m++) partial += !p->run[m].complete;
  ms_json_add_integer(json, "harmonics", p->options.setting.harmonics);
  ms_json_add_integer(json, "times", p->options.setting.times);
  ms_json_add_number(json, "tolerance", p->options.setting.tolerance);
  ms_json_add_integer(json, "levels", p->options.n_level);
  ms_json_add_integer(json, "partial", partial);
  ms_json_begin_array(json, "modes");
  for (int m = 0; m < p->n_mode; m++) summarise_run(&p->run[m], json);
  ms_json_end(json);
}

/* ---- report ---- */

static ms_status add_tracks(const ms_stepped *p, double *x, ms_figure *figure) {
  static const struct {
    const char *title, *label, *unit;
  } view[] = { { "Frequency", "omega", "rad/s" }, { "Damping", "zeta", NULL } };
  for (int v = 0; v < 2; v++) {
    ms_panel panel = { view[v].title, "|q|", "m sqrt(kg)", view[v].label, view[v].unit, 1, v == 1 };
    MS_TRY(ms_figure_add_panel(figure, &panel));
    for (int m = 0; m < p->n_mode; m++) {
      const ms_stepped_run *r = &p->run[m];
      char label[32];
      snprintf(label, sizeof label, "mode %d", p->mode[m] + 1);
      for (ptrdiff_t i = 0; i < r->n; i++) {
        x[i] = r->point[i].q;
        x[i + r->n] = v == 1 ? r->point[i].zeta : r->point[i].omega;
      }
      ms_series series = { label, x, x + r->n, r->n, MS_SERIES_LINE_POINTS, m % MS_PALETTE_SIZE };
      if (r->n > 0) MS_TRY(ms_figure_add_series(figure, &series));
    }
  }
  return MS_SUCCESS;
}

static ms_status draw(const ms_study *s, const ms_stepped *p, ms_page *page) {
  ms_figure *figure = NULL;
  double *x;
  ptrdiff_t room = 0;
  for (int m = 0; m < p->n_mode; m++) room = p->run[m].n > room ? p->run[m].n : room;
  MS_TRY(ms_allocate(s->ctx, 2 * room, sizeof *x, &x));
  ms_status status = ms_figure_create(s->ctx, "Tracked resonance", NULL, &figure);
  if (status == MS_SUCCESS) status = add_tracks(p, x, figure);
  if (status == MS_SUCCESS) {
    status = ms_page_add_figure(page, "A point for each level, at phase resonance.", figure);
  }
  ms_figure_destroy(&figure);
  ms_free(s->ctx, &x);
  return status;
}

ms_status ms_stepped_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_stepped *p = task->product;
  const ms_harmonic_setting *set = &p->options.setting;
  char balance[96], good[96];
  const char *names[] = { "harmonics, time points of a period", "worst residual" };
  const char *values[] = { balance, good };
  double worst = 0.0;
  ptrdiff_t points = 0;
  for (int m = 0; m < p->n_mode; m++) {
    worst = fmax(worst, p->run[m].worst);
    points += p->run[m].n;
  }
  snprintf(balance, sizeof balance, "%d, %td", set->harmonics, set->times);
  snprintf(good, sizeof good, "%.2g of the motion (tolerance %g)", worst, set->tolerance);
  MS_TRY(ms_page_add_facts(page, 2, names, values));
  if (points > 0) MS_TRY(draw(s, p, page));
  return ms_result_table_add_to_page(s->ctx, p->table, "Levels", page);
}
