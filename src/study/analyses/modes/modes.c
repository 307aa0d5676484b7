/* modes: stuck and slipped frequencies, damping ratios, shapes, and how they change when numbers of
   the file do; of finite elements also those of the full model, and pictures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "structure/impl.h"
#include "study/analyses/contact/contact.h"
#include "study/analyses/modes/modes.h"
#include "study/analyses/shared/answers.h"
#include "study/model/loads.h"

typedef ms_modes_options options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_COUNT(options, shapes, MS_NOT_NEGATIVE, MS_DEFAULT(20),
           "shapes that are written, from that of the first mode on"),
  MS_COUNT(options, full, MS_NOT_NEGATIVE, MS_ELSE("12; 0 for sub-structures"),
           "of finite elements: how many modes of the full model, stuck and slipped, are computed "
           "beside those of the reduced one; 0: none"),
  MS_COUNTS(options, vtu, MS_FROM(1), MS_OPTIONAL,
            "of finite elements: modes whose shapes go into a VTU file, for ParaView"),
  MS_FORMS(options, variants, "mapping", MS_OPTIONAL,
           "path in the file: [numbers], one for each variant; the modes with these in their "
           "places"),
};

/* ---- options ---- */

static ms_status check_fe_only(ms_study *s, struct fy_node *node, const char *key) {
  if (!node || s->fe) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT,
                      "%s is for structures of finite elements; this is none", key);
}

/* The full model is one of finite elements in one piece. */
static ms_status check(ms_study *s, ms_task *task) {
  options *o = task->options;
  ms_modes_product *p = task->product;
  struct fy_node *full = ms_yaml_get(task->node, "full"), *vtu = ms_yaml_get(task->node, "vtu");
  const ptrdiff_t most = ms_structure_get_size(s->structure);
  MS_TRY(check_fe_only(s, full, "full"));
  MS_TRY(check_fe_only(s, vtu, "vtu"));
  if (!full) o->full = s->fe && !s->fe->name ? 12 : 0;
  if (o->full > 0 && s->fe->name) {
    return ms_yaml_fail(&s->yaml, full, MS_ERR_ARGUMENT,
                        "sub-structures have no full model; put their parts under one fe for that");
  }
  for (ptrdiff_t i = 0; i < o->vtu.n; i++) {
    if (o->vtu.value[i] <= (double)most) continue;
    return ms_yaml_fail(&s->yaml, vtu, MS_ERR_BOUNDS, "there is no mode %g; there are 1 to %td",
                        o->vtu.value[i], most);
  }
  return ms_variants_read(s, o->variants, &p->variants);
}

/* ---- running ---- */

#define MODE_COLUMNS                                                   \
  "mode,omega_0 [rad/s],omega_inf [rad/s],f_0 [Hz],f_inf [Hz],zeta_0," \
  "zeta_dashpots,mode_inf,mac"

/* A row for each mode, behind n_head numbers. */
static void add_modes(const ms_study *s, const ms_mode_pairs *pairs, const double *head,
                      ptrdiff_t n_head, ms_result_table *table) {
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  const ms_modes slipped = ms_structure_get_slipped(s->structure);
  double row[MS_VARIANT_HEAD + 9];
  for (ptrdiff_t i = 0; i < n_head; i++) row[i] = head[i];
  for (ptrdiff_t r = 0; r < stuck.n; r++) {
    const ptrdiff_t k = pairs->slipped[r];
    const double of_mode[] = { (double)(r + 1),
                               stuck.omega[r],
                               slipped.omega[k],
                               stuck.omega[r] / MS_TWO_PI,
                               slipped.omega[k] / MS_TWO_PI,
                               ms_structure_get_damping_ratio(s->structure, r),
                               ms_structure_get_joint_damping_ratio(s->structure, r),
                               (double)(k + 1),
                               pairs->mac[r] };
    memcpy(row + n_head, of_mode, sizeof of_mode);
    ms_result_put_numbers(table, row);
  }
}

