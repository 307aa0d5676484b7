/* From the file to a structure: coordinates, matrices, damping, joints. Every complaint names the
   place in the file. */
#include <math.h>
#include <microslip/io.h>
#include <stdio.h>
#include <string.h>

#include "study/study.h"

typedef struct builder {
  const ms_study *study;
  const ms_yaml *y;
  ms_context *ctx;
  const ms_units *units;
  ms_structure *structure;
  ms_dofs dofs; /* labels of the matrices' rows; none: n = 0 */
  int sorted;   /* as matrices with labels of their own have them */
} builder;

/* Library messages wait in the worker's context; the file's place is put before them. */
static ms_status at_node(const builder *b, struct fy_node *node, ms_status status) {
  if (status == MS_SUCCESS) return status;
  char what[512];
  snprintf(what, sizeof what, "%s", ms_context_message(b->ctx));
  return ms_yaml_fail(b->y, node, status, "%s", what);
}

/* ---- chain ---- */

static const ms_key chain_keys[] = {
  { "masses", "mapping", "coordinate: mass", 1 },
  { "springs", "list", "[from, to, stiffness], 'ground' is the ground", 1 },
};

static ms_status find_coordinate(const builder *b, struct fy_node *node, ptrdiff_t *out) {
  const char *name;
  MS_TRY(ms_yaml_text(b->y, node, "a coordinate", &name));
  return at_node(b, node, ms_structure_find(b->structure, name, out));
}

static ms_status create_named(builder *b, struct fy_node *masses) {
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
  return at_node(b, masses, ms_structure_create(b->ctx, n, names, &b->structure));
}

static ms_status add_masses(builder *b, struct fy_node *masses) {
  void *at = NULL;
  ptrdiff_t i = 0;
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(masses, &at, &key)); i++) {
    double m;
    MS_TRY(ms_yaml_positive(b->y, value, "a mass", &m));
    MS_TRY(at_node(b, value, ms_structure_add_mass(b->structure, i, m * b->units->mass)));
  }
  return MS_SUCCESS;
}

static ms_status add_springs(builder *b, struct fy_node *springs) {
  void *at = NULL;
  if (!ms_yaml_is_sequence(springs)) {
    return ms_yaml_fail(b->y, springs, MS_ERR_FORMAT, "springs must be a list of [from, to, k]");
  }
  for (struct fy_node *item; (item = ms_yaml_next_item(springs, &at));) {
    void *in = NULL;
    ptrdiff_t from, to;
    double k;
    if (!ms_yaml_is_sequence(item) || ms_yaml_count(item) != 3) {
      return ms_yaml_fail(b->y, item, MS_ERR_FORMAT, "a spring is [from, to, stiffness]");
    }
    MS_TRY(find_coordinate(b, ms_yaml_next_item(item, &in), &from));
    MS_TRY(find_coordinate(b, ms_yaml_next_item(item, &in), &to));
    struct fy_node *value = ms_yaml_next_item(item, &in);
    MS_TRY(ms_yaml_number(b->y, value, "a stiffness", &k));
    k *= b->units->force / b->units->length;
    MS_TRY(at_node(b, item, ms_structure_add_spring(b->structure, from, to, k)));
  }
  return MS_SUCCESS;
}

static ms_status build_chain(builder *b, struct fy_node *node) {
  MS_TRY(ms_yaml_check_keys(b->y, node, "chain", chain_keys, 2));
  MS_TRY(create_named(b, ms_yaml_get(node, "masses")));
  MS_TRY(add_masses(b, ms_yaml_get(node, "masses")));
  return add_springs(b, ms_yaml_get(node, "springs"));
}

/* ---- matrices ---- */

static const ms_key matrix_keys[] = {
  { "coordinates", "list", "names, in the matrices' order; u1, u2, ... if absent", 0 },
  { "dofs", "text", "a file with node and degree of freedom of each row: n12.x, ...", 0 },
  { "mass", "matrix", "rows, the diagonal, or the name of a .mtx or .csv file", 1 },
  { "stiffness", "matrix", "rows, the diagonal, or the name of a .mtx or .csv file", 1 },
};

/* A matrix is rows, a flat list that is its diagonal, or the name of a file. *n is 0 at first; then
   sizes must agree. */
