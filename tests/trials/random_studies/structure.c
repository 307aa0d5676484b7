/* Random structures: chains, matrices, beams and bricks, free and held, with damping of every kind.
 */
#include "trials/random_studies/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void choose_scales(trial *t) {
  t->extreme = !t->want.settles && trial_chance(t, 0.08);
  t->mass = t->extreme ? trial_log(t, 1e-9, 1e9) : trial_log(t, 0.05, 50.0);
  t->omega = t->extreme ? trial_log(t, 1e-2, 1e7) : trial_log(t, 3.0, 3e3);
  t->displacement = t->extreme ? trial_log(t, 1e-12, 1e3) : trial_log(t, 1e-6, 1e-1);
}

static void follow_scales(trial *t) {
  t->stiffness = t->mass * t->omega * t->omega;
  t->force = t->stiffness * t->displacement;
}

static void name_coordinates(trial *t, int n) {
  t->n = n;
  for (int i = 0; i < n; i++) snprintf(t->name[i], TRIAL_NAME, "u%d", i + 1);
}

/* A spring of the chain's scale between i and j, j < 0 being the ground. */
typedef struct spring {
  int i, j;
  double k;
} spring;

static int random_springs(trial *t, spring *s) {
  int count = 0;
  double wide = t->extreme ? 30.0 : 4.0;
  for (int i = 0; i + 1 < t->n; i++)
    s[count++] = (spring) { i + 1, i, t->stiffness * trial_log(t, 1.0 / wide, wide) };
  if (t->held) s[count++] = (spring) { 0, -1, t->stiffness * trial_log(t, 1.0 / wide, wide) };
  for (int extra = trial_pick(t, 3); extra > 0; extra--) {
    int i = trial_pick(t, t->n), j = trial_pick(t, t->held ? t->n + 1 : t->n);
    if (i == j) continue;
    s[count++] = (spring) { i, j == t->n ? -1 : j, t->stiffness * trial_log(t, 0.1, 1.0) };
  }
  return count;
}

static const char *end_name(const trial *t, int i) {
  return i < 0 ? "ground" : t->name[i];
}

static void write_chain(trial *t) {
  spring s[2 * TRIAL_MAX_DOF];
  name_coordinates(t, 1 + trial_pick(t, t->want.settles ? 2 : trial_chance(t, 0.1) ? 14 : 5));
  t->held = t->n == 1 || t->want.settles || trial_chance(t, 0.8);
  t->line = 1;
  int count = random_springs(t, s);
  trial_put(t, "  chain:\n    masses: {");
  for (int i = 0; i < t->n; i++)
    trial_put(t, "%s%s: %s", i ? ", " : "", t->name[i],
              trial_number(t->mass * trial_log(t, 0.4, 2.5), TRIAL_MASS));
  trial_put(t, "}\n    springs:\n");
  for (int i = 0; i < count; i++)
    trial_put(t, "      - [%s, %s, %s]\n", end_name(t, s[i].j), end_name(t, s[i].i),
              trial_number(s[i].k, TRIAL_STIFFNESS));
}

static void write_rows(trial *t, const double *a, trial_dimension dimension) {
  trial_put(t, "[");
  for (int i = 0; i < t->n; i++) {
    trial_put(t, "%s[", i ? ", " : "");
    for (int j = 0; j < t->n; j++)
      trial_put(t, "%s%s", j ? ", " : "", trial_number(a[i + t->n * j], dimension));
    trial_put(t, "]");
  }
  trial_put(t, "]\n");
}

static void write_matrices(trial *t) {
  spring s[2 * TRIAL_MAX_DOF];
  double M[36] = { 0 }, K[36] = { 0 };
  name_coordinates(t, 1 + trial_pick(t, t->want.settles ? 2 : 5));
  t->held = t->n == 1 || t->want.settles || trial_chance(t, 0.85);
  t->line = 1;
  int n = t->n, count = random_springs(t, s);
  for (int k = 0; k < count; k++) {
    K[s[k].i * (n + 1)] += s[k].k;
    if (s[k].j < 0) continue;
    K[s[k].j * (n + 1)] += s[k].k;
    K[s[k].i + n * s[k].j] -= s[k].k;
    K[s[k].j + n * s[k].i] -= s[k].k;
  }
  for (int i = 0; i < n; i++) M[i * (n + 1)] = t->mass * trial_log(t, 0.4, 2.5);
  for (int i = 0; i + 1 < n && trial_chance(t, 0.5); i++)
    M[i + n * (i + 1)] = M[i + 1 + n * i] = 0.1 * t->mass * trial_uniform(t, -1.0, 1.0);
  trial_put(t, "  matrices:\n    mass: ");
  write_rows(t, M, TRIAL_MASS);
  trial_put(t, "    stiffness: ");
  write_rows(t, K, TRIAL_STIFFNESS);
}