static ms_status add_variant(ms_study *view, ptrdiff_t i, void *user) {
  const ms_modes_product *p = user;
  double head[MS_VARIANT_HEAD];
  const ptrdiff_t n_head = ms_variants_row(&p->variants, i, head);
  ms_mode_pairs pairs;
  ms_status status = ms_mode_pairs_find(view->ctx, view->structure, &pairs);
  if (status == MS_SUCCESS) add_modes(view, &pairs, head, n_head, p->varied);
  ms_mode_pairs_free(view->ctx, &pairs);
  return status;
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_modes_product *p = task->product;
  MS_TRY(ms_mode_pairs_find(s->ctx, s->structure, &p->pairs));
  if (s->fe) MS_TRY(ms_modes_run_fe(s, task));
  return ms_variants_run(s, task, &p->variants, MODE_COLUMNS, &p->varied, add_variant, p);
}

/* What the other processes do: their part in the full model and in variants of finite elements. */
static ms_status help(ms_study *s, ms_task *task) {
  MS_TRY(ms_modes_help_fe(s, task));
  return ms_variants_help(s, task, &((ms_modes_product *)task->product)->variants);
}

/* ---- result ---- */

static ms_status add_shapes(ms_study *s, ms_task *task) {
  const ms_modes_options *o = task->options;
  const ptrdiff_t *pair = ((const ms_modes_product *)task->product)->pairs.slipped;
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  const ms_modes slipped = ms_structure_get_slipped(s->structure);
  const ptrdiff_t n = o->shapes < stuck.n ? o->shapes : stuck.n;
  if (n == 0) return MS_SUCCESS;
  if (n < stuck.n && !ms_yaml_get(task->node, "shapes")) {
    MS_TRY(ms_task_note(s, task, "shapes of %td of %td modes are written; shapes: %td writes all",
                        n, stuck.n, stuck.n));
  }
  ms_result_table *shapes = ms_result_new_table(
      task->result, "_shapes", "mode,coordinate:word,stuck [1/sqrt(kg)],slipped [1/sqrt(kg)]");
  MS_TRY(ms_result_table_reserve(s->ctx, shapes, n * stuck.n));
  for (ptrdiff_t i = 0; i < n * stuck.n; i++) {
    const ptrdiff_t r = i / stuck.n, at = i % stuck.n;
    ms_result_put_row(shapes, (double)(r + 1), ms_structure_get_name(s->structure, at),
                      stuck.shape[i], slipped.shape[at + stuck.n * pair[r]]);
  }
  return MS_SUCCESS;
}

static ms_status show_mac(ms_study *s, const ms_mode_pairs *pairs, ms_page *page) {
  ms_mac_matrix m;
  if (!ms_attachments_slip(s->structure)) return MS_SUCCESS;
  MS_TRY(ms_mode_pairs_find_mac(s->ctx, s->structure, pairs, &m));
  if (m.n_row < 2) return MS_SUCCESS;
  return ms_page_add_mac(
      page,
      "MAC of stuck modes (rows) and slipped modes (columns), weighted by mass: 1 is the same "
      "shape, 0 unrelated. A row without a value near 1 is a mode whose shape slip changes; "
      "off-diagonal entries near 1 show modes that swap order.",
      "stuck mode", m.n_row, m.row, m.n_column, m.column, m.mac);
}

/* Effective masses of the stuck modes along x, y, z. What a reduction leaves out, and what is
   fixed, is missing in their sum. */