typedef struct matrix_request {
  const char *what; /* for messages */
  struct fy_node *node;
  ptrdiff_t *n;
  double **out;
} matrix_request;

static ms_status check_size(const builder *b, const matrix_request *r, ptrdiff_t rows,
                            ptrdiff_t columns) {
  if (rows != columns) {
    return ms_yaml_fail(b->y, r->node, MS_ERR_FORMAT, "%s must be square, not %td x %td", r->what,
                        rows, columns);
  }
  if (*r->n && rows != *r->n) {
    return ms_yaml_fail(b->y, r->node, MS_ERR_FORMAT, "%s is %td x %td; it must be %td x %td",
                        r->what, rows, columns, *r->n, *r->n);
  }
  *r->n = rows;
  return MS_SUCCESS;
}

/* The file's name counts from the folder of the study file. */
static ms_status find_file(const builder *b, const char *name, char **path) {
  const char *slash = strrchr(b->y->path, '/');
  char *folder;
  if (*name == '/' || !slash) return ms_folder_path(b->ctx, "", name, path);
  ptrdiff_t length = slash - b->y->path + 1;
  MS_TRY(ms_allocate(b->ctx, length + 1, 1, &folder));
  memcpy(folder, b->y->path, (size_t)length);
  ms_status status = ms_folder_path(b->ctx, folder, name, path);
  ms_free(b->ctx, &folder);
  return status;
}

static ms_status find_named_file(const builder *b, struct fy_node *node, const char *what,
                                 char **path) {
  const char *name;
  MS_TRY(ms_yaml_text(b->y, node, what, &name));
  return find_file(b, name, path);
}

static ms_status read_matrix_file(const builder *b, const matrix_request *r) {
  char *path;
  ptrdiff_t rows, columns;
  MS_TRY(find_named_file(b, r->node, r->what, &path));
  ms_status status =
      ms_study_read_matrix(b->ctx, path, b->sorted ? &b->dofs : NULL, &rows, &columns, r->out);
  ms_free(b->ctx, &path);
  MS_TRY(at_node(b, r->node, status));
  return check_size(b, r, rows, columns);
}

static ms_status read_row(const builder *b, const matrix_request *r, struct fy_node *row,
                          ptrdiff_t i) {
  double *values;
  ptrdiff_t count, size = *r->n;
  MS_TRY(ms_yaml_numbers(b->y, row, r->what, &values, &count));
  for (ptrdiff_t j = 0; count == size && j < size; j++) (*r->out)[i + size * j] = values[j];
  ms_free(b->ctx, &values);
  if (count == size) return MS_SUCCESS;
  return ms_yaml_fail(b->y, row, MS_ERR_FORMAT, "%s: row %td has %td numbers, not %td", r->what,
                      i + 1, count, size);
}

static ms_status read_matrix_rows(const builder *b, const matrix_request *r) {
  void *at = NULL, *first = NULL;
  ptrdiff_t size = ms_yaml_count(r->node), i = 0;
  MS_TRY(check_size(b, r, size, size));
  MS_TRY(ms_allocate(b->ctx, size * size, sizeof **r->out, r->out));
  int diagonal = ms_yaml_is_scalar(ms_yaml_next_item(r->node, &first));
  for (struct fy_node *item; (item = ms_yaml_next_item(r->node, &at)); i++) {
    MS_TRY(diagonal ? ms_yaml_number(b->y, item, r->what, &(*r->out)[i + size * i])
                    : read_row(b, r, item, i));
  }
  return MS_SUCCESS;
}

/* *out is the caller's to free, after a failure too. */
static ms_status read_matrix(const builder *b, struct fy_node *node, const char *what, ptrdiff_t *n,
                             double **out) {
  matrix_request r = { what, node, n, out };
  *out = NULL;
  if (ms_yaml_is_scalar(node)) return read_matrix_file(b, &r);
  if (ms_yaml_is_sequence(node) && ms_yaml_count(node) > 0) return read_matrix_rows(b, &r);
  return ms_yaml_fail(b->y, node, MS_ERR_FORMAT,
                      "%s must be a list of rows, the diagonal as one list, or the name of a .mtx "
                      "or .csv file",
                      what);
}

