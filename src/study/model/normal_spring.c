/* joints: NAME: {..., normal: {...}}: the spring whose load a law feels. */
#include <microslip/hertz.h>
#include <string.h>

#include "joint/contact/normal_load.h"
#include "study/model/build.h"
#include "study/file/model_keys.h"

/* Stiffness against load: a table, or coefficients alone in `values`. */
typedef struct load_curve {
  ms_numbers load, values;
} load_curve;

static const ms_param curve_rows[] = {
  MS_NUMBERS(load_curve, load, "N", MS_ANY, MS_REQUIRED, "normal loads, increasing"),
  MS_NUMBERS(load_curve, values, NULL, MS_ANY, MS_REQUIRED, "stiffness at these, in any unit"),
};
static const ms_param_list curve_keys = MS_LIST_OF(curve_rows);

typedef struct options {
  struct fy_node *between, *hertz, *stiffness;
  double K_n, preload, reference;
  double radius, length, E, nu; /* of hertz */
} options;

static const ms_param hertz_rows[] = {
  MS_NUMBER(options, radius, "m", MS_POSITIVE, MS_REQUIRED, "radius of the cylinder"),
  MS_NUMBER(options, length, "m", MS_POSITIVE, MS_REQUIRED, "length of the contact line"),
  MS_NUMBER(options, E, "N/m^2", MS_POSITIVE, MS_REQUIRED, "Young's modulus of both bodies"),
  { MS_AT(options, nu), .kind = MS_PARAM_NUMBER, .lower = -1.0, .upper = 0.5, .open = 1,
    MS_REQUIRED, .meaning = "their Poisson's ratio" },
};

static const ms_param keys[] = {
  MS_FORMS(options, between, "list", MS_REQUIRED,
           "[from, to] across the contact; a positive displacement presses it together"),
  MS_NUMBER(options, K_n, "N/m", MS_POSITIVE, MS_ELSE("optional"),
            "stiffness of the closed contact; this or hertz"),
  MS_MAPPING(options, hertz, MS_ROWS(hertz_rows), MS_OPTIONAL,
             "a cylinder on a plane of the same material, its stiffness at the preload"),
  { MS_AT(options, preload), .kind = MS_PARAM_NUMBER, .unit = "N", MS_NOT_NEGATIVE, MS_REQUIRED,
    .why = "surfaces do not pull",
    .meaning = "normal load at rest, provided from outside the structure" },
  MS_NUMBER(options, reference, "N", MS_POSITIVE, MS_ELSE("the preload"),
            "normal load for which the parameters of the law are given"),
  MS_FORMS_WITH(options, stiffness, "constant, proportional, list of numbers or mapping",
                curve_keys, MS_ELSE("constant"),
                "tangential stiffness against the load: a word, the coefficients c0, c1, ... of a "
                "polynomial in the load, or a table"),
};

const ms_param_list ms_normal_keys = MS_LIST_OF(keys);

static const double proportional[2] = { 0.0, 1.0 };

static ms_status read_word(const ms_builder *b, struct fy_node *node, ms_joint_normal *out) {
  const char *word;
  MS_TRY(ms_yaml_text(b->y, node, "stiffness", &word));
  if (strcmp(word, "constant") == 0) return MS_SUCCESS;
  if (strcmp(word, "proportional") != 0) {
    return ms_yaml_fail(b->y, node, MS_ERR_NAME,
                        "stiffness '%s' must be constant, proportional, a list of coefficients or "
                        "{load: [...], values: [...]}",
                        word);
  }
  out->n_coefficient = 2;
  out->coefficient = proportional;
  return MS_SUCCESS;
}

/* Coefficient i is in stiffness over load^i. */
static ms_status read_polynomial(const ms_builder *b, struct fy_node *node, load_curve *c,
                                 ms_joint_normal *out) {
  const double load = ms_units_factor(b->units, "N");
  double scale = 1.0;
  MS_TRY(ms_yaml_numbers(b->y, node, "stiffness", &c->values.value, &c->values.n));
  for (ptrdiff_t i = 0; i < c->values.n; i++, scale /= load) c->values.value[i] *= scale;
  out->n_coefficient = (int)c->values.n;
  out->coefficient = c->values.value;
  return MS_SUCCESS;
}

