/* The reduced model behind structure: fe and structure: reduced; made once, before all workers. */
#include <stdio.h>
#include <string.h>

#include <microslip/fem_plugin.h>

#include "study/model/fe/fe.h"
#include "study/file/model_keys.h"

typedef struct kept {
  struct fy_node *craig_bampton, *keep;
  ptrdiff_t modes;
  double cutoff;
} kept;

static const ms_param craig_bampton_rows[] = {
  MS_FORMS(kept, keep, "list of words", MS_REQUIRED,
           "nodes, sets of nodes or single degrees of freedom to keep, such as bolt.*; the star "
           "stands for any letters"),
  MS_COUNT(kept, modes, MS_FROM(0), MS_ELSE("optional"),
           "number of fixed-interface modes q1, q2, ...; 0: static condensation (Guyan)"),
  MS_NUMBER(kept, cutoff, "1/s", MS_POSITIVE, MS_ELSE("optional"),
            "instead: all fixed-interface modes below this frequency; Hz if the unit of time is s"),
};

static const ms_param reduce_rows[] = {
  MS_MAPPING(kept, craig_bampton, MS_ROWS(craig_bampton_rows), MS_REQUIRED,
             "constraint modes of the kept degrees of freedom, and modes with these fixed"),
};

const ms_param_list ms_reduce_keys = MS_LIST_OF(reduce_rows);

/* ---- helpers ---- */

ms_status ms_fe_read_keys(const ms_fe *fe, struct fy_node *node, const char *what,
                          const ms_param_list *keys, void *options) {
  return ms_options_read_mapping(fe->study, &fe->study->units, node, what, keys, options);
}

ms_status ms_fe_vector(const ms_fe *fe, struct fy_node *node, const char *what, const char *unit,
                       int n, double *out) {
  const ms_param row = { .name = what, .kind = MS_PARAM_NUMBERS, .count = n, .unit = unit, MS_ANY };
  ms_few list = { 0 };
  MS_TRY(ms_options_read_few(fe->study, node, &row, &list));
  memcpy(out, list.value, (size_t)n * sizeof *out);
  return MS_SUCCESS;
}

const ms_fem_node *ms_fe_find_named(const ms_fe *fe, const char *name) {
  for (ptrdiff_t i = 0; i < fe->n_named; i++) {
    if (strcmp(fe->named[i].name, name) == 0) return &fe->named[i];
  }
  return NULL;
}

ms_status ms_fe_add_named(ms_fe *fe, struct fy_node *node, const char *name, ptrdiff_t index,
                          const double *at) {
  if (ms_fe_find_named(fe, name) || strlen(name) >= MS_FE_NAME || strcmp(name, "ground") == 0) {
    return ms_yaml_fail(fe->y, node, MS_ERR_NAME, "the name '%.100s' is taken already, or too long",
                        name);
  }
  MS_TRY(ms_resize(fe->ctx, fe->n_named + 1, sizeof *fe->named, &fe->named));
  ms_fem_node *n = &fe->named[fe->n_named++];
  *n = (ms_fem_node) { .node = index, .at = { at[0], at[1], at[2] } };
  memcpy(n->name, name, strlen(name) + 1);
  return MS_SUCCESS;
}

/* ---- fields ---- */

ms_fem_body ms_fe_body(const ms_fe *fe) {
  return (ms_fem_body) { fe->mesh,  fe->name,    fe->reduced->n, fe->reduced->name,
                         fe->basis, fe->n_named, fe->named };
}

/* ---- reducing ---- */

enum { MOST_BELOW = 100 }; /* modes below a cut-off that a check leaves room for */

/* Names only. */
static ms_status outline_model(ms_fe *fe, ms_fem_model *model, ms_fem_reduction reduction) {
  if (reduction.cutoff_hz > 0.0) {
    reduction.n_mode = MOST_BELOW;
    fe->study->n_open += MOST_BELOW;
  }
  return ms_yaml_fail_here(fe->y, fe->node, fe->f->fem_outline(model, &reduction, &fe->reduced));
}

/* Where all processes go on or all stop. */
static ms_status go_on(const ms_fe *fe, double fraction) {
  return ms_context_agree(fe->ctx, ms_progress(fe->ctx, "finite elements", fraction));
}

enum { MODES = 10 }; /* of a model with contacts, if nothing is said */

static ms_status reduce_model(ms_fe *fe, ms_fem_model *model, const kept *o) {
  const ms_fem_functions *f = fe->f;
  const ms_fem_reduction settings = { .n_mode = o->modes < 0 ? 0 : o->modes,
                                      .cutoff_hz = o->cutoff > 0.0 ? o->cutoff : 0.0,
                                      .basis = 1 };
  const int keeps = fe->keep && ms_yaml_count(fe->keep) > 0;
  if (fe->assembly.n_contact == 0 || keeps) MS_TRY(ms_fe_keep(fe, model));
  if (fe->study->outline) return outline_model(fe, model, settings);
  MS_TRY(go_on(fe, 0.2));
  MS_TRY(ms_yaml_fail_here(fe->y, fe->node, f->fem_setup(model, NULL)));
  fe->n_unknown = f->fem_count_unknowns(model);
  MS_TRY(f->fem_get_mass(model, &fe->mass));
  MS_TRY(go_on(fe, 0.4));
  MS_TRY(ms_yaml_fail_here(fe->y, o->craig_bampton ? o->craig_bampton : fe->node,
                           f->fem_reduce(model, &settings, &fe->reduced)));
  snprintf(fe->line, sizeof fe->line, "%s", f->fem_get_line(model));
  if (fe->rest.contact) MS_TRY(f->fem_expect_modes(model, fe->reduced, &fe->rest));
  MS_TRY(f->fem_take_basis(model, fe->reduced, &fe->basis));
  return ms_progress(fe->ctx, "finite elements", 1.0);
}