static ms_status create_with_names(builder *b, struct fy_node *names, ptrdiff_t n) {
  enum { MAX_NAMES = 4096 };
  const char *list[MAX_NAMES];
  void *at = NULL;
  if (!names) return at_node(b, NULL, ms_structure_create(b->ctx, n, NULL, &b->structure));
  if (!ms_yaml_is_sequence(names) || ms_yaml_count(names) != n || n > MAX_NAMES) {
    return ms_yaml_fail(b->y, names, MS_ERR_FORMAT, "coordinates must name all %td of them", n);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    struct fy_node *item = ms_yaml_next_item(names, &at);
    MS_TRY(ms_yaml_text(b->y, item, "a coordinate", &list[i]));
    int taken = strcmp(list[i], "ground") == 0;
    for (ptrdiff_t k = 0; k < i; k++) taken |= strcmp(list[k], list[i]) == 0;
    if (!taken) continue;
    return ms_yaml_fail(b->y, item, MS_ERR_NAME, "the name '%s' is taken already", list[i]);
  }
  return at_node(b, names, ms_structure_create(b->ctx, n, list, &b->structure));
}

/* Names from the labels, n12.x. */
static ms_status create_with_labels(builder *b, struct fy_node *node, ptrdiff_t n) {
  char(*text)[32];
  const char **list = NULL;
  if (b->dofs.n != n) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT, "there are %td labels for %td rows", b->dofs.n,
                        n);
  }
  MS_TRY(ms_allocate(b->ctx, n, sizeof *text, &text));
  ms_status status = ms_allocate(b->ctx, n, sizeof *list, &list);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < n; i++) {
    ms_dof_name(b->dofs.dof[i], text[i]);
    list[i] = text[i];
  }
  if (status == MS_SUCCESS) status = ms_structure_create(b->ctx, n, list, &b->structure);
  ms_free(b->ctx, &text);
  ms_free(b->ctx, &list);
  return at_node(b, node, status);
}

/* The unit of an entry between displacements is `factor`; rotations take a length more each. */
static void scale(const builder *b, double *A, ptrdiff_t n, double factor) {
  double length = b->units->length;
  for (ptrdiff_t i = 0; i < n * n; i++) A[i] *= factor;
  for (ptrdiff_t i = 0; i < b->dofs.n && i < n; i++) {
    if (b->dofs.dof[i].dof < 4 || b->dofs.dof[i].dof > 6 || length == 1.0) continue;
    for (ptrdiff_t j = 0; j < n; j++) {
      A[i + n * j] *= length;
      A[j + n * i] *= length;
    }
  }
}

static ms_status set_matrices(builder *b, struct fy_node *node, double *M, double *K, ptrdiff_t n) {
  struct fy_node *names = ms_yaml_get(node, "coordinates");
  MS_TRY(b->dofs.n && !names ? create_with_labels(b, node, n) : create_with_names(b, names, n));
  scale(b, M, n, b->units->mass);
  scale(b, K, n, b->units->force / b->units->length);
  MS_TRY(at_node(b, ms_yaml_get(node, "mass"), ms_structure_set_mass(b->structure, M)));
  return at_node(b, ms_yaml_get(node, "stiffness"), ms_structure_set_stiffness(b->structure, K));
}

static ms_status read_map(builder *b, struct fy_node *node) {
  char *path;
  MS_TRY(find_named_file(b, node, "dofs", &path));
  ms_status status = ms_dofs_read(b->ctx, path, &b->dofs);
  ms_free(b->ctx, &path);
  return at_node(b, node, status);
}

/* The labels that mass and stiffness have, if both have. */
static ms_status join_labels(builder *b, struct fy_node *mass, struct fy_node *stiffness) {
  char *first, *second;
  if (!ms_yaml_is_scalar(mass) || !ms_yaml_is_scalar(stiffness)) return MS_SUCCESS;
  MS_TRY(find_named_file(b, mass, "mass", &first));
  ms_status status = find_named_file(b, stiffness, "stiffness", &second);
  if (status == MS_SUCCESS) {
    b->sorted = ms_matrix_has_labels(first) && ms_matrix_has_labels(second);
    if (b->sorted) status = ms_study_join_labels(b->ctx, first, second, &b->dofs);
    ms_free(b->ctx, &second);
    status = at_node(b, mass, status);
  }
  ms_free(b->ctx, &first);
  return status;
}

