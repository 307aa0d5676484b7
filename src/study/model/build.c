/* From the file to a structure: coordinates, matrices, damping, joints. Every complaint names the
   place in the file. */
#include <microslip/io.h>
#include <string.h>

#include "structure/impl.h"
#include "study/model/fe/fe.h"
#include "study/file/model_keys.h"

ms_status ms_build_at(const ms_builder *b, struct fy_node *node, ms_status status) {
  return ms_yaml_fail_of(b->y, b->ctx, node, status);
}

ms_status ms_build_find(const ms_builder *b, struct fy_node *node, ptrdiff_t *out) {
  const char *name;
  MS_TRY(ms_yaml_text(b->y, node, "a degree of freedom", &name));
  return ms_build_at(b, node, ms_structure_find(b->structure, name, out));
}

/* ---- chain ---- */

typedef struct chain {
  struct fy_node *masses, *springs;
} chain;

typedef struct spring {
  struct fy_node *between;
  double k;
} spring;

/* Numbers whose unit depends on what moves are converted by their owner. */
static const ms_param mass[] = {
  MS_EACH_NUMBER(
      NULL, MS_POSITIVE,
      "mass of this degree of freedom; for a rotation the moment of inertia, mass length^2"),
};

static const ms_param spring_keys[] = {
  MS_FORMS(spring, between, "list of 2 words", MS_REQUIRED,
           "[from, to], degrees of freedom; ground is the ground"),
  MS_NUMBER(spring, k, NULL, MS_ANY, MS_REQUIRED,
            "stiffness, force/length; for rotations force length"),
};
static const ms_param_list spring_list = MS_LIST_OF(spring_keys);
static const ms_param spring_row[] = {
  MS_EACH(
      "list or mapping", &spring_list,
      "a spring, [from, to, stiffness] or a mapping; it may connect any two degrees of freedom"),
};

static const ms_param chain_rows[] = {
  MS_MAPPING(chain, masses, MS_ROWS(mass), MS_REQUIRED,
             "degree of freedom: mass, in order; at most 4096"),
  MS_FORMS_WITH(chain, springs, "list or mapping", MS_ROWS(spring_row), MS_REQUIRED,
                "springs, as a list or by name"),
};
static const ms_param_list chain_keys = MS_LIST_OF(chain_rows);

static ms_status create_named(ms_builder *b, struct fy_node *masses) {
  enum { MAX_CHAIN = 4096 };
  const char *names[MAX_CHAIN];
  ptrdiff_t n = 0;
  void *at = NULL;
  if (ms_yaml_count(masses) > MAX_CHAIN) {
    return ms_yaml_fail(b->y, masses, MS_ERR_FORMAT, "a chain has at most %d masses", MAX_CHAIN);
  }
  for (struct fy_node *key; ms_yaml_next_pair(masses, &at, &key);) {
    MS_TRY(ms_yaml_text(b->y, key, "a degree of freedom", &names[n++]));
    if (strcmp(names[n - 1], "ground") != 0) continue;
    return ms_yaml_fail(b->y, key, MS_ERR_NAME,
                        "'ground' cannot be the name of a degree of freedom");
  }
  MS_TRY(ms_yaml_check_coordinates(b->y, masses, (double)n, b->study->memory));
  return ms_build_at(b, masses, ms_structure_create(b->ctx, n, names, &b->structure));
}

/* By its name; then a mass is a moment of inertia, a stiffness that of a torsional spring. */
static int turns(const ms_builder *b, ptrdiff_t i) {
  return i != MS_GROUND && ms_name_is_rotation(ms_structure_get_name(b->structure, i));
}

