/* Bricks of finite elements, small and reduced: one, or two sub-structures with a bolt between. */
#include "trials/random_studies/trial.h"

#include <math.h>

typedef struct brick {
  double size[3], at; /* edges, and where its left face is */
  int held;           /* at its left face */
  const char *spider; /* the face that `tip` holds */
} brick;

static void write_brick(trial *t, const brick *b, double E, double rho) {
  static const char *const elements[] = { "hex8", "hex8", "hex20", "tet4", "tet10" },
                           *const ties[] = { "rbe2: rigid", "rbe3: uniform", "rbe3: area" };
  const trial_dimension modulus = { -1, 1, -2 }, density = { -3, 1, 0 };
  int along = 2 + trial_pick(t, 3), node = 1 + trial_pick(t, along - 1);
  trial_put(t, "{fe: {materials: {m: {E: %s, nu: %.3g, rho: %s}}, ", trial_number(E, modulus),
            trial_uniform(t, 0.0, 0.4), trial_number(rho, density));
  trial_put(t, "parts: {b: {block: {size: [%s, %s, %s], ", trial_number(b->size[0], TRIAL_LENGTH),
            trial_number(b->size[1], TRIAL_LENGTH), trial_number(b->size[2], TRIAL_LENGTH));
  trial_put(t, "at: [%s, 0, 0], elements: [%d, %d, 1]}, material: m, element: %s, ",
            trial_number(b->at, TRIAL_LENGTH), along, 1 + trial_pick(t, 2),
            trial_word(t, 5, elements));
  trial_put(t, "points: {p: [%s, 0, 0]}}}, ",
            trial_number(b->at + b->size[0] * node / along, TRIAL_LENGTH));
  if (b->held) trial_put(t, "fix: {b.left: all}, ");
  trial_put(t, "spiders: {tip: {%s, on: b.%s}}}, ", trial_word(t, 3, ties), b->spider);
  trial_put(t, "reduce: {craig_bampton: {modes: %d, keep: [tip, b.p]}}}", 1 + trial_pick(t, 4));
}

static void add_node(trial *t, const char *node) {
  for (const char *axis = "xyz"; *axis; axis++)
    snprintf(t->name[t->n++], TRIAL_NAME, "%s.u%c", node, *axis);
}

void trial_write_bricks(trial *t) {
  double length = trial_log(t, 0.1, 2.0), height = length * trial_log(t, 0.01, 0.2),
         width = height * trial_log(t, 1.0, 5.0), E = 2.1e11 * trial_log(t, 0.3, 2.0),
         rho = 7850.0 * trial_log(t, 0.4, 1.5);
  brick first = { { length, width, height }, 0.0, trial_chance(t, 0.8), "right" },
        second = { { length * trial_log(t, 0.3, 1.0), width, height }, length, 0, "left" };
  t->fe = 1;
  t->n = 0;
  t->held = first.held;
  t->bolt = trial_chance(t, 0.5);
  trial_put(t, "  substructures:\n    a: ");
  write_brick(t, &first, E, rho);
  trial_put(t, "\n");
  add_node(t, "a.b.p");
  add_node(t, "a.tip");
  if (t->bolt) {
    trial_put(t, "    c: ");
    write_brick(t, &second, E, rho);
    trial_put(t, "\n");
    add_node(t, "c.b.p");
  }
  t->mass = rho * width * height * length;
  t->omega = (t->bolt ? 1.0 : 3.5) * height / (length * length) * sqrt(E / (12.0 * rho));
}

void trial_write_bolt(trial *t) {
  trial_put(t, "  bolt: {between: [a.tip, c.tip], x: ");
  trial_write_law(t, trial_pick_law(t, 1), 1);
  if (trial_chance(t, 0.5)) {
    trial_put(t, ", y: ");
    trial_write_law(t, trial_pick_law(t, 1), 1);
  } else {
    trial_put(t, ", y: rigid");
  }
  trial_put(t, ", z: rigid, rx: rigid, ry: rigid, rz: %s}\n",
            trial_chance(t, 0.15) ? "free" : "rigid");
}