static ms_status add_masses(ms_study *s, ms_task *task) {
  static const char *const axis[] = { "x", "y", "z" };
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  const ptrdiff_t n = stuck.n;
  ms_result *result = task->result;
  double *Miota = NULL, row[8] = { 0.0 }, *mass = row + 2, *sum = row + 5;
  ms_result_table *table =
      ms_result_new_table(task->result, "_mass",
                          "mode,omega_0 [rad/s],mass_x [kg],mass_y [kg],mass_z [kg],sum_x [kg],"
                          "sum_y [kg],sum_z [kg]");
  MS_TRY(ms_allocate(s->ctx, 3 * n, sizeof *Miota, &Miota));
  ms_status status = MS_SUCCESS;
  for (int d = 0; d < 3 && status == MS_SUCCESS; d++) {
    status = ms_find_translation(s, d, Miota + n * d, NULL);
  }
  for (ptrdiff_t r = 0; r < n && status == MS_SUCCESS; r++) {
    row[0] = (double)(r + 1);
    row[1] = stuck.omega[r];
    for (int d = 0; d < 3; d++) {
      mass[d] = ms_structure_get_effective_mass(s->structure, r, Miota + n * d);
      sum[d] += mass[d];
    }
    ms_result_put_numbers(table, row);
  }
  ms_free(s->ctx, &Miota);
  MS_TRY(status);
  MS_TRY(ms_result_get_status(result));
  ms_result_begin(result, "effective_mass");
  ms_result_set_number(result, "total", "kg", s->reduced->mass);
  for (int d = 0; d < 3; d++) {
    ms_result_set_numbers(result, axis[d], "kg", ms_result_table_column(table, 2 + d), n);
  }
  ms_result_end(result);
  ms_result_say(result,
                "The effective mass of a mode says how strongly it responds to a base that moves "
                "along x, y or z. The total mass is %.6g kg; what is missing in the sums is fixed, "
                "or moves in modes that the reduction left out.",
                s->reduced->mass);
  ms_modes_fold(s, table);
  ms_result_show_table(result, table, "Effective masses of the stuck modes");
  return MS_SUCCESS;
}

/* ---- variants ---- */

/* Over the first path, of the lowest modes that are not of a rigid body. */
static void plot(const ms_modes_product *p, const char *frequency, const char *title,
                 ms_result *result) {
  const ms_result_table *t = p->varied;
  const double *mode = ms_result_table_column(t, 1 + (int)p->variants.n_path);
  const double *f = ms_result_table_find_numbers(t, frequency);
  enum { MOST = 6 };
  char name[MOST][32], where[MOST][32];
  ms_plot panel[MOST];
  int n = 0;
  for (double r = 1.0; n < MOST; r += 1.0) {
    double most = -1.0;
    for (ptrdiff_t k = 0; k < ms_result_table_rows(t); k++) {
      if (mode[k] == r) most = fmax(most, f[k]);
    }
    if (most < 0.0) break;
    if (most == 0.0) continue;
    snprintf(name[n], sizeof name[n], "Mode %g", r);
    snprintf(where[n], sizeof where[n], "mode=%g", r);
    panel[n] = (ms_plot)MS_PANEL(name[n], ms_result_table_describe(t, 1).name, frequency,
                                 .x_label = ms_yaml_short_path(p->variants.path[0]),
                                 .x_unit = "file's units", .y_label = "frequency",
                                 .where = where[n], .style = MS_SERIES_LINE_POINTS);
    n++;
  }
  ms_result_plot(result, title,
                 "Flat curves belong to modes that this number does not change. A jump is a change "
                 "in the order of the modes.",
                 t, n, panel);
  ms_result_feature_figure(result, MS_HEAD_MODES);
}

static void set_column(const ms_result_table *t, const char *name, const char *unit,
                       ms_result *result) {
  const int column = ms_result_table_find_column(t, name);
  ms_result_set_numbers(result, name, unit, ms_result_table_column(t, column),
                        ms_result_table_rows(t));
}