static void write_beam(trial *t) {
  static const char *const starts[] = { "clamped", "clamped", "pinned", "free" }, *const ends[] = {
    "free", "free", "free", "pinned", "clamped"
  };
  const trial_dimension modulus = { -1, 1, -2 }, density = { -3, 1, 0 };
  double length = trial_log(t, 0.1, 2.0), height = length * trial_log(t, 0.005, 0.05);
  double width = height * trial_log(t, 1.0, 10.0), E = 2.1e11 * trial_log(t, 0.3, 2.0),
         rho = 7850.0 * trial_log(t, 0.4, 1.5);
  const char *start = trial_word(t, 4, starts), *end = trial_word(t, 5, ends);
  trial_put(t, "  beam: {length: %s, width: %s, height: %s, E: %s, rho: %s,\n",
            trial_number(length, TRIAL_LENGTH), trial_number(width, TRIAL_LENGTH),
            trial_number(height, TRIAL_LENGTH), trial_number(E, modulus),
            trial_number(rho, density));
  trial_put(t, "    start: %s, end: %s, elements: %d, points: {p: %s}}\n", start, end,
            2 + trial_pick(t, 5), trial_number(length * trial_uniform(t, 0.3, 0.7), TRIAL_LENGTH));
  t->n = 1;
  snprintf(t->name[0], TRIAL_NAME, "p.uy");
  if (!strcmp(end, "free")) snprintf(t->name[t->n++], TRIAL_NAME, "end.uy");
  if (!strcmp(start, "free")) snprintf(t->name[t->n++], TRIAL_NAME, "start.uy");
  t->held = !strcmp(start, "clamped") || !strcmp(end, "clamped") ||
            (!strcmp(start, "pinned") && !strcmp(end, "pinned"));
  t->mass = rho * width * height * length;
  t->omega = 3.5 * height / (length * length) * sqrt(E / (12.0 * rho));
}

static void write_damping(trial *t) {
  double lowest = t->want.settles ? 0.02 : 1e-4;
  switch (t->want.settles ? 7 : trial_pick(t, 8)) {
  case 0:
    break;
  case 1:
    if (t->want.modal) break;
    t->free_damping = 1;
    trial_put(t, "  damping: {rayleigh: {mass: %s, stiffness: %s}}\n",
              trial_number(t->omega * trial_log(t, 1e-4, 0.05), (trial_dimension) { 0, 0, -1 }),
              trial_number(trial_log(t, 1e-4, 0.02) / t->omega, TRIAL_TIME));
    break;
  case 2:
    if (t->line && !t->want.modal) {
      t->free_damping = 1;
      trial_put(t, "  damping: {matrix: [");
      for (int i = 0; i < t->n; i++)
        trial_put(t, "%s%s", i ? ", " : "",
                  trial_number(t->mass * t->omega * trial_log(t, 1e-4, 0.05), TRIAL_DAMPING));
      trial_put(t, "]}\n");
      break;
    } /* fallthrough */
  default:
    t->modal_damping = 1;
    trial_put(t, "  damping: {modal: %.17g}\n", trial_log(t, lowest, t->want.settles ? 0.1 : 0.05));
  }
}

void trial_write_structure(trial *t) {
  choose_scales(t);
  follow_scales(t);
  trial_put(t, "structure:\n");
  int kind = trial_pick(t, t->want.settles ? 8 : 11);
  if (kind < 5)
    write_chain(t);
  else if (kind < 8)
    write_matrices(t);
  else if (kind < 10)
    write_beam(t);
  else
    trial_write_bricks(t);
  follow_scales(t);
  write_damping(t);
}

/* Finite elements are not part of this program: the command tells. */
static int ask_command(trial *t) {
  if (!trial_run_checked(t, "head.yaml", "head", 1)) return 0;
  ms_table *table = trial_table(t, "head", "modes");
  const double *omega = table ? ms_table_get_column(table, "omega_0") : NULL,
               *zeta = table ? ms_table_get_column(table, "zeta_0") : NULL;
  for (; omega && zeta && t->n_mode < ms_table_get_rows(table) && t->n_mode < TRIAL_MAX_DOF;
       t->n_mode++) {
    t->frequency[t->n_mode] = omega[t->n_mode];
    t->zeta[t->n_mode] = zeta[t->n_mode];
  }
  ms_table_destroy(&table);
  return t->n_mode > 0;
}

static int ask_library(trial *t) {
  char path[TRIAL_PATH + 64];
  ms_study *study = NULL;
  snprintf(path, sizeof path, "%s/head.yaml", t->folder);
  if (ms_study_open(t->ctx, path, 0, NULL, &study) != MS_SUCCESS)
    return trial_judge(t, TRIAL_REFUSED, "%s", ms_context_message(t->ctx));
  const ms_structure *s = ms_study_get_structure(study);
  ms_modes modes = ms_structure_get_stuck(s);
  t->n_mode = modes.n < TRIAL_MAX_DOF ? (int)modes.n : TRIAL_MAX_DOF;
  for (int r = 0; r < t->n_mode; r++) {
    t->frequency[r] = modes.omega[r];
    t->zeta[r] = ms_structure_get_damping_ratio(s, r);
  }
  ms_study_close(&study);
  return 1;
}

int trial_learn_modes(trial *t) {
  size_t head = trial_mark(t);
  trial_put(t, "analyses: [modes]\n");
  int rendered = trial_render(t, &trial_si, "head.yaml");
  trial_rewind(t, head);
  if (!rendered || !(t->fe ? ask_command(t) : ask_library(t))) return 0;
  while (t->first < t->n_mode && t->frequency[t->first] <= 0.0) t->first++;
  return 1;
}