/* [from, to, k], or {between: [from, to], k: k}. */
static ms_status read_spring(ms_builder *b, const char *name, struct fy_node *item) {
  spring s = { .between = item };
  void *at = NULL;
  ptrdiff_t from, to;
  const int named = ms_yaml_is_mapping(item);
  if (named)
    MS_TRY(ms_options_read_mapping(b->study, b->units, item, "a spring", &spring_list, &s));
  if (!ms_yaml_is_sequence(s.between) || ms_yaml_count(s.between) != (named ? 2 : 3)) {
    return ms_yaml_fail(b->y, item, MS_ERR_FORMAT,
                        "a spring is [from, to, stiffness] or {between: [from, to], k: stiffness}");
  }
  struct fy_node *end[2] = { ms_yaml_next_item(s.between, &at), NULL };
  end[1] = ms_yaml_next_item(s.between, &at);
  struct fy_node *value = named ? NULL : ms_yaml_next_item(item, &at);
  if (value) MS_TRY(ms_options_read_value(b->study, value, "a stiffness", &spring_keys[1], &s.k));
  double k = s.k * b->units->force / b->units->length;
  MS_TRY(ms_build_find(b, end[0], &from));
  MS_TRY(ms_build_find(b, end[1], &to));
  if (turns(b, from) || turns(b, to)) k *= b->units->length * b->units->length;
  return ms_build_at(b, item, ms_structure_add_named_spring(b->structure, name, from, to, k));
}

/* A list, or a name for each. */
static ms_status add_springs(ms_builder *b, struct fy_node *springs) {
  void *at = NULL;
  int named = ms_yaml_is_mapping(springs) && ms_yaml_count(springs) > 0;
  if (!named && !ms_yaml_is_sequence(springs)) {
    return ms_yaml_fail(b->y, springs, MS_ERR_FORMAT,
                        "springs must be a list of [from, to, k], or a mapping by name");
  }
  for (struct fy_node *key, *item;;) {
    const char *name = NULL;
    item = named ? ms_yaml_next_pair(springs, &at, &key) : ms_yaml_next_item(springs, &at);
    if (!item) return MS_SUCCESS;
    if (named) MS_TRY(ms_yaml_text(b->y, key, "a name", &name));
    MS_TRY(read_spring(b, name, item));
  }
}

static ms_status build_chain(ms_builder *b, struct fy_node *node) {
  chain o = { 0 };
  void *at = NULL;
  MS_TRY(ms_options_read_mapping(b->study, b->units, node, "chain", &chain_keys, &o));
  MS_TRY(create_named(b, o.masses));
  ptrdiff_t i = 0;
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(o.masses, &at, &key)); i++) {
    double m, arm = turns(b, i) ? b->units->length : 1.0;
    MS_TRY(ms_options_read_value(b->study, value, "a mass", &mass[0], &m));
    m *= b->units->mass * arm * arm;
    MS_TRY(ms_build_at(b, value, ms_structure_add_mass(b->structure, i, m)));
  }
  return add_springs(b, o.springs);
}

/* ---- damping ---- */

typedef struct damping {
  ms_numbers modal;
  struct fy_node *rayleigh, *matrix;
  double mass, stiffness;
} damping;

static const ms_param rayleigh_rows[] = {
  MS_NUMBER(damping, mass, "1/s", MS_NOT_NEGATIVE, MS_REQUIRED, "a"),
  MS_NUMBER(damping, stiffness, "s", MS_NOT_NEGATIVE, MS_REQUIRED, "b"),
};

static const ms_param damping_rows[] = {
  MS_NUMBERS(damping, modal, "-", MS_NOT_NEGATIVE, MS_OPTIONAL,
             "damping ratio of the stuck modes, one for all or one for each"),
  MS_MAPPING(damping, rayleigh, MS_ROWS(rayleigh_rows), MS_OPTIONAL,
             "C = a M + b K_0, K_0 the stiffness with every joint stuck"),
  MS_FORMS(damping, matrix, MS_FORMS_MATRIX, MS_OPTIONAL, "C itself, force time/length"),
};
static const ms_param_list damping_keys = MS_LIST_OF(damping_rows);

static ms_status modal_damping(ms_builder *b, struct fy_node *node, const ms_numbers *given) {
  ptrdiff_t n = ms_structure_get_size(b->structure);
  double *zeta;
  if (given->n != 1 && given->n != n && b->study->n_open == 0) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT,
                        "modal damping is one ratio or one for each of the %td modes, not %td", n,
                        given->n);
  }
  MS_TRY(ms_allocate(b->ctx, n, sizeof *zeta, &zeta));
  for (ptrdiff_t r = 0; r < n; r++) zeta[r] = given->value[r < given->n ? r : given->n - 1];
  ms_status status = ms_build_at(b, node, ms_structure_set_modal_damping(b->structure, zeta));
  ms_free(b->ctx, &zeta);
  return status;
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