static ms_status build_matrices(builder *b, struct fy_node *node) {
  ptrdiff_t n = 0;
  double *M = NULL, *K = NULL;
  MS_TRY(ms_yaml_check_keys(b->y, node, "matrices", matrix_keys, 4));
  struct fy_node *map = ms_yaml_get(node, "dofs");
  MS_TRY(map ? read_map(b, map)
             : join_labels(b, ms_yaml_get(node, "mass"), ms_yaml_get(node, "stiffness")));
  ms_status status = read_matrix(b, ms_yaml_get(node, "mass"), "mass", &n, &M);
  if (status == MS_SUCCESS) {
    status = read_matrix(b, ms_yaml_get(node, "stiffness"), "stiffness", &n, &K);
  }
  if (status == MS_SUCCESS) status = set_matrices(b, node, M, K, n);
  ms_free(b->ctx, &M);
  ms_free(b->ctx, &K);
  return status;
}

/* ---- damping ---- */

static const ms_key damping_keys[] = {
  { "modal", "number or list", "damping ratio of the stuck modes", 0 },
  { "rayleigh", "mapping", "{mass: a, stiffness: b}: C = a M + b K", 0 },
  { "matrix", "matrix", "rows, the diagonal, or the name of a .mtx or .csv file", 0 },
};

static const ms_key rayleigh_keys[] = {
  { "mass", "number", "1/s", 1 },
  { "stiffness", "number", "s", 1 },
};

static ms_status modal_damping(builder *b, struct fy_node *node) {
  ptrdiff_t n = ms_structure_get_size(b->structure), count;
  double *given, *zeta = NULL;
  MS_TRY(ms_yaml_numbers(b->y, node, "modal damping", &given, &count));
  ms_status status = MS_SUCCESS;
  if (count != 1 && count != n) {
    status = ms_yaml_fail(b->y, node, MS_ERR_FORMAT,
                          "modal damping is one ratio or one for each of the %td modes, not %td", n,
                          count);
  }
  if (status == MS_SUCCESS) status = ms_allocate(b->ctx, n, sizeof *zeta, &zeta);
  for (ptrdiff_t r = 0; status == MS_SUCCESS && r < n; r++) zeta[r] = given[count == 1 ? 0 : r];
  if (status == MS_SUCCESS) {
    status = at_node(b, node, ms_structure_set_modal_damping(b->structure, zeta));
  }
  ms_free(b->ctx, &given);
  ms_free(b->ctx, &zeta);
  return status;
}

static ms_status rayleigh_damping(builder *b, struct fy_node *node) {
  double mass, stiffness;
  MS_TRY(ms_yaml_check_keys(b->y, node, "rayleigh", rayleigh_keys, 2));
  MS_TRY(ms_yaml_number(b->y, ms_yaml_get(node, "mass"), "mass", &mass));
  MS_TRY(ms_yaml_number(b->y, ms_yaml_get(node, "stiffness"), "stiffness", &stiffness));
  mass /= b->units->time;
  stiffness *= b->units->time;
  return at_node(b, node, ms_structure_set_rayleigh_damping(b->structure, mass, stiffness));
}

static ms_status matrix_damping(builder *b, struct fy_node *node) {
  ptrdiff_t n = ms_structure_get_size(b->structure);
  double *C;
  ms_status status = read_matrix(b, node, "damping", &n, &C);
  if (status == MS_SUCCESS) {
    scale(b, C, n, b->units->force * b->units->time / b->units->length);
    status = at_node(b, node, ms_structure_set_damping(b->structure, C));
  }
  ms_free(b->ctx, &C);
  return status;
}

static ms_status build_damping(builder *b, struct fy_node *node) {
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_check_keys(b->y, node, "damping", damping_keys, 3));
  if (ms_yaml_count(node) != 1) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT, "damping is one of modal, rayleigh and matrix");
  }
  if (ms_yaml_get(node, "modal")) return modal_damping(b, ms_yaml_get(node, "modal"));
  if (ms_yaml_get(node, "rayleigh")) return rayleigh_damping(b, ms_yaml_get(node, "rayleigh"));
  return matrix_damping(b, ms_yaml_get(node, "matrix"));
}

