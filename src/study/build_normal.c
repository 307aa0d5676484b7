/* joints: NAME: {..., normal: {...}}: the spring whose load a law feels. */
#include <microslip/hertz.h>
#include <string.h>

#include "joint/loaded.h"
#include "study/build.h"

static const ms_param keys[] = {
  MS_KEY("between", "list", "[from, to] across the contact: what closes it is positive", 1),
  MS_KEY("K_n", "number", "stiffness of the closed contact", 0),
  MS_KEY("hertz", "mapping", "or that of a cylinder on a plane, at the preload", 0),
  MS_KEY("preload", "number", "normal load at rest", 1),
  MS_KEY("reference", "number", "load at which the law has its parameters; the preload", 0),
  MS_KEY("stiffness", "word, list or mapping",
         "constant, proportional, coefficients of a polynomial in the load, or {load, values}", 0),
};

static const ms_param hertz_keys[] = {
  MS_KEY("radius", "number", "of the cylinder", 1),
  MS_KEY("length", "number", "of the line along which it touches", 1),
  MS_KEY("E", "number", "Young's modulus of both bodies", 1),
  MS_KEY("nu", "number", "their Poisson's ratio", 1),
};

static const ms_param table_keys[] = {
  MS_KEY("load", "list", "normal loads, rising", 1),
  MS_KEY("values", "list", "stiffness at these, in any unit", 1),
};

/* What the file says; the lists are ours to free. */
typedef struct normal_lists {
  double *coefficient, *load, *values;
} normal_lists;

static const double proportional[2] = { 0.0, 1.0 };

static ms_status read_number(const ms_builder *b, struct fy_node *node, const char *key,
                             const char *unit, double *out) {
  struct fy_node *value = ms_yaml_get(node, key);
  if (!value) return MS_SUCCESS;
  MS_TRY(ms_yaml_number(b->y, value, key, out));
  *out *= ms_units_factor(b->units, unit);
  return MS_SUCCESS;
}

static ms_status read_word(const ms_builder *b, struct fy_node *node, ms_joint_normal *out) {
  const char *word;
  MS_TRY(ms_yaml_text(b->y, node, "stiffness", &word));
  if (strcmp(word, "constant") == 0) return MS_SUCCESS;
  if (strcmp(word, "proportional") != 0) {
    return ms_yaml_fail(b->y, node, MS_ERR_NAME,
                        "stiffness '%s' is none of constant, proportional, a list of coefficients "
                        "and {load: [...], values: [...]}",
                        word);
  }
  out->n_coefficient = 2;
  out->coefficient = proportional;
  return MS_SUCCESS;
}

/* Coefficient i is in stiffness over load^i. */
static ms_status read_polynomial(const ms_builder *b, struct fy_node *node, normal_lists *lists,
                                 ms_joint_normal *out) {
  const double load = ms_units_factor(b->units, "N");
  ptrdiff_t n = 0;
  double scale = 1.0;
  MS_TRY(ms_yaml_numbers(b->y, node, "stiffness", &lists->coefficient, &n));
  for (ptrdiff_t i = 0; i < n; i++, scale /= load) lists->coefficient[i] *= scale;
  out->n_coefficient = (int)n;
  out->coefficient = lists->coefficient;
  return MS_SUCCESS;
}

static ms_status read_table(const ms_builder *b, struct fy_node *node, normal_lists *lists,
                            ms_joint_normal *out) {
  const double load = ms_units_factor(b->units, "N");
  ptrdiff_t n = 0;
  MS_TRY(ms_yaml_check_keys(b->y, node, "stiffness against load", table_keys, 2));
  MS_TRY(ms_yaml_numbers(b->y, ms_yaml_get(node, "load"), "load", &lists->load, &out->rows));
  MS_TRY(ms_yaml_numbers(b->y, ms_yaml_get(node, "values"), "values", &lists->values, &n));
  if (n != out->rows) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT, "%td loads and %td values: one for each",
                        out->rows, n);
  }
  for (ptrdiff_t i = 0; i < n; i++) lists->load[i] *= load;
  out->N = lists->load;
  out->s = lists->values;
  return MS_SUCCESS;
}

