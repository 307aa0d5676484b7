/* structure: matrices. Mass and stiffness in the file or beside it. */
#include <string.h>

#include <microslip/io.h>

#include "study/model/build.h"
#include "study/file/model_keys.h"

typedef struct options {
  struct fy_node *coordinates, *mass, *stiffness, *positions, *lines;
  const char *dofs;
} options;

static const ms_param keys[] = {
  MS_FORMS(options, coordinates, "list of words", MS_ELSE("u1, u2, ..."),
           "names of the degrees of freedom, in the order of the matrices"),
  MS_PATH(options, dofs, MS_OPTIONAL,
          "file with node and degree of freedom of each row, from which the names are made"),
  MS_FORMS(options, mass, MS_FORMS_MATRIX, MS_REQUIRED,
           "symmetric (to 1e-9 of the largest entry), positive definite"),
  MS_FORMS(options, stiffness, MS_FORMS_MATRIX, MS_REQUIRED,
           "symmetric, not indefinite; force/length"),
  MS_FORMS_WITH(options, positions, "file or mapping", ms_positions_keys, MS_OPTIONAL,
                "where points are, so that mode shapes can be drawn: name: [x, y, z], or a table "
                "with the columns name, x, y, z"),
  MS_FORMS(options, lines, "list", MS_OPTIONAL, "lines of that picture, each [point, point]"),
};

const ms_param_list ms_matrices_keys = MS_LIST_OF(keys);

/* A matrix is rows, a flat list that is its diagonal, or the name of a file. *n is 0 at first; then
   sizes must agree. */
typedef struct matrix_request {
  const char *what; /* for messages */
  struct fy_node *node;
  ptrdiff_t *n;
  double **out;
} matrix_request;