static ms_status read_table(const ms_builder *b, struct fy_node *node, load_curve *c,
                            ms_joint_normal *out) {
  MS_TRY(
      ms_options_read_mapping(b->study, b->units, node, "stiffness against load", &curve_keys, c));
  if (c->load.n != c->values.n) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT, "%td loads and %td values: one for each",
                        c->load.n, c->values.n);
  }
  out->rows = c->load.n;
  out->N = c->load.value;
  out->s = c->values.value;
  return MS_SUCCESS;
}

static ms_status read_stiffness(const ms_builder *b, struct fy_node *node, load_curve *c,
                                ms_joint_normal *out) {
  if (!node) return MS_SUCCESS;
  if (ms_yaml_is_sequence(node)) return read_polynomial(b, node, c, out);
  if (ms_yaml_is_mapping(node)) return read_table(b, node, c, out);
  return read_word(b, node, out);
}

ms_status ms_build_stiffness_ratio(const ms_builder *b, struct fy_node *node, double from,
                                   double to, double *out) {
  load_curve lists = { 0 };
  ms_load_curve curve = { .n = 0 };
  double slope;
  ms_joint_normal normal = { .K_n = 1.0, .N_0 = to, .N_ref = from };
  ms_status status = read_stiffness(b, node, &lists, &normal);
  if (status == MS_SUCCESS) {
    status = ms_load_curve_open(b->ctx, &normal, &curve);
    if (status == MS_SUCCESS) *out = ms_load_curve_eval(&curve, to, &slope);
    ms_load_curve_close(b->ctx, &curve);
    status = ms_build_at(b, node, status);
  }
  ms_keys_free(b->study->ctx, curve_keys.param, curve_keys.n, &lists);
  return status;
}

static ms_status load_law(const ms_builder *b, struct fy_node *node, load_curve *lists,
                          ms_joint **joint) {
  options o = { 0 };
  ms_joint *loaded = NULL;
  MS_TRY(ms_options_read_mapping(b->study, b->units, node, "a normal spring", &ms_normal_keys, &o));
  if (!o.hertz == !(o.K_n > 0.0)) {
    return ms_yaml_fail(b->y, o.hertz ? o.hertz : node, MS_ERR_FORMAT,
                        o.hertz ? "give K_n or hertz, not both: hertz computes K_n"
                                : "a normal spring needs one of K_n and hertz");
  }
  ms_joint_normal normal = { .K_n = o.K_n,
                             .N_0 = o.preload,
                             .N_ref = o.reference > 0.0 ? o.reference : o.preload };
  if (o.hertz) {
    const ms_hertz_line line = { .radius = o.radius, .length = o.length, .E = o.E, .nu = o.nu };
    ms_hertz_answer answer;
    MS_TRY(ms_build_at(b, o.hertz, ms_hertz_line_at(b->ctx, &line, o.preload, &answer)));
    normal.K_n = answer.tangent; /* at the preload */
  }
  MS_TRY(read_stiffness(b, o.stiffness, lists, &normal));
  MS_TRY(ms_build_at(b, node, ms_joint_create_loaded(b->ctx, joint, &normal, &loaded)));
  *joint = loaded;
  return MS_SUCCESS;
}

ms_status ms_build_normal(const ms_builder *b, struct fy_node *node, ms_joint **joint) {
  load_curve lists = { 0 };
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT,
                        "normal must be a mapping, e.g. {between: [ground, y], K_n: 1e7, "
                        "preload: 100}");
  }
  const ms_units about = ms_units_about(b->units);
  ms_builder own = *b;
  if (ms_names_are_rotations(ms_yaml_get(node, "between"))) own.units = &about;
  ms_status status = load_law(&own, node, &lists, joint);
  ms_keys_free(b->study->ctx, curve_keys.param, curve_keys.n, &lists);
  return status;
}
