/* From the file to a structure: coordinates, matrices, damping, joints. Every complaint names the
   place in the file. */
#include <math.h>
#include <microslip/io.h>
#include <stdio.h>
#include <string.h>

#include "structure/impl.h"
#include "study/build.h"

ms_status ms_build_at(const ms_builder *b, struct fy_node *node, ms_status status) {
  if (status == MS_SUCCESS) return status;
  char what[512];
  snprintf(what, sizeof what, "%s", ms_context_message(b->ctx));
  return ms_yaml_fail(b->y, node, status, "%s", what);
}

ms_status ms_build_find(const ms_builder *b, struct fy_node *node, ptrdiff_t *out) {
  const char *name;
  MS_TRY(ms_yaml_text(b->y, node, "a coordinate", &name));
  return ms_build_at(b, node, ms_structure_find(b->structure, name, out));
}

/* ---- chain ---- */

static const ms_param chain_keys[] = {
  MS_KEY("masses", "mapping", "coordinate: mass", 1),
  MS_KEY("springs", "list or mapping", "[from, to, stiffness], 'ground' is the ground", 1),
};

static const ms_param spring_keys[] = {
  MS_KEY("between", "list", "[from, to]", 1),
  MS_KEY("k", "number", "stiffness", 1),
};

static ms_status create_named(ms_builder *b, struct fy_node *masses) {
  enum { MAX_CHAIN = 4096 };
  const char *names[MAX_CHAIN];
  ptrdiff_t n = 0;
  void *at = NULL;
  if (!ms_yaml_is_mapping(masses) || ms_yaml_count(masses) > MAX_CHAIN) {
    return ms_yaml_fail(b->y, masses, MS_ERR_FORMAT,
                        "masses must be a mapping of at most %d coordinates, e.g. {u1: 10, u2: 10}",
                        MAX_CHAIN);
  }
  for (struct fy_node *key; ms_yaml_next_pair(masses, &at, &key);) {
    MS_TRY(ms_yaml_text(b->y, key, "a coordinate", &names[n++]));
    if (strcmp(names[n - 1], "ground") != 0) continue;
    return ms_yaml_fail(b->y, key, MS_ERR_NAME, "'ground' is no coordinate of its own");
  }
  MS_TRY(ms_memory_check_coordinates(b->study, masses, (double)n));
  return ms_build_at(b, masses, ms_structure_create(b->ctx, n, names, &b->structure));
}

/* By its name; then a mass is a moment of inertia, a stiffness that of a torsional spring. */
static int turns(const ms_builder *b, ptrdiff_t i) {
  return i != MS_GROUND && ms_name_is_rotation(ms_structure_get_name(b->structure, i));
}

static ms_status add_masses(ms_builder *b, struct fy_node *masses) {
  void *at = NULL;
  ptrdiff_t i = 0;
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(masses, &at, &key)); i++) {
    double m, arm = turns(b, i) ? b->units->length : 1.0;
    MS_TRY(ms_yaml_positive(b->y, value, "a mass", &m));
    m *= b->units->mass * arm * arm;
    MS_TRY(ms_build_at(b, value, ms_structure_add_mass(b->structure, i, m)));
  }
  return MS_SUCCESS;
}

static ms_status add_spring(ms_builder *b, struct fy_node *item, struct fy_node *ends,
                            struct fy_node *value) {
  void *at = NULL;
  ptrdiff_t from, to;
  double k;
  MS_TRY(ms_build_find(b, ms_yaml_next_item(ends, &at), &from));
  MS_TRY(ms_build_find(b, ms_yaml_next_item(ends, &at), &to));
  if (!value) value = ms_yaml_next_item(ends, &at);
  MS_TRY(ms_yaml_number(b->y, value, "a stiffness", &k));
  k *= b->units->force / b->units->length;
  if (turns(b, from) || turns(b, to)) k *= b->units->length * b->units->length;
  return ms_build_at(b, item, ms_structure_add_spring(b->structure, from, to, k));
}

/* [from, to, k], or {between: [from, to], k: k}. */
static ms_status read_spring(ms_builder *b, struct fy_node *item) {
  struct fy_node *ends = item, *value = NULL;
  if (ms_yaml_is_mapping(item)) {
    MS_TRY(ms_yaml_check_keys(b->y, item, "a spring", spring_keys, 2));
    ends = ms_yaml_get(item, "between");
    value = ms_yaml_get(item, "k");
  }
  if (!ms_yaml_is_sequence(ends) || ms_yaml_count(ends) != (value ? 2 : 3)) {
    return ms_yaml_fail(b->y, item, MS_ERR_FORMAT,
                        "a spring is [from, to, stiffness] or {between: [from, to], k: stiffness}");
  }
  return add_spring(b, item, ends, value);
}