/* The model with its contacts as they are at rest: closed points stick. A check has them as they
   are in the file. */
static ms_status press(ms_fe *fe, ms_fem_model **model) {
  if (fe->study->outline) return MS_SUCCESS;
  fe->f->fem_destroy(model);
  MS_TRY(ms_fe_press(fe));
  MS_TRY(ms_fe_make_model(fe, model));
  return fe->f->fem_stick_rest(*model, &fe->rest);
}

static ms_status make_reduced(ms_study *s, ms_fe *fe, struct fy_node *reduce) {
  const ms_fem_plugin *plugin;
  ms_fem_model *model = NULL;
  kept o = { 0 };
  if (!reduce && !ms_yaml_get(fe->node, "contacts")) {
    return ms_yaml_fail(&s->yaml, fe->node, MS_ERR_NAME,
                        "finite elements need 'reduce' beside 'fe', e.g. reduce: {craig_bampton: "
                        "{modes: 10, keep: [bolt.*]}}");
  }
  if (reduce) MS_TRY(ms_fe_read_keys(fe, reduce, "reduce", &ms_reduce_keys, &o));
  if (!reduce) o = (kept) { .modes = MODES };
  fe->keep = o.keep;
  if ((o.modes >= 0) == (o.cutoff > 0.0)) {
    return ms_yaml_fail(fe->y, o.craig_bampton, MS_ERR_FORMAT,
                        "craig_bampton needs one of modes and cutoff");
  }
  MS_TRY(ms_progress(s->ctx, "finite elements", 0.0));
  ms_status status = ms_fem_load(s->ctx, &plugin);
  if (status == MS_SUCCESS && !s->outline) status = plugin->start(s->ctx, NULL);
  MS_TRY(ms_yaml_fail_here(&s->yaml, fe->node, status));
  fe->f = plugin->functions;
  fe->engine = s->outline ? NULL : plugin->engine();
  MS_TRY(ms_fe_make_mesh(fe));
  status = ms_fe_make_model(fe, &model);
  if (status == MS_SUCCESS) status = ms_fe_read_contacts(fe, model);
  if (status == MS_SUCCESS && fe->assembly.n_contact > 0) status = press(fe, &model);
  if (status == MS_SUCCESS) status = reduce_model(fe, model, &o);
  fe->f->fem_destroy(&model);
  if (status == MS_SUCCESS && fe->rest.contact) status = ms_fe_load_modes(fe, fe->reduced->n);
  return status;
}

ms_status ms_fe_reduce(ms_study *s, const char *name, struct fy_node *node, struct fy_node *reduce,
                       ms_reduced **out) {
  ms_fe *fe, **last = &s->fe;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *fe, &fe));
  *fe = (ms_fe) { .name = name, .study = s, .y = &s->yaml, .ctx = s->ctx, .node = node };
  while (*last) last = &(*last)->next;
  *last = fe;
  ms_status status = make_reduced(s, fe, reduce);
  *out = fe->reduced;
  return status;
}

ms_status ms_fe_read_reduced(ms_study *s, struct fy_node *node, const char *file,
                             ms_reduced **out) {
  char *path;
  MS_TRY(ms_yaml_path(&s->yaml, file, &path));
  ms_status status = ms_reduced_read(s->ctx, path, out);
  ms_free(s->ctx, &path);
  return ms_yaml_fail_here(&s->yaml, node, status);
}

static ms_status find_reduced(ms_study *s) {
  struct fy_node *node = ms_yaml_get(ms_yaml_root(&s->yaml), "structure");
  ms_structure_options o;
  MS_TRY(ms_structure_read(s, &o));
  if (!o.fe + !o.reduced + !o.substructures < 2) {
    return MS_SUCCESS; /* refused where the structure is built */
  }
  if (o.reduce && !o.fe) {
    return ms_yaml_fail(&s->yaml, o.reduce, MS_ERR_FORMAT, "reduce belongs to finite elements: fe");
  }
  if (o.matrices) return ms_matrices_press(s, o.matrices);
  if (o.fe) return ms_fe_reduce(s, NULL, o.fe, o.reduce, &s->reduced);
  if (o.reduced) {
    return ms_fe_read_reduced(s, ms_yaml_get(node, "reduced"), o.reduced, &s->reduced);
  }
  return o.substructures ? ms_fe_assemble(s, o.substructures, &s->reduced) : MS_SUCCESS;
}

ms_status ms_study_reduce(ms_study *s) {
  MS_TRY(find_reduced(s));
  return s->outline && s->fe ? ms_reduced_stand_in(s->reduced) : MS_SUCCESS;
}

void ms_study_close_fe(ms_study *s) {
  ms_matrices_close(s);
  while (s->fe) {
    ms_fe *fe = s->fe;
    s->fe = fe->next;
    if (fe->reduced != s->reduced) ms_reduced_destroy(&fe->reduced);
    ms_fe_close_contacts(fe);
    if (fe->mesh) fe->f->mesh_destroy(&fe->mesh);
    ms_free(s->ctx, &fe->basis);
    ms_free(s->ctx, &fe->named);
    ms_free(s->ctx, &fe);
  }
  ms_reduced_destroy(&s->reduced);
}