/* ---- joints ---- */

static ms_status set_parameter(const builder *b, ms_joint *joint, struct fy_node *key,
                               struct fy_node *value) {
  const ms_law_info *law = ms_joint_info(joint);
  const char *name, *text;
  MS_TRY(ms_yaml_text(b->y, key, "a parameter", &name));
  MS_TRY(ms_yaml_text(b->y, value, name, &text));
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    double number, factor = ms_units_factor(b->units, p->unit);
    if (strcmp(p->name, name) != 0 || p->kind == MS_PARAM_CHOICE) continue;
    if (factor == 0.0) {
      return ms_yaml_fail(b->y, key, MS_ERR_ARGUMENT,
                          "%s is in %s, which is not converted: use SI units or another parameter "
                          "set",
                          name, p->unit);
    }
    MS_TRY(ms_yaml_number(b->y, value, name, &number));
    return at_node(b, value, ms_joint_set(joint, name, number * factor));
  }
  return at_node(b, key, ms_joint_set_text(joint, name, text));
}

/* {law: iwan4, F_S: 10, ...}, other keys that belong to the joint left out. */
static ms_status build_law(const builder *b, struct fy_node *node, ms_joint **out) {
  const char *law;
  void *at = NULL;
  struct fy_node *law_node = ms_yaml_get(node, "law");
  *out = NULL;
  if (!law_node) {
    return ms_yaml_fail(b->y, node, MS_ERR_NAME,
                        "a joint needs 'law'; 'microslip laws' lists them");
  }
  MS_TRY(ms_yaml_text(b->y, law_node, "law", &law));
  MS_TRY(at_node(b, law_node, ms_joint_create(b->ctx, law, out)));
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    if (fy_node_compare_string(key, "law", FY_NT) ||
        fy_node_compare_string(key, "between", FY_NT)) {
      continue;
    }
    MS_TRY(set_parameter(b, *out, key, value));
  }
  return at_node(b, node, ms_joint_setup(*out));
}

static const ms_key parallel_keys[] = {
  { "laws", "list", "{law: ..., parameters} side by side; forces add", 1 },
  { "between", "list", "[from, to]", 1 },
};

/* laws: [{law: ...}, ...] in parallel on one axis. */
static ms_status build_laws(const builder *b, struct fy_node *list, ms_joint **out) {
  void *at = NULL;
  if (!ms_yaml_is_sequence(list)) {
    return ms_yaml_fail(b->y, list, MS_ERR_FORMAT, "laws must be a list of {law: ..., ...}");
  }
  MS_TRY(at_node(b, list, ms_joint_create_parallel(b->ctx, 1, out)));
  for (struct fy_node *item; (item = ms_yaml_next_item(list, &at));) {
    ms_joint *member = NULL;
    ms_status status = build_law(b, item, &member);
    if (status == MS_SUCCESS) status = at_node(b, item, ms_joint_take_member(*out, &member, NULL));
    ms_joint_destroy(&member);
    if (status != MS_SUCCESS) return status;
  }
  return at_node(b, list, ms_joint_setup(*out));
}

static ms_status seat_joint(builder *b, const char *name, struct fy_node *node, ms_joint **joint) {
  struct fy_node *between = ms_yaml_get(node, "between");
  ptrdiff_t from[MS_JOINT_MAX_AXIS], to[MS_JOINT_MAX_AXIS];
  int n_axis = ms_joint_info(*joint)->n_axis;
  void *at = NULL;
  if (!ms_yaml_is_sequence(between) || ms_yaml_count(between) != 2) {
    return ms_yaml_fail(b->y, between ? between : node, MS_ERR_FORMAT,
                        "joint %s needs 'between: [from, to]', two coordinates", name);
  }
  struct fy_node *end[2] = { ms_yaml_next_item(between, &at), NULL };
  end[1] = ms_yaml_next_item(between, &at);
  for (int side = 0; side < 2; side++) {
    void *in = NULL;
    if (n_axis > 1 && (!ms_yaml_is_sequence(end[side]) || ms_yaml_count(end[side]) != n_axis)) {
      return ms_yaml_fail(
          b->y, between, MS_ERR_FORMAT,
          "joint %s has %d axes: write between: [[a, b], [c, d]], one coordinate per "
          "axis",
          name, n_axis);
    }
    for (int a = 0; a < n_axis; a++) {
      struct fy_node *c = n_axis > 1 ? ms_yaml_next_item(end[side], &in) : end[side];
      MS_TRY(find_coordinate(b, c, side ? &to[a] : &from[a]));
    }
  }
  return at_node(b, between, ms_structure_take_joint(b->structure, name, joint, from, to));
}