static ms_status check_size(const ms_builder *b, const matrix_request *r, ptrdiff_t rows,
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

static ms_status find_named_file(const ms_builder *b, struct fy_node *node, const char *what,
                                 char **path) {
  const char *name;
  MS_TRY(ms_yaml_text(b->y, node, what, &name));
  return ms_yaml_path(&b->study->yaml, name, path);
}

/* The size of a Matrix Market file stands in its second line, whatever is behind that: memory is
   looked at before the matrix is full. A file with labels is read on common ones. */
static ms_status read_full(const ms_builder *b, struct fy_node *node, const char *path,
                           ptrdiff_t *rows, ptrdiff_t *columns, double **out) {
  ms_triplets t;
  const size_t length = strlen(path);
  const int labelled = b->sorted && ms_matrix_has_labels(path);
  if (!labelled && (length <= 4 || strcmp(path + length - 4, ".mtx") != 0)) {
    return ms_matrix_read(b->ctx, path, rows, columns, out);
  }
  MS_TRY(labelled ? ms_triplets_read_on(b->ctx, path, &b->dofs, &t)
                  : ms_triplets_read(b->ctx, path, &t));
  *rows = t.n_row;
  *columns = t.n_col;
  const double largest = (double)(t.n_row > t.n_col ? t.n_row : t.n_col);
  ms_status status = ms_memory_check_coordinates(b->study, node, largest);
  if (status == MS_SUCCESS) status = ms_triplets_to_dense(b->ctx, &t, out);
  ms_triplets_free(b->ctx, &t);
  return status;
}

static ms_status read_matrix_file(const ms_builder *b, const matrix_request *r) {
  char *path;
  ptrdiff_t rows, columns;
  MS_TRY(find_named_file(b, r->node, r->what, &path));
  ms_status status = read_full(b, r->node, path, &rows, &columns, r->out);
  ms_free(b->study->ctx, &path);
  if (status == MS_ERR_BOUNDS) return status; /* of memory: has its place */
  MS_TRY(ms_build_at(b, r->node, status));
  return check_size(b, r, rows, columns);
}

static ms_status read_row(const ms_builder *b, const matrix_request *r, struct fy_node *row,
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

static ms_status read_matrix_rows(const ms_builder *b, const matrix_request *r) {
  void *at = NULL, *first = NULL;
  ptrdiff_t size = ms_yaml_count(r->node), i = 0;
  MS_TRY(check_size(b, r, size, size));
  MS_TRY(ms_memory_check_coordinates(b->study, r->node, (double)size));
  MS_TRY(ms_allocate(b->ctx, size * size, sizeof **r->out, r->out));
  int diagonal = ms_yaml_is_scalar(ms_yaml_next_item(r->node, &first));
  for (struct fy_node *item; (item = ms_yaml_next_item(r->node, &at)); i++) {
    MS_TRY(diagonal ? ms_yaml_number(b->y, item, r->what, &(*r->out)[i + size * i])
                    : read_row(b, r, item, i));
  }
  return MS_SUCCESS;
}

ms_status ms_build_read_matrix(const ms_builder *b, struct fy_node *node, const char *what,
                               ptrdiff_t *n, double **out) {
  matrix_request r = { what, node, n, out };
  *out = NULL;
  if (ms_yaml_is_scalar(node)) return read_matrix_file(b, &r);
  if (ms_yaml_is_sequence(node) && ms_yaml_count(node) > 0) return read_matrix_rows(b, &r);
  return ms_yaml_fail(b->y, node, MS_ERR_FORMAT,
                      "%s must be a list of rows, the diagonal as one list, or the name of a .mtx "
                      "or .csv file",
                      what);
}

static ms_status create_with_names(ms_builder *b, struct fy_node *names, ptrdiff_t n) {
  enum { MAX_NAMES = 4096 };
  const char *list[MAX_NAMES];
  void *at = NULL;
  if (!names) return ms_build_at(b, NULL, ms_structure_create(b->ctx, n, NULL, &b->structure));
  if (!ms_yaml_is_sequence(names) || ms_yaml_count(names) != n || n > MAX_NAMES) {
    return ms_yaml_fail(b->y, names, MS_ERR_FORMAT,
                        "coordinates must name all %td degrees of freedom", n);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    struct fy_node *item = ms_yaml_next_item(names, &at);
    MS_TRY(ms_yaml_text(b->y, item, "a degree of freedom", &list[i]));
    int taken = strcmp(list[i], "ground") == 0;
    for (ptrdiff_t k = 0; k < i; k++) taken |= strcmp(list[k], list[i]) == 0;
    if (!taken) continue;
    return ms_yaml_fail(b->y, item, MS_ERR_NAME, "the name '%s' is taken already", list[i]);
  }
  return ms_build_at(b, names, ms_structure_create(b->ctx, n, list, &b->structure));
}

/* Names from the labels, n12.x. */
static ms_status create_with_labels(ms_builder *b, struct fy_node *node, ptrdiff_t n) {
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
  return ms_build_at(b, node, status);
}

/* By the label of its row, or by its name. */
static int is_rotation(const ms_builder *b, ptrdiff_t i, ptrdiff_t n) {
  const int dof = b->dofs.n == n ? b->dofs.dof[i].dof : 0;
  return (dof >= 4 && dof <= 6) || ms_name_is_rotation(ms_structure_get_name(b->structure, i));
}

void ms_build_scale(const ms_builder *b, double *A, ptrdiff_t n, double factor) {
  double length = b->units->length;
  for (ptrdiff_t i = 0; i < n * n; i++) A[i] *= factor;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (length == 1.0 || !is_rotation(b, i, n)) continue;
    for (ptrdiff_t j = 0; j < n; j++) {
      A[i + n * j] *= length;
      A[j + n * i] *= length;
    }
  }
}

static ms_status set_matrices(ms_builder *b, struct fy_node *node, const options *o, double *M,
                              double *K, ptrdiff_t n) {
  MS_TRY(b->dofs.n && !o->coordinates ? create_with_labels(b, node, n)
                                      : create_with_names(b, o->coordinates, n));
  ms_build_scale(b, M, n, b->units->mass);
  ms_build_scale(b, K, n, b->units->force / b->units->length);
  MS_TRY(ms_build_at(b, o->mass, ms_structure_set_mass(b->structure, M)));
  return ms_build_at(b, o->stiffness, ms_structure_set_stiffness(b->structure, K));
}

/* The labels that mass and stiffness have, if both have. */
static ms_status join_labels(ms_builder *b, struct fy_node *mass, struct fy_node *stiffness) {
  char *first, *second;
  if (!ms_yaml_is_scalar(mass) || !ms_yaml_is_scalar(stiffness)) return MS_SUCCESS;
  MS_TRY(find_named_file(b, mass, "mass", &first));
  ms_status status = find_named_file(b, stiffness, "stiffness", &second);
  if (status == MS_SUCCESS) {
    b->sorted = ms_matrix_has_labels(first) && ms_matrix_has_labels(second);
    if (b->sorted) status = ms_dofs_join_files(b->ctx, first, second, &b->dofs);
    ms_free(b->study->ctx, &second);
    status = ms_build_at(b, mass, status);
  }
  ms_free(b->study->ctx, &first);
  return status;
}

ms_status ms_build_matrices(ms_builder *b, struct fy_node *node) {
  ptrdiff_t n = 0;
  double *M = NULL, *K = NULL;
  options o = { 0 };
  MS_TRY(ms_options_read_mapping(b->study, b->units, node, "matrices", &ms_matrices_keys, &o));
  ms_status status = MS_SUCCESS;
  if (o.dofs) {
    char *path;
    MS_TRY(ms_yaml_path(&b->study->yaml, o.dofs, &path));
    status = ms_build_at(b, ms_yaml_get(node, "dofs"), ms_dofs_read(b->ctx, path, &b->dofs));
    ms_free(b->study->ctx, &path);
  } else {
    status = join_labels(b, o.mass, o.stiffness);
  }
  if (status == MS_SUCCESS) status = ms_build_read_matrix(b, o.mass, "mass", &n, &M);
  if (status == MS_SUCCESS) status = ms_build_read_matrix(b, o.stiffness, "stiffness", &n, &K);
  if (status == MS_SUCCESS) status = set_matrices(b, node, &o, M, K, n);
  if (status == MS_SUCCESS) {
    ms_points_of points;
    status = ms_build_points(b, o.positions, o.lines, &points);
    ms_points_free(b->study->ctx, &points);
  }
  ms_free(b->ctx, &M);
  ms_free(b->ctx, &K);
  return status;
}
