/* Random joints: every law, its parameters from its own table, on the scale of the structure. */
#include "trials/random_studies/trial.h"

#include <math.h>
#include <string.h>

/* Typical parameters of the laws belong together at these: F = K u, and velocities that matter. */
static const double typical_force = 4000.0, typical_length = 4e-5, typical_time = 4e-3;

typedef struct powers {
  double force, length, time;
} powers;

/* Exponents of a parameter's unit; those that depend on another parameter ask the joint. */
static powers unit_powers(const char *unit, const ms_joint *joint) {
  static const struct {
    const char *unit;
    powers powers;
  } known[] = {
    { "-", { 0, 0, 0 } },    { "N", { 1, 0, 0 } },      { "N/m", { 1, -1, 0 } },
    { "m", { 0, 1, 0 } },    { "N/m^2", { 1, -2, 0 } }, { "N/m^3", { 1, -3, 0 } },
    { "1/m", { 0, -1, 0 } }, { "m/s", { 0, 1, -1 } },   { "N s/m", { 1, -1, 1 } },
  };
  double exponent = 0.0;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (!strcmp(unit, known[i].unit)) return known[i].powers;
  }
  if (!strcmp(unit, "N/m^(2+chi)") && ms_joint_get(joint, "chi", &exponent) == MS_SUCCESS)
    return (powers) { 1, -2.0 - exponent, 0 };
  if (!strcmp(unit, "m^-n") && ms_joint_get(joint, "n", &exponent) == MS_SUCCESS)
    return (powers) { 0, -exponent, 0 };
  fprintf(stderr, "random_studies: a law has the unit '%s', which joints.c does not know\n", unit);
  return (powers) { 0, 0, 0 };
}

static trial_dimension dimension_of(powers p) {
  return (trial_dimension) { p.force + p.length, p.force, p.time - 2.0 * p.force };
}

/* Force, displacement and time of one joint, and how far its parameters scatter about them. */
typedef struct scales {
  double force, length, time, spread;
} scales;

static double factor_of(powers p, const scales *s) {
  return pow(s->force / typical_force, p.force) * pow(s->length / typical_length, p.length) *
         pow(s->time / typical_time, p.time);
}

static double random_value(trial *t, const ms_param *p, const scales *s, powers unit) {
  double scatter = exp(s->spread * ms_random_normal(&t->random));
  int has_unit = unit.force != 0.0 || unit.length != 0.0 || unit.time != 0.0;
  double typical = p->typical, value;
  if (typical == 0.0) /* off by default: a small part of what there is */
    typical = 0.1 * pow(typical_force, unit.force) * pow(typical_length, unit.length) *
              pow(typical_time, unit.time);
  if (has_unit)
    value = typical * factor_of(unit, s) * scatter;
  else if (isfinite(p->lower))
    value = p->lower + (typical - p->lower) * scatter;
  else
    value = typical * scatter;
  if (!isfinite(p->lower) && trial_chance(t, 0.1)) value = -value;
  if (value >= p->upper) value = trial_uniform(t, p->lower, p->upper);
  return value;
}

static int in_set(const ms_param *p, int set) {
  return p->set == 0 || p->set == set;
}

static int count_sets(const ms_law_info *law) {
  int sets = 1;
  for (int i = 0; i < law->n_param; i++)
    if (law->param[i].set > sets) sets = law->param[i].set;
  return sets;
}

/* A table as typical, stretched to the joint's scale. */
static int set_table(ms_joint *joint, const ms_param *p, const scales *s) {
  double column[3][16];
  const double *columns[3];
  for (int c = 0; c < p->table->n_column && c < 3; c++) {
    double factor = factor_of(unit_powers(p->table->unit[c], joint), s);
    for (ptrdiff_t i = 0; i < p->table->rows && i < 16; i++)
      column[c][i] = factor * p->table->typical[c][i];
    columns[c] = column[c];
  }
  return ms_joint_set_table(joint, p->name, p->table->rows < 16 ? p->table->rows : 16,
                            p->table->n_column < 3 ? p->table->n_column : 3, columns) == MS_SUCCESS;
}

/* What a joint was given, to be written. */
typedef struct given {
  int n;
  char text[32][200];
} given;