/* A list, or a name for each. */
static ms_status add_springs(ms_builder *b, struct fy_node *springs) {
  void *at = NULL;
  int named = ms_yaml_is_mapping(springs) && ms_yaml_count(springs) > 0;
  if (!named && !ms_yaml_is_sequence(springs)) {
    return ms_yaml_fail(b->y, springs, MS_ERR_FORMAT,
                        "springs must be a list of [from, to, k], or a name for each");
  }
  for (struct fy_node *key, *item;;) {
    item = named ? ms_yaml_next_pair(springs, &at, &key) : ms_yaml_next_item(springs, &at);
    if (!item) return MS_SUCCESS;
    MS_TRY(read_spring(b, item));
  }
}

static ms_status build_chain(ms_builder *b, struct fy_node *node) {
  MS_TRY(ms_yaml_check_keys(b->y, node, "chain", chain_keys, 2));
  MS_TRY(create_named(b, ms_yaml_get(node, "masses")));
  MS_TRY(add_masses(b, ms_yaml_get(node, "masses")));
  return add_springs(b, ms_yaml_get(node, "springs"));
}

/* ---- damping ---- */

static const ms_param damping_keys[] = {
  MS_KEY("modal", "number or list", "damping ratio of the stuck modes", 0),
  MS_KEY("rayleigh", "mapping", "{mass: a, stiffness: b}: C = a M + b K", 0),
  MS_KEY("matrix", "matrix", "rows, the diagonal, or the name of a .mtx or .csv file", 0),
};

static const ms_param rayleigh_keys[] = {
  MS_KEY("mass", "number", "1/s", 1),
  MS_KEY("stiffness", "number", "s", 1),
};

static ms_status modal_damping(ms_builder *b, struct fy_node *node) {
  ptrdiff_t n = ms_structure_get_size(b->structure), count;
  double *given, *zeta = NULL;
  MS_TRY(ms_yaml_numbers(b->y, node, "modal damping", &given, &count));
  ms_status status = MS_SUCCESS;
  if (count != 1 && count != n && b->study->n_open == 0) {
    status = ms_yaml_fail(b->y, node, MS_ERR_FORMAT,
                          "modal damping is one ratio or one for each of the %td modes, not %td", n,
                          count);
  }
  if (status == MS_SUCCESS) status = ms_allocate(b->ctx, n, sizeof *zeta, &zeta);
  for (ptrdiff_t r = 0; status == MS_SUCCESS && r < n; r++)
    zeta[r] = given[r < count ? r : count - 1];
  if (status == MS_SUCCESS) {
    status = ms_build_at(b, node, ms_structure_set_modal_damping(b->structure, zeta));
  }
  ms_free(b->ctx, &given);
  ms_free(b->ctx, &zeta);
  return status;
}

static ms_status rayleigh_damping(ms_builder *b, struct fy_node *node) {
  double mass, stiffness;
  MS_TRY(ms_yaml_check_keys(b->y, node, "rayleigh", rayleigh_keys, 2));
  MS_TRY(ms_yaml_number(b->y, ms_yaml_get(node, "mass"), "mass", &mass));
  MS_TRY(ms_yaml_number(b->y, ms_yaml_get(node, "stiffness"), "stiffness", &stiffness));
  mass /= b->units->time;
  stiffness *= b->units->time;
  return ms_build_at(b, node, ms_structure_set_rayleigh_damping(b->structure, mass, stiffness));
}

static ms_status matrix_damping(ms_builder *b, struct fy_node *node) {
  ptrdiff_t n = ms_structure_get_size(b->structure);
  double *C;
  ms_status status = ms_build_read_matrix(b, node, "damping", &n, &C);
  if (status == MS_SUCCESS) {
    ms_build_scale(b, C, n, b->units->force * b->units->time / b->units->length);
    status = ms_build_at(b, node, ms_structure_set_damping(b->structure, C));
  }
  ms_free(b->ctx, &C);
  return status;
}

static ms_status build_damping(ms_builder *b, struct fy_node *node) {
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_check_keys(b->y, node, "damping", damping_keys, 3));
  if (ms_yaml_count(node) != 1) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT, "damping is one of modal, rayleigh and matrix");
  }
  if (ms_yaml_get(node, "modal")) return modal_damping(b, ms_yaml_get(node, "modal"));
  if (ms_yaml_get(node, "rayleigh")) return rayleigh_damping(b, ms_yaml_get(node, "rayleigh"));
  return matrix_damping(b, ms_yaml_get(node, "matrix"));
}