static ms_status read_stiffness(const ms_builder *b, struct fy_node *node, normal_lists *lists,
                                ms_joint_normal *out) {
  if (!node) return MS_SUCCESS;
  if (ms_yaml_is_sequence(node)) return read_polynomial(b, node, lists, out);
  if (ms_yaml_is_mapping(node)) return read_table(b, node, lists, out);
  return read_word(b, node, out);
}

/* The tangent at the preload. */
static ms_status read_hertz(const ms_builder *b, struct fy_node *node, ms_joint_normal *out) {
  ms_hertz_line line;
  ms_hertz_answer answer;
  MS_TRY(ms_yaml_check_keys(b->y, node, "hertz", hertz_keys, 4));
  MS_TRY(read_number(b, node, "radius", "m", &line.radius));
  MS_TRY(read_number(b, node, "length", "m", &line.length));
  MS_TRY(read_number(b, node, "E", "N/m^2", &line.E));
  MS_TRY(read_number(b, node, "nu", "-", &line.nu));
  MS_TRY(ms_build_at(b, node, ms_hertz_line_at(b->ctx, &line, out->N_0, &answer)));
  out->K_n = answer.tangent;
  return MS_SUCCESS;
}

static ms_status read_spring(const ms_builder *b, struct fy_node *node, ms_joint_normal *out) {
  struct fy_node *hertz = ms_yaml_get(node, "hertz");
  if (!hertz == !ms_yaml_get(node, "K_n")) {
    return ms_yaml_fail(b->y, hertz ? hertz : node, MS_ERR_FORMAT,
                        hertz ? "K_n and hertz exclude each other: hertz is a way to find K_n"
                              : "a normal spring needs one of K_n and hertz");
  }
  return hertz ? read_hertz(b, hertz, out) : read_number(b, node, "K_n", "N/m", &out->K_n);
}

static void free_lists(ms_context *ctx, normal_lists *lists) {
  ms_free(ctx, &lists->coefficient);
  ms_free(ctx, &lists->load);
  ms_free(ctx, &lists->values);
}

static ms_status find_ratio(const ms_builder *b, struct fy_node *node, const ms_joint_normal *n,
                            double *out) {
  ms_load_curve curve = { .n = 0 };
  double slope;
  ms_status status = ms_load_curve_open(b->ctx, n, &curve);
  if (status == MS_SUCCESS) *out = ms_load_curve_eval(&curve, n->N_0, &slope);
  ms_load_curve_close(b->ctx, &curve);
  return ms_build_at(b, node, status);
}

ms_status ms_build_stiffness_ratio(const ms_builder *b, struct fy_node *node, double from,
                                   double to, double *out) {
  normal_lists lists = { NULL, NULL, NULL };
  ms_joint_normal normal = { .K_n = 1.0, .N_0 = to, .N_ref = from };
  ms_status status = read_stiffness(b, node, &lists, &normal);
  if (status == MS_SUCCESS) status = find_ratio(b, node, &normal, out);
  free_lists(b->study->ctx, &lists);
  return status;
}

static ms_status load_law(const ms_builder *b, struct fy_node *node, normal_lists *lists,
                          ms_joint **joint) {
  ms_joint_normal normal = { .K_n = 0.0 };
  ms_joint *loaded = NULL;
  MS_TRY(read_number(b, node, "preload", "N", &normal.N_0));
  MS_TRY(read_spring(b, node, &normal));
  normal.N_ref = normal.N_0;
  MS_TRY(read_number(b, node, "reference", "N", &normal.N_ref));
  MS_TRY(read_stiffness(b, ms_yaml_get(node, "stiffness"), lists, &normal));
  MS_TRY(ms_build_at(b, node, ms_joint_create_loaded(b->ctx, joint, &normal, &loaded)));
  *joint = loaded;
  return MS_SUCCESS;
}

ms_status ms_build_normal(const ms_builder *b, struct fy_node *node, ms_joint **joint) {
  normal_lists lists = { NULL, NULL, NULL };
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT,
                        "normal must be a mapping, e.g. {between: [ground, y], K_n: 1e7, "
                        "preload: 100}");
  }
  MS_TRY(ms_yaml_check_keys(b->y, node, "a normal spring", keys, 6));
  const ms_units about = ms_units_about(b->units);
  ms_builder own = *b;
  if (ms_names_are_rotations(ms_yaml_get(node, "between"))) own.units = &about;
  ms_status status = load_law(&own, node, &lists, joint);
  free_lists(b->study->ctx, &lists);
  return status;
}