static ms_status build_joint(builder *b, struct fy_node *key, struct fy_node *node) {
  const char *name;
  ms_joint *joint = NULL;
  MS_TRY(ms_yaml_text(b->y, key, "a joint's name", &name));
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(b->y, key, MS_ERR_FORMAT,
                        "joint %s must be a mapping, e.g. {law: iwan4, between: [u2, u3], ...}",
                        name);
  }
  struct fy_node *laws = ms_yaml_get(node, "laws");
  if (laws) MS_TRY(ms_yaml_check_keys(b->y, node, "a joint with laws", parallel_keys, 2));
  ms_status status = laws ? build_laws(b, laws, &joint) : build_law(b, node, &joint);
  if (status == MS_SUCCESS) status = seat_joint(b, name, node, &joint);
  ms_joint_destroy(&joint);
  return status;
}

static ms_status build_joints(builder *b, struct fy_node *node) {
  void *at = NULL;
  if (!node) return MS_SUCCESS;
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT, "joints must be a mapping of names");
  }
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    MS_TRY(build_joint(b, key, value));
  }
  return MS_SUCCESS;
}

/* ---- the whole ---- */

static const ms_key structure_keys[] = {
  { "chain", "mapping", "masses and springs in a row", 0 },
  { "matrices", "mapping", "mass and stiffness matrices", 0 },
  { "damping", "mapping", "modal, rayleigh or matrix", 0 },
};

/* Frequencies outside of all engineering point to mistaken units. */
static ms_status check_frequencies(const builder *b, struct fy_node *node) {
  ms_modes m = ms_structure_get_stuck(b->structure);
  double highest = m.omega[m.n - 1], lowest = highest;
  for (ptrdiff_t r = m.n - 1; r >= 0 && m.omega[r] > 0.0; r--) lowest = m.omega[r];
  if (highest < 1e10 && (lowest > 1e-6 || highest == 0.0)) return MS_SUCCESS;
  return ms_yaml_fail(
      b->y, node, MS_ERR_ARGUMENT,
      "frequencies from %.3g to %.3g rad/s are absurd for a structure; are the units "
      "right? With mm, N and s masses are in tonne",
      lowest, highest);
}

static ms_status build_all(builder *b, struct fy_node *root) {
  struct fy_node *node = ms_yaml_get(root, "structure");
  MS_TRY(ms_yaml_check_keys(b->y, node, "structure", structure_keys, 3));
  struct fy_node *chain = ms_yaml_get(node, "chain"), *matrices = ms_yaml_get(node, "matrices");
  if (!chain == !matrices) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT, "structure needs one of chain and matrices");
  }
  MS_TRY(chain ? build_chain(b, chain) : build_matrices(b, matrices));
  MS_TRY(build_joints(b, ms_yaml_get(root, "joints")));
  MS_TRY(build_damping(b, ms_yaml_get(node, "damping")));
  MS_TRY(at_node(b, node, ms_structure_setup(b->structure)));
  return check_frequencies(b, node);
}

ms_status ms_study_build(const ms_study *study, ms_context *ctx, ms_structure **out) {
  builder b = { .study = study, .y = &study->yaml, .ctx = ctx, .units = &study->units };
  ms_status status = build_all(&b, ms_yaml_root(&study->yaml));
  ms_dofs_free(ctx, &b.dofs);
  if (status != MS_SUCCESS) {
    ms_structure_destroy(&b.structure);
    return status;
  }
  *out = b.structure;
  return MS_SUCCESS;
}
