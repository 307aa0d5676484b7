/* structure: matrices. Mass and stiffness in the file or beside it. */
#include <string.h>

#include <microslip/io.h>

#include "io/yaml/matrix.h"
#include "structure/labels.h"
#include "study/model/build.h"
#include "study/file/model_keys.h"

typedef struct options {
  struct fy_node *coordinates, *mass, *stiffness, *positions, *lines, *faces, *contacts, *preload;
  const char *dofs;
} options;

static const ms_param faces_row[] = { MS_EACH(
    "file or list", NULL,
    "triangles and quadrangles, each [point, point, point, point], anticlockwise as seen from "
    "outside; a file has the columns n1 to n4, n4 = 0 in a triangle") };

static const ms_param keys[] = {
  MS_FORMS(options, coordinates, "list of words", MS_ELSE("u1, u2, ..."),
           "names of the degrees of freedom, in the order of the matrices"),
  MS_PATH(options, dofs, MS_OPTIONAL,
          "file with node and degree of freedom of each row, from which the names are made"),
  MS_FORMS(options, mass, MS_FORMS_MATRIX, MS_REQUIRED,
           "symmetric (to 1e-9 of the largest entry), positive definite"),
  MS_FORMS(options, stiffness, MS_FORMS_MATRIX, MS_REQUIRED,
           "symmetric, not indefinite; force/length"),
  MS_FORMS_WITH(options, positions, "file or mapping", ms_places_keys, MS_OPTIONAL,
                "where points are, so that mode shapes can be drawn: name: [x, y, z], or a table "
                "with the columns name, x, y, z"),
  MS_FORMS(options, lines, "list", MS_OPTIONAL, "lines of that picture, each [point, point]"),
  MS_MAPPING(options, faces, MS_ROWS(faces_row), MS_OPTIONAL, "faces between these points by name"),
  MS_MAPPING(options, contacts, ms_contacts_keys, MS_OPTIONAL,
             "contacts by name: faces that open, stick and slip on each other"),
  MS_FORMS_WITH(options, preload, "list of mappings", ms_preload_keys, MS_OPTIONAL,
                "stages in which forces press the contacts together, in this order"),
};

const ms_param_list ms_matrices_keys = MS_LIST_OF(keys);

/* The memory that a matrix takes is looked at before it is full. */
static ms_status check_memory(const void *study, struct fy_node *node, ptrdiff_t n) {
  const ms_study *s = study;
  return ms_yaml_check_coordinates(&s->yaml, node, (double)n, s->memory);
}

ms_status ms_build_read_matrix(const ms_builder *b, struct fy_node *node, const char *what,
                               ptrdiff_t *n, double **out) {
  const ms_matrix_source from = { b->y, b->ctx, b->sorted ? &b->dofs : NULL, check_memory,
                                  b->study };
  return ms_yaml_read_matrix(&from, node, what, n, out);
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

/* Names from the labels. */
static ms_status create_with_labels(ms_builder *b, struct fy_node *node, ptrdiff_t n) {
  if (b->dofs.n == n)
    return ms_build_at(b, node, ms_structure_create_labelled(b->ctx, &b->dofs, &b->structure));
  return ms_yaml_fail(b->y, node, MS_ERR_FORMAT, "there are %td labels for %td rows", b->dofs.n, n);
}

void ms_build_scale(const ms_builder *b, double *A, ptrdiff_t n, double factor) {
  const ms_dofs *labels = b->dofs.n == n ? &b->dofs : NULL;
  ms_structure_scale(b->structure, labels, factor, b->units->length, A);
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

ms_status ms_build_matrices(ms_builder *b, struct fy_node *node) {
  ptrdiff_t n = 0;
  double *M = NULL, *K = NULL;
  options o = { 0 };
  MS_TRY(ms_options_read_mapping(b->study, b->units, node, "matrices", &ms_matrices_keys, &o));
  ms_status status = MS_SUCCESS;
  if (o.dofs) {
    char *path;
    MS_TRY(ms_yaml_path(b->y, o.dofs, &path));
    status = ms_build_at(b, ms_yaml_get(node, "dofs"), ms_dofs_read(b->ctx, path, &b->dofs));
    ms_free(b->y->ctx, &path);
  } else {
    status = ms_yaml_join_labels(b->y, b->ctx, o.mass, o.stiffness, &b->dofs);
    b->sorted = b->dofs.n > 0;
  }
  if (status == MS_SUCCESS) status = ms_build_read_matrix(b, o.mass, "mass", &n, &M);
  if (status == MS_SUCCESS) status = ms_build_read_matrix(b, o.stiffness, "stiffness", &n, &K);
  if (status == MS_SUCCESS) status = set_matrices(b, node, &o, M, K, n);
  if (status == MS_SUCCESS) status = ms_matrices_stick(b);
  if (status == MS_SUCCESS) {
    ms_points_of points;
    status = ms_build_points(b, o.positions, o.lines, &points);
    ms_points_free(b->study->ctx, &points);
  }
  ms_free(b->ctx, &M);
  ms_free(b->ctx, &K);
  return status;
}
