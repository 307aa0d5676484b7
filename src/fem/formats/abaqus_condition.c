/* Abaqus input files: supports, equations, ties and couplings, with names as the file has them. */
#include "fem/formats/abaqus.h"

#include <string.h>

enum { ALL = 63, TRANSLATIONS = 7 };

static ms_abaqus_condition *latest(ms_abaqus *a) {
  return &a->condition[a->n_condition - 1];
}

static ms_status add(ms_abaqus *a, ms_condition_kind kind) {
  MS_TRY(ms_grow(a->ctx, a->n_condition + 1, &a->condition_capacity, sizeof *a->condition,
                 &a->condition));
  a->condition[a->n_condition++] = (ms_abaqus_condition) { .kind = kind, .place = a->place };
  return MS_SUCCESS;
}

/* Numbers 1 to 6 are coordinates; others are temperatures and the like. */
static ms_status take_component(ms_abaqus *a, ms_span field, int *out) {
  ptrdiff_t value;
  MS_TRY(ms_abaqus_integer(a, field, "degree of freedom", &value));
  if (value < 1 || value > 6) {
    return MS_ABAQUS_FAIL(a, "*%s: degree of freedom %td; it must be 1 to 6", a->key, value);
  }
  *out = (int)value - 1;
  return MS_SUCCESS;
}

static int range(int first, int last) {
  int bits = 0;
  for (int i = first; i <= last; i++) bits |= 1 << i;
  return bits;
}

/* ---- *BOUNDARY ---- */

static const struct {
  const char *name;
  int components;
} supports[] = {
  { "ENCASTRE", ALL },      { "PINNED", TRANSLATIONS }, { "XSYMM", 1 | 16 | 32 },
  { "YSYMM", 2 | 8 | 32 },  { "ZSYMM", 4 | 8 | 16 },    { "XASYMM", 2 | 4 | 8 },
  { "YASYMM", 1 | 4 | 16 }, { "ZASYMM", 1 | 2 | 32 },
};

static ms_status begin_boundary(ms_abaqus *a) {
  ms_span type;
  MS_TRY(ms_abaqus_refuse(a, "SUBMODEL USER FIXED BASE_NAME"));
  if (!ms_abaqus_parameter(a, "TYPE", &type) || ms_abaqus_is(type, "DISPLACEMENT")) {
    return MS_SUCCESS;
  }
  return MS_ABAQUS_FAIL(a, "*BOUNDARY: TYPE must be DISPLACEMENT");
}

static ms_status data_boundary(ms_abaqus *a, ms_span line) {
  ms_span nodes, field;
  int first = 0, last;
  MS_TRY(add(a, MS_CONDITION_FIX));
  ms_abaqus_field(&line, &nodes);
  MS_TRY(ms_abaqus_copy(a, nodes, &latest(a)->nodes));
  ms_abaqus_field(&line, &field);
  for (size_t i = 0; i < sizeof supports / sizeof supports[0]; i++) {
    latest(a)->components = supports[i].components;
    if (ms_abaqus_is(field, supports[i].name)) return MS_SUCCESS;
  }
  MS_TRY(take_component(a, field, &first));
  last = first;
  if (ms_abaqus_field(&line, &field) && field.begin < field.end) {
    MS_TRY(take_component(a, field, &last));
  }
  latest(a)->components = range(first, last);
  if (last < first) return MS_ABAQUS_FAIL(a, "*BOUNDARY: the last degree of freedom is lower");
  return ms_abaqus_numbers(a, line, 1, &latest(a)->value, NULL);
}

/* ---- *EQUATION ---- */

static ms_status take_term(ms_abaqus *a, ms_span *line) {
  ms_span node, dof, factor;
  ms_abaqus_condition *c = latest(a);
  int component = 0;
  double value;
  ms_abaqus_field(line, &node);
  ms_abaqus_field(line, &dof);
  ms_abaqus_field(line, &factor);
  MS_TRY(take_component(a, dof, &component));
  MS_TRY(ms_abaqus_numbers(a, factor, 1, &value, NULL));
  MS_TRY(ms_grow(a->ctx, c->n_term + 1, &c->capacity, sizeof *c->term, &c->term));
  c->term[c->n_term] = (ms_abaqus_term) { NULL, component, value };
  MS_TRY(ms_abaqus_copy(a, node, &c->term[c->n_term].node));
  c->n_term++;
  return MS_SUCCESS;
}

/* The number of terms, then as many of them, over lines. */
static ms_status data_equation(ms_abaqus *a, ms_span line) {
  ptrdiff_t n;
  ms_span field;
  if (a->n_pending == 0) {
    ms_abaqus_field(&line, &field);
    MS_TRY(ms_abaqus_integer(a, field, "number of terms", &n));
    if (n < 1 || n > INT16_MAX) return MS_ABAQUS_FAIL(a, "*EQUATION of %td terms", n);
    MS_TRY(add(a, MS_CONDITION_EQUATION));
    latest(a)->n_wanted = a->n_pending = (int)n;
    return MS_SUCCESS;
  }
  while (line.begin < line.end) {
    if (a->n_pending-- == 0) return MS_ABAQUS_FAIL(a, "*EQUATION: more terms than declared");
    MS_TRY(take_term(a, &line));
  }
  return MS_SUCCESS;
}

static ms_status begin_equation(ms_abaqus *a) {
  a->n_pending = 0;
  return ms_abaqus_refuse(a, "INPUT");
}

static ms_status end_equation(ms_abaqus *a) {
  if (a->n_pending == 0) return MS_SUCCESS;
  return MS_ABAQUS_FAIL_AT(a, latest(a)->place, "*EQUATION: %d of its %d terms are missing",
                           a->n_pending, latest(a)->n_wanted);
}