/* ---- the whole ---- */

static const ms_param structure_keys[] = {
  MS_KEY("chain", "mapping", "masses and springs in a row", 0),
  MS_KEY("matrices", "mapping", "mass and stiffness matrices", 0),
  MS_KEY("beam", "mapping", "a straight beam that bends in a plane", 0),
  MS_KEY("fe", "mapping", "parts of finite elements", 0),
  MS_KEY("reduce", "mapping", "what is kept of the finite elements", 0),
  MS_KEY("reduced", "word", "a reduced model, the name of an .h5 file", 0),
  MS_KEY("substructures", "mapping", "name: {fe: ..., reduce: ...} or {reduced: file.h5}", 0),
  MS_KEY("damping", "mapping", "modal, rayleigh or matrix", 0),
};

enum { N_STRUCTURE_KEY = sizeof structure_keys / sizeof *structure_keys };

/* Frequencies outside of all engineering point to mistaken units. */
static ms_status check_frequencies(const ms_builder *b, struct fy_node *node) {
  ms_modes m = ms_structure_get_stuck(b->structure);
  double highest = m.omega[m.n - 1], lowest = highest;
  for (ptrdiff_t r = m.n - 1; r >= 0 && m.omega[r] > 0.0; r--) lowest = m.omega[r];
  if (highest < 1e10 && (lowest > 1e-6 || highest == 0.0)) return MS_SUCCESS;
  return ms_yaml_fail(
      b->y, node, MS_ERR_ARGUMENT,
      "frequencies from %.3g to %.3g rad/s are absurd for a structure; are the units "
      "right, and no two points next to each other? With mm, N and s masses are in tonne",
      lowest, highest);
}

static ms_status build_reduced(ms_builder *b, struct fy_node *node) {
  ms_reduced view = *b->study->reduced; /* the structure is the worker's */
  view.ctx = b->ctx;
  MS_TRY(ms_memory_check_coordinates(b->study, node, (double)view.n));
  return ms_build_at(b, node, ms_reduced_make_structure(&view, &b->structure));
}

/* Where the coordinates come from; one of these. */
static const struct source {
  const char *name;
  ms_status (*build)(ms_builder *b, struct fy_node *node);
} sources[] = {
  { "chain", build_chain }, { "matrices", ms_build_matrices }, { "beam", ms_build_beam },
  { "fe", build_reduced },  { "reduced", build_reduced },      { "substructures", build_reduced },
};

static ms_status build_source(ms_builder *b, struct fy_node *node) {
  const struct source *source = NULL;
  int n = 0;
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    if (!ms_yaml_get(node, sources[i].name)) continue;
    source = &sources[i];
    n++;
  }
  if (n != 1) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT,
                        "structure needs one of chain, matrices, beam, fe, reduced and "
                        "substructures");
  }
  return source->build(b, ms_yaml_get(node, source->name));
}

static ms_status build_all(ms_builder *b, struct fy_node *root) {
  struct fy_node *node = ms_yaml_get(root, "structure");
  MS_TRY(build_source(b, node));
  b->whole = b->structure;
  MS_TRY(ms_build_joints(b, ms_yaml_get(root, "joints")));
  MS_TRY(build_damping(b, ms_yaml_get(node, "damping")));
  if (b->study->outline && ms_structure_get_size(b->structure) > MS_CHECK_SOLVES)
    return ms_build_at(b, node, ms_structure_outline(b->structure));
  MS_TRY(ms_build_at(b, node, ms_structure_setup(b->structure)));
  return check_frequencies(b, node);
}

ms_status ms_study_check_structure(const ms_study *study) {
  struct fy_node *node = ms_yaml_get(ms_yaml_root(&study->yaml), "structure");
  return ms_yaml_check_keys(&study->yaml, node, "structure", structure_keys, N_STRUCTURE_KEY);
}

ms_status ms_study_build(const ms_study *study, ms_context *ctx, ms_structure **out) {
  ms_builder b = { .study = study, .y = &study->yaml, .ctx = ctx, .units = &study->units };
  ms_status status = build_all(&b, ms_yaml_root(&study->yaml));
  ms_dofs_free(ctx, &b.dofs);
  if (b.whole != b.structure) ms_structure_destroy(&b.whole);
  if (status != MS_SUCCESS) {
    ms_structure_destroy(&b.structure);
    return status;
  }
  *out = b.structure;
  return MS_SUCCESS;
}