static int set_parameter(trial *t, ms_joint *joint, const ms_param *p, const scales *s, given *g) {
  char *text = g->text[g->n];
  size_t size = sizeof g->text[0];
  if (p->kind == MS_PARAM_TABLE) {
    snprintf(text, size, "%s:", p->name);
    g->n++;
    return set_table(joint, p, s);
  }
  if (p->kind == MS_PARAM_CHOICE) {
    if (!trial_chance(t, 0.15)) return 1;
    size_t word = strcspn(p->choices, "|");
    const char *second = p->choices[word] ? p->choices + word + 1 : p->choices;
    snprintf(text, size, "%s: %.*s", p->name, (int)strcspn(second, "|"), second);
    g->n++;
    return ms_joint_set_text(joint, p->name, text + strlen(p->name) + 2) == MS_SUCCESS;
  }
  if (p->kind == MS_PARAM_COUNT) {
    if (!trial_chance(t, 0.12)) return 1;
    int count = 5 + trial_pick(t, 60);
    snprintf(text, size, "%s: %d", p->name, count);
    g->n++;
    return ms_joint_set(joint, p->name, count) == MS_SUCCESS;
  }
  if (p->kind == MS_PARAM_NUMBER && !p->required && !trial_chance(t, 0.25)) return 1;
  if (!strcmp(p->name, "merge_tolerance")) return 1;
  powers unit = unit_powers(p->unit, joint);
  double value = random_value(t, p, s, unit);
  snprintf(text, size, "%s: %s", p->name, trial_number(value, dimension_of(unit)));
  g->n++;
  return ms_joint_set(joint, p->name, value) == MS_SUCCESS;
}

static void write_table(trial *t, const ms_param *p, const scales *s, const ms_joint *joint) {
  trial_put(t, ", %s: {", p->name);
  for (int c = 0; c < p->table->n_column && c < 3; c++) {
    powers unit = unit_powers(p->table->unit[c], joint);
    trial_put(t, "%s%s: [", c ? ", " : "", p->table->column[c]);
    for (ptrdiff_t i = 0; i < p->table->rows && i < 16; i++)
      trial_put(t, "%s%s", i ? ", " : "",
                trial_number(factor_of(unit, s) * p->table->typical[c][i], dimension_of(unit)));
    trial_put(t, "]");
  }
  trial_put(t, "}");
}

static scales random_scales(trial *t) {
  double wide = t->extreme ? 1e4 : 10.0;
  double length = t->displacement * trial_log(t, 1.0 / wide, wide);
  double stiffness = t->stiffness * trial_log(t, 0.2 / wide, wide);
  return (scales) { stiffness * length, length, 1.0 / t->omega, trial_chance(t, 0.1) ? 1.5 : 0.4 };
}

/* Draws until the law accepts; the last tries are close to typical values. */
static ms_joint *draw_joint(trial *t, const ms_law_info *law, scales *s, given *g) {
  int set = 1 + trial_pick(t, count_sets(law));
  for (int attempt = 0; attempt < 30; attempt++) {
    ms_joint *joint = NULL;
    int accepted = ms_joint_create(t->ctx, law->name, &joint) == MS_SUCCESS;
    g->n = 0;
    if (attempt > 10) s->spread *= 0.7;
    for (int i = 0; accepted && i < law->n_param; i++)
      if (in_set(&law->param[i], set)) accepted = set_parameter(t, joint, &law->param[i], s, g);
    if (accepted && ms_joint_setup(joint) == MS_SUCCESS) return joint;
    ms_joint_destroy(&joint);
  }
  return NULL;
}

ms_joint *trial_random_joint(trial *t, const ms_law_info *law) {
  given g;
  scales s = random_scales(t);
  return draw_joint(t, law, &s, &g);
}

static void note_law(trial *t, const ms_law_info *law, const ms_joint *joint) {
  static const char *const not_unique[] = { "cubic",    "gap",   "contact3d", "iwan_pin",
                                            "stiction", "lugre", "stribeck",  "iwan5" };
  double theta = 1.0;
  for (size_t i = 0; i < sizeof not_unique / sizeof not_unique[0]; i++)
    if (!strcmp(law->name, not_unique[i])) t->unique = 0;
  if (!strcmp(law->name, "iwan5") && ms_joint_get(joint, "theta", &theta) == MS_SUCCESS &&
      theta < 1.0)
    t->jumps = 1;
  if (!(law->flags & MS_LAW_MASING) || (law->flags & MS_LAW_RATE)) t->masing = 0;
}

/* The first parameter that has a unit, for analyses that vary one. */
static void note_knob(trial *t, const ms_law_info *law, const ms_joint *joint, const given *g) {
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    powers unit = unit_powers(p->unit, joint);
    for (int k = 0; k < g->n; k++) {
      size_t n = strlen(p->name);
      if (strncmp(g->text[k], p->name, n) != 0 || g->text[k][n] != ':' || unit.force == 0.0 ||
          p->kind != MS_PARAM_NUMBER || !p->required || p->lower != 0.0)
        continue;
      snprintf(t->knob, sizeof t->knob, "%s", p->name);
      t->knob_dimension = dimension_of(unit);
      ms_joint_get(joint, p->name, &t->knob_value);
      return;
    }
  }
}