/* ---- *MPC ---- */

/* The first node, or all of a set, follow the second. */
static ms_status data_mpc(ms_abaqus *a, ms_span line) {
  ms_span type, nodes, reference, more;
  ms_abaqus_field(&line, &type);
  ms_abaqus_field(&line, &nodes);
  ms_abaqus_field(&line, &reference);
  int beam = ms_abaqus_is(type, "BEAM"), tie = ms_abaqus_is(type, "TIE");
  if (!beam && !tie && !ms_abaqus_is(type, "PIN")) {
    char shown[MS_IO_EXCERPT_SIZE];
    return MS_ABAQUS_FAIL(a, "*MPC: type '%s' is not read; it must be BEAM, TIE or PIN",
                          ms_io_excerpt(type, shown));
  }
  if (reference.begin == reference.end ||
      (ms_abaqus_field(&line, &more) && more.begin < more.end)) {
    return MS_ABAQUS_FAIL(a, "*MPC: a line must be the type, nodes, and the node they follow");
  }
  MS_TRY(add(a, beam ? MS_CONDITION_RIGID : MS_CONDITION_EQUATION));
  latest(a)->components = ALL;
  latest(a)->equal = beam ? 0 : tie ? 6 : 3;
  MS_TRY(ms_abaqus_copy(a, nodes, &latest(a)->nodes));
  return ms_abaqus_copy(a, reference, &latest(a)->reference);
}

static ms_status begin_mpc(ms_abaqus *a) {
  return ms_abaqus_refuse(a, "INPUT MODE USER");
}

/* ---- *COUPLING ---- */

static ms_status begin_coupling(ms_abaqus *a) {
  MS_TRY(ms_abaqus_refuse(a, "INFLUENCE_RADIUS ORIENTATION ALPHA ADJUST"));
  MS_TRY(add(a, MS_CONDITION_IGNORED)); /* until the next keyword says how */
  MS_TRY(ms_abaqus_want(a, "CONSTRAINT NAME", &latest(a)->name));
  MS_TRY(ms_abaqus_need(a, "REF NODE", &latest(a)->reference));
  return ms_abaqus_need(a, "SURFACE", &latest(a)->faces);
}

static int is_open_coupling(ms_abaqus *a) {
  return a->n_condition > 0 && latest(a)->kind == MS_CONDITION_IGNORED && latest(a)->reference;
}

static ms_status begin_kinematic(ms_abaqus *a) {
  if (!is_open_coupling(a)) return MS_ABAQUS_FAIL(a, "*%s without *COUPLING before it", a->key);
  latest(a)->kind = MS_CONDITION_RIGID;
  return MS_SUCCESS;
}

static ms_status begin_distributing(ms_abaqus *a) {
  ms_span method;
  if (ms_abaqus_parameter(a, "WEIGHTING METHOD", &method) && !ms_abaqus_is(method, "UNIFORM")) {
    return MS_ABAQUS_FAIL(a, "*DISTRIBUTING: WEIGHTING METHOD must be UNIFORM");
  }
  MS_TRY(begin_kinematic(a));
  latest(a)->kind = MS_CONDITION_AVERAGE;
  return MS_SUCCESS;
}

/* First and last degree of freedom; without such lines all. */
static ms_status data_kinematic(ms_abaqus *a, ms_span line) {
  ms_span field;
  int first = 0, last;
  ms_abaqus_field(&line, &field);
  MS_TRY(take_component(a, field, &first));
  last = first;
  if (ms_abaqus_field(&line, &field) && field.begin < field.end) {
    MS_TRY(take_component(a, field, &last));
  }
  latest(a)->components |= range(first, last);
  return MS_SUCCESS;
}

static ms_status end_kinematic(ms_abaqus *a) {
  if (latest(a)->components == 0) latest(a)->components = ALL;
  return MS_SUCCESS;
}

/* ---- *TIE ---- */

static ms_status begin_tie(ms_abaqus *a) {
  return ms_abaqus_refuse(a, "TIED_NSET CYCLIC_SYMMETRY TYPE CONSTRAINT_RATIO");
}

static ms_status data_tie(ms_abaqus *a, ms_span line) {
  ms_span value, slave, master;
  ms_abaqus_field(&line, &slave);
  ms_abaqus_field(&line, &master);
  if (master.begin == master.end) return MS_ABAQUS_FAIL(a, "*TIE: needs two surfaces in a line");
  MS_TRY(add(a, MS_CONDITION_TIE));
  latest(a)->components = ALL;
  MS_TRY(ms_abaqus_want(a, "NAME", &latest(a)->name));
  MS_TRY(ms_abaqus_copy(a, slave, &latest(a)->slave));
  MS_TRY(ms_abaqus_copy(a, master, &latest(a)->faces));
  if (!ms_abaqus_parameter(a, "POSITION TOLERANCE", &value)) return MS_SUCCESS;
  return ms_abaqus_numbers(a, value, 1, &latest(a)->reach, NULL);
}

const ms_abaqus_keyword ms_abaqus_condition_keywords[] = {
  { "BOUNDARY", begin_boundary, data_boundary, NULL, 0 },
  { "EQUATION", begin_equation, data_equation, end_equation, 0 },
  { "MPC", begin_mpc, data_mpc, NULL, 0 },
  { "COUPLING", begin_coupling, NULL, NULL, 0 },
  { "KINEMATIC", begin_kinematic, data_kinematic, end_kinematic, 0 },
  { "DISTRIBUTING", begin_distributing, data_kinematic, end_kinematic, 0 },
  { "TIE", begin_tie, data_tie, NULL, 0 },
};
const int ms_abaqus_n_condition_keywords =
    sizeof ms_abaqus_condition_keywords / sizeof ms_abaqus_condition_keywords[0];