static void show_variants(const ms_study *s, ms_task *task) {
  const ms_modes_product *p = task->product;
  ms_result *result = task->result;
  if (!p->varied) return;
  ms_result_begin(result, "variants");
  ms_variants_set_values(&p->variants, result);
  set_column(p->varied, "variant", NULL, result);
  set_column(p->varied, "mode", NULL, result);
  set_column(p->varied, "omega_0", "rad/s", result);
  set_column(p->varied, "omega_inf", "rad/s", result);
  ms_result_end(result);
  ms_result_say(result,
                "Variants: the structure with other numbers in the study file, in its units. The "
                "first of them is on the axis of the figures.");
  if (ms_structure_count_joints(s->structure) > 0) {
    plot(p, "f_inf", "Frequencies of the variants, joints slipped", result);
  }
  plot(p, "f_0", "Frequencies of the variants, joints stuck", result);
  ms_result_show_table(result, p->varied, "Modes of the variants");
}

/* Of the first elastic modes. */
static void answer(const ms_study *s, const ms_mode_pairs *pairs, ms_result *result) {
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  const ms_modes slipped = ms_structure_get_slipped(s->structure);
  const int joints = ms_structure_count_joints(s->structure) > 0, most = joints ? 3 : 4;
  for (ptrdiff_t r = 0, n = 0; r < stuck.n && n < most; r++) {
    if (!(stuck.omega[r] > 0.0)) continue;
    n++;
    ms_answer_number(result, MS_HEAD_MODES, "omega", "rad/s", stuck.omega[r],
                     "Frequency of mode %td%s", r + 1, joints ? ", joints stuck" : "");
    if (!joints) continue;
    ms_answer_number(result, MS_HEAD_MODES, "omega", "rad/s", slipped.omega[pairs->slipped[r]],
                     "Frequency of mode %td, joints slipped", r + 1);
  }
}

static ms_status result(ms_study *s, ms_task *task) {
  const ms_modes_product *p = task->product;
  ms_result_table *table = ms_result_new_table(task->result, "", MODE_COLUMNS);
  add_modes(s, &p->pairs, NULL, 0, table);
  MS_TRY(add_shapes(s, task));
  ms_result_list_rows(task->result, "modes", table,
                      "mode,omega_0,omega_inf,mode_inf,mac,zeta_0,zeta_dashpots");
  ms_modes_fold(s, table);
  answer(s, &p->pairs, task->result);
  ms_result_show_table(task->result, table,
                       "Modes with all joints stuck, and with all of them slipped");
  ms_result_fail_page(task->result, show_mac(s, &p->pairs, ms_result_get_page(task->result)));
  ms_result_fail_page(task->result,
                      ms_modes_show_schematic(s, p, ms_result_get_page(task->result)));
  ms_result_feature_figure(task->result, MS_HEAD_MODES);
  if (s->reduced && s->reduced->inertia) MS_TRY(add_masses(s, task));
  if (s->fe) MS_TRY(ms_modes_result_fe(s, task));
  show_variants(s, task);
  return ms_contact_add_laws(s, task);
}

static void close_product(ms_study *s, ms_task *task) {
  ms_modes_product *p = task->product;
  ms_mode_pairs_free(s->ctx, &p->pairs);
  ms_modes_free_full(s, p);
  ms_free(s->ctx, &p->family);
  ms_free(s->ctx, &p->family_name);
  ms_variants_free(s->ctx, &p->variants);
}

const ms_analysis ms_analysis_modes = {
  .name = "modes",
  .title = "Modes with stuck and with slipped joints",
  .meaning =
      "Frequencies with every joint stuck (omega_0, f_0) and with every joint slipping "
      "(omega_inf, f_inf), the slipped mode being the one most like the stuck one by MAC "
      "(mode_inf is its rank); the damping of the stuck modes by the structure (zeta_0), and "
      "what dashpots in the joints add to it while nothing slips (zeta_dashpots).",
  MS_KEYS(keys, options, ms_modes_product),
  .knows_contact = 1,
  .check = check,
  .run = run,
  .help = help,
  .result = result,
  .close = close_product,
};