void trial_write_law(trial *t, const ms_law_info *law, int among_others) {
  given g;
  scales s = random_scales(t);
  ms_joint *joint = draw_joint(t, law, &s, &g);
  trial_put(t, "%slaw: %s", among_others ? "{" : "", law->name);
  for (int i = 0; i < g.n && joint; i++) {
    const ms_param *p = law->param;
    char *colon = strchr(g.text[i], ':');
    while (strncmp(p->name, g.text[i], (size_t)(colon - g.text[i])) != 0 ||
           p->name[colon - g.text[i]])
      p++;
    if (p->kind == MS_PARAM_TABLE)
      write_table(t, p, &s, joint);
    else
      trial_put(t, ", %s", g.text[i]);
    if (strchr(p->unit, '(') || !strcmp(p->unit, "m^-n")) t->fractional = 1;
  }
  if (among_others) trial_put(t, "}");
  if (joint) note_law(t, law, joint);
  if (joint && t->n_joint && !among_others && !t->knob[0]) note_knob(t, law, joint, &g);
  ms_joint_destroy(&joint);
}

const ms_law_info *trial_pick_law(trial *t, int n_axis) {
  for (;;) {
    const ms_law_info *law = ms_joint_get_law(trial_pick(t, ms_joint_count_laws()));
    if (law->n_axis > n_axis) continue;
    if (!t->want.masing || (law->flags & (MS_LAW_MASING | MS_LAW_RATE)) == MS_LAW_MASING)
      return law;
  }
}

/* Both ends of a joint: a coordinate and another one or the ground, for each axis. */
static void write_between(trial *t, int n_axis) {
  int from[MS_JOINT_MAX_AXIS], to[MS_JOINT_MAX_AXIS];
  for (int i = 0; i < n_axis; i++) {
    to[i] = n_axis > 1 ? i : trial_pick(t, t->n);
    do from[i] = trial_chance(t, 0.4) ? -1 : trial_pick(t, t->n);
    while (from[i] == to[i] || (n_axis > 1 && from[i] >= 0 && from[i] < n_axis));
  }
  trial_put(t, "between: [%s", n_axis > 1 ? "[" : "");
  for (int i = 0; i < n_axis; i++)
    trial_put(t, "%s%s", i ? ", " : "", from[i] < 0 ? "ground" : t->name[from[i]]);
  trial_put(t, "%s, %s", n_axis > 1 ? "]" : "", n_axis > 1 ? "[" : "");
  for (int i = 0; i < n_axis; i++) trial_put(t, "%s%s", i ? ", " : "", t->name[to[i]]);
  trial_put(t, "]%s", n_axis > 1 ? "]" : "");
}

static void write_normal(trial *t) {
  static const char *const words[] = { "constant", "proportional" };
  double preload = t->force * trial_log(t, 0.1, 10.0);
  trial_put(t, ", normal: {between: [ground, %s], K_n: %s, preload: %s, stiffness: %s}",
            trial_coordinate(t),
            trial_number(t->stiffness * trial_log(t, 0.1, 10.0), TRIAL_STIFFNESS),
            trial_number(preload, TRIAL_FORCE), trial_word(t, 2, words));
  t->unique = t->masing = 0;
  t->knob[0] = '\0'; /* a joint of two laws */
}

void trial_write_joints(trial *t) {
  static const int counts[] = { 0, 1, 1, 1, 1, 1, 1, 2, 2, 3 };
  t->n_joint = counts[t->want.masing ? 1 + trial_pick(t, 9) : trial_pick(t, 10)];
  t->unique = t->masing = 1;
  if (t->n_joint || t->bolt) trial_put(t, "joints:\n");
  if (t->bolt) trial_write_bolt(t);
  for (int i = 0; i < t->n_joint; i++) {
    trial_put(t, "  j%d: {", i + 1);
    if (trial_chance(t, 0.15)) {
      int members = 2 + trial_pick(t, 2);
      trial_put(t, "laws: [");
      for (int k = 0; k < members; k++) {
        if (k) trial_put(t, ", ");
        trial_write_law(t, trial_pick_law(t, 1), 1);
      }
      trial_put(t, "], ");
      write_between(t, 1);
    } else {
      const ms_law_info *law = trial_pick_law(t, t->n);
      trial_write_law(t, law, 0);
      if (i > 0 || law->n_axis > 1) t->knob[0] = '\0';
      trial_put(t, ", ");
      write_between(t, law->n_axis);
      if ((law->flags & MS_LAW_NORMAL) && law->n_axis == 1 && !t->want.masing &&
          trial_chance(t, 0.12))
        write_normal(t);
    }
    trial_put(t, "}\n");
  }
}
