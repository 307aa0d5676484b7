/* The identified density under another normal load: strengths follow the load, springs a curve of
   their own, so that slip displacements scale with load/stiffness (docs/theory/density.md). */
#include <stdio.h>
#include <string.h>

#include "study/analyses/identify_density/identify_density.h"
#include "study/model/build.h"
#include "study/file/options.h"

typedef struct options {
  double from;
  ms_numbers to;
  struct fy_node *stiffness;
} options;

static const ms_param keys[] = {
  MS_NUMBER(options, from, "N", MS_POSITIVE, MS_REQUIRED,
            "normal load under which the energy was dissipated"),
  MS_NUMBERS(options, to, "N", MS_POSITIVE, MS_REQUIRED,
             "one other normal load or several, at most 8"),
  MS_FORMS(options, stiffness, "word, list or mapping", MS_ELSE("constant"),
           "tangential stiffness against the load, as under `normal` of a joint"),
};
const ms_param_list ms_preloads_keys = MS_LIST_OF(keys);

enum { NAME_SIZE = 32 };

static void name_table(const ms_preload *q, char ending[NAME_SIZE]) {
  snprintf(ending, NAME_SIZE, "_at_%.6g", q->named);
}

/* ---- options ---- */

/* Every load has a table of its own. */
static ms_status check_name(const ms_study *s, struct fy_node *node, const ms_identified *p) {
  const ms_preload *last = &p->preload[p->n_preload - 1];
  char name[NAME_SIZE], other[NAME_SIZE];
  name_table(last, name);
  for (const ms_preload *q = p->preload; q < last; q++) {
    name_table(q, other);
    if (strcmp(name, other) != 0) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "preloads %.9g and %.9g are the same to six digits: leave one out",
                        q->named, last->named);
  }
  return MS_SUCCESS;
}

static ms_status find_ratios(const ms_study *s, const options *o, ms_preload *q) {
  const ms_builder b = { .study = s, .y = &s->yaml, .ctx = s->ctx, .units = &s->units };
  q->load = q->to / q->from;
  MS_TRY(ms_build_stiffness_ratio(&b, o->stiffness, q->from, q->to, &q->stiffness));
  q->phi = q->load / q->stiffness;
  q->rho = q->stiffness / q->phi;
  return MS_SUCCESS;
}

static ms_status take_loads(const ms_study *s, struct fy_node *node, const options *o,
                            ms_identified *p) {
  struct fy_node *to = ms_yaml_get(node, "to");
  if (o->to.n > MS_PRELOADS) {
    return ms_yaml_fail(&s->yaml, to, MS_ERR_BOUNDS, "at most %d preloads", (int)MS_PRELOADS);
  }
  for (ptrdiff_t i = 0; i < o->to.n; i++) {
    ms_preload *q = &p->preload[p->n_preload++];
    *q = (ms_preload) { .from = o->from,
                        .to = o->to.value[i],
                        .named = o->to.value[i] / s->units.force };
    MS_TRY(check_name(s, to, p));
    MS_TRY(find_ratios(s, o, q));
  }
  return MS_SUCCESS;
}

ms_status ms_preloads_read(const ms_study *s, struct fy_node *node, ms_identified *p) {
  const ms_param_list *list = &ms_preloads_keys;
  options o = { 0 };
  if (!node) return MS_SUCCESS;
  ms_status status = ms_options_read(s, node, NULL, "preloads", list->param, list->n, &o);
  if (status == MS_SUCCESS) status = take_loads(s, node, &o, p);
  ms_options_free(s->ctx, list->param, list->n, &o);
  return status;
}

/* ---- results ---- */

ms_status ms_preloads_tabulate(ms_study *s, const ms_task *task, ms_identified *p) {
  for (int i = 0; i < p->n_preload; i++) {
    ms_preload *q = &p->preload[i];
    char ending[NAME_SIZE];
    name_table(q, ending);
    MS_TRY(ms_identified_tabulate_density(s, task, ending, q, &q->density));
  }
  return MS_SUCCESS;
}

void ms_preloads_summarise(const ms_identified *p, ms_json *json) {
  const ms_density_estimate *e = &p->estimate;
  if (p->n_preload == 0) return;
  ms_json_begin_array(json, "preloads");
  for (int i = 0; i < p->n_preload; i++) {
    const ms_preload *q = &p->preload[i];
    ms_json_begin_object(json, NULL);
    ms_json_add_number(json, "load", q->to);
    ms_json_add_number(json, "load_ratio", q->load);
    ms_json_add_number(json, "stiffness_ratio", q->stiffness);
    ms_json_add_number(json, "amplitude_ratio", q->phi);
    if (p->K_T > 0.0) ms_json_add_number(json, "K_T", q->stiffness * p->K_T);
    ms_json_add_number(json, "K_inf", q->stiffness * p->table.K_inf);
    if (e->from <= e->to) {
      ms_json_add_number(json, "trusted_from", q->phi * e->from);
      ms_json_add_number(json, "trusted_to", q->phi * e->to);
    }
    if (e->from <= e->to && p->K_T > 0.0) {
      ms_json_add_number(json, "trusted_force", q->load * p->K_T * e->to);
    }
    ms_json_end(json);
  }
  ms_json_end(json);
}

static ms_status add_density(const ms_result_table *table, const char *label, int colour,
                             ms_figure *figure) {
  const ms_series rho = { .label = label, /* the first row is at zero */
                          .x = ms_result_table_column(table, 0) + 1,
                          .y = ms_result_table_column(table, 1) + 1,
                          .n = ms_result_table_rows(table) - 1,
                          .style = MS_SERIES_LINE,
                          .colour = colour };
  return ms_figure_add_series(figure, &rho);
}

static ms_status draw(const ms_identified *p, ms_figure *figure) {
  const ms_panel panel = { "Slider density", "phi", "m", "rho", "N/m^2", 1, 1 };
  char label[64];
  MS_TRY(ms_figure_add_panel(figure, &panel));
  snprintf(label, sizeof label, "%.4g N", p->preload[0].from);
  MS_TRY(add_density(p->density, label, 1, figure));
  for (int i = 0; i < p->n_preload; i++) {
    snprintf(label, sizeof label, "%.4g N", p->preload[i].to);
    MS_TRY(add_density(p->preload[i].density, label, (i + 2) % MS_PALETTE_SIZE, figure));
  }
  return MS_SUCCESS;
}

static ms_status describe(const ms_identified *p, const ms_preload *q, ms_page *page) {
  const ms_density_estimate *e = &p->estimate;
  char text[400];
  int n = snprintf(text, sizeof text,
                   "At %.4g N, %.4g of the load, springs have %.4g of their stiffness, and slip "
                   "displacements are %.4g of what they were",
                   q->to, q->load, q->stiffness, q->phi);
  if (e->from <= e->to) {
    snprintf(text + n, sizeof text - (size_t)n, ": trusted from %.4g to %.4g m.", q->phi * e->from,
             q->phi * e->to);
  } else {
    snprintf(text + n, sizeof text - (size_t)n, ".");
  }
  return ms_page_add_text(page, text);
}

ms_status ms_preloads_report(const ms_study *s, const ms_identified *p, ms_page *page) {
  ms_figure *figure;
  if (p->n_preload == 0) return MS_SUCCESS;
  for (int i = 0; i < p->n_preload; i++) MS_TRY(describe(p, &p->preload[i], page));
  MS_TRY(ms_figure_create(s->ctx, "Under other normal loads", NULL, &figure));
  ms_status status = draw(p, figure);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, NULL, figure);
  ms_figure_destroy(&figure);
  return status;
}