static ms_status set_damping(ms_builder *b, struct fy_node *node, const damping *o) {
  struct fy_node *modal = ms_yaml_get(node, "modal");
  if (ms_yaml_count(node) != 1) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT, "damping is one of modal, rayleigh and matrix");
  }
  if (modal) return modal_damping(b, modal, &o->modal);
  if (o->matrix) return matrix_damping(b, o->matrix);
  return ms_build_at(b, o->rayleigh,
                     ms_structure_set_rayleigh_damping(b->structure, o->mass, o->stiffness));
}

static ms_status build_damping(ms_builder *b, struct fy_node *node) {
  damping o = { 0 };
  if (!node) return MS_SUCCESS;
  ms_status status =
      ms_options_read_mapping(b->study, b->units, node, "damping", &damping_keys, &o);
  if (status == MS_SUCCESS) status = set_damping(b, node, &o);
  ms_keys_free(b->study->ctx, damping_keys.param, damping_keys.n, &o);
  return status;
}

/* ---- the whole ---- */

static const ms_param structure_rows[] = {
  MS_FORMS_WITH(ms_structure_options, chain, "mapping", chain_keys, MS_OPTIONAL,
                "masses and springs"),
  MS_FORMS_WITH(ms_structure_options, matrices, "mapping", ms_matrices_keys, MS_OPTIONAL,
                "mass and stiffness matrices"),
  MS_FORMS_WITH(ms_structure_options, beam, "mapping", ms_beam_keys, MS_OPTIONAL,
                "a straight beam that bends in a plane"),
  MS_FORMS_WITH(ms_structure_options, fe, "mapping", ms_fe_keys, MS_OPTIONAL,
                "parts of finite elements; with reduce"),
  MS_FORMS_WITH(ms_structure_options, reduce, "mapping", ms_reduce_keys, MS_OPTIONAL,
                "reduction of the finite elements"),
  MS_PATH(ms_structure_options, reduced, MS_OPTIONAL,
          "a reduced model: reduced.h5 of an earlier run"),
  MS_MAPPING(ms_structure_options, substructures, ms_substructures_keys, MS_OPTIONAL,
             "sub-structures by name, each reduced separately"),
  MS_MAPPING(ms_structure_options, attached, ms_attached_keys, MS_ELSE("nothing"),
             "what a test attaches, by name: sensors, the tip of a stinger and its stiffness"),
  MS_FORMS_WITH(ms_structure_options, damping, "mapping", damping_keys, MS_ELSE("none"),
                "viscous damping of the structure without its joints"),
};

const ms_param_list ms_structure_keys = MS_LIST_OF(structure_rows);

ms_status ms_structure_read(const ms_study *s, ms_structure_options *out) {
  *out = (ms_structure_options) { 0 };
  return ms_options_read_mapping(s, &s->units, ms_yaml_get(ms_yaml_root(&s->yaml), "structure"),
                                 "structure", &ms_structure_keys, out);
}

static ms_status build_reduced(ms_builder *b, struct fy_node *node) {
  ms_reduced view = *b->study->reduced; /* the structure is the worker's */
  view.ctx = b->ctx;
  MS_TRY(ms_yaml_check_coordinates(b->y, node, (double)view.n, b->study->memory));
  MS_TRY(ms_build_at(b, node, ms_reduced_make_structure(&view, &b->structure)));
  if (b->study->has_contacts && b->study->fe) {
    ms_structure_set_contact(b->structure, &b->study->fe->family);
  }
  return MS_SUCCESS;
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
  MS_TRY(ms_build_attached(b, ms_yaml_get(node, "attached")));
  MS_TRY(build_damping(b, ms_yaml_get(node, "damping")));
  if (b->study->outline && ms_structure_get_size(b->structure) > MS_CHECK_SOLVES)
    return ms_build_at(b, node, ms_structure_outline(b->structure));
  MS_TRY(ms_build_at(b, node, ms_structure_setup(b->structure)));
  return ms_build_at(b, node, ms_structure_check_frequencies(b->structure));
}

ms_status ms_study_check_structure(const ms_study *study) {
  ms_structure_options o;
  return ms_structure_read(study, &o);
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
