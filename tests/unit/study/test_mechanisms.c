/* Motions without strain beyond those of one rigid body: three bodies on a line, x and y of each.
 */
#include <math.h>
#include <string.h>

#include "study/model/fe/fe.h"
#include "support/check.h"

enum { N = 6 };
static char name_of[N][4] = { "a.x", "a.y", "b.x", "b.y", "c.x", "c.y" };
static char *name[N] = { name_of[0], name_of[1], name_of[2], name_of[3], name_of[4], name_of[5] };
static const double place[3] = { 0.0, 1.3, 2.9 }, mass[3] = { 2.385, 0.71, 1.9 };
static double follow[3 * N], turn[3 * N];

/* x is held together by springs, y by `springs` of those to ground (0 .. 3). A body on the line
   turns about z by its place. */
static ms_study make(int springs) {
  static ms_reduced r;
  ms_structure *s = NULL;
  memset(follow, 0, sizeof follow);
  memset(turn, 0, sizeof turn);
  CHECK_OK(ms_structure_create(test_context(), N, (const char *const *)name, &s));
  for (int i = 0; i < 3; i++) {
    follow[3 * (2 * i) + 0] = 1.0;
    follow[3 * (2 * i + 1) + 1] = 1.0;
    turn[3 * (2 * i + 1) + 2] = place[i];
    for (int d = 0; d < 2; d++) CHECK_OK(ms_structure_add_mass(s, 2 * i + d, mass[i]));
    if (i > 0) CHECK_OK(ms_structure_add_spring(s, 2 * (i - 1), 2 * i, 310.0));
    if (i < springs) CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 2 * i + 1, 170.0));
  }
  CHECK_OK(ms_structure_setup(s));
  r = (ms_reduced) { .ctx = test_context(), .n = N, .name = name, .follow = follow, .turn = turn };
  return (ms_study) { .ctx = test_context(), .structure = s, .reduced = &r };
}

/* Free: x, y and a turn are those of the whole; y of three bodies has one motion more, which is
   that of the lightest one between the others. One held: y and turn about it, b and c are left.
   With two held only x and y of c: a turn moves those that are held. */
static void test_counted(void) {
  static const int want[4] = { 1, 1, 1, 0 };
  static const char *const moves[4] = { "'b.y'", "'b.y'", "'c.y'", "" };
  for (int springs = 0; springs < 4; springs++) {
    ms_study s = make(springs);
    ptrdiff_t n = -1;
    char text[240];
    CHECK_OK(ms_study_find_mechanisms(&s, &n, text, sizeof text));
    CHECK_EQUAL(n, want[springs]);
    CHECK_TEXT(text, moves[springs]);
    ms_structure_destroy(&s.structure);
  }
}

static void test_said(void) {
  ms_study s = make(0);
  CHECK_OK(ms_study_check_mechanisms(&s));
  CHECK_EQUAL(s.n_model_note, 1);
  if (s.n_model_note == 1) {
    CHECK_HAS(s.model_note[0], "1 mechanism: with all joints stuck, 'b.y' can move without strain");
  }
  ms_study_close_notes(&s);
  ms_structure_destroy(&s.structure);
  s = make(3);
  CHECK_OK(ms_study_check_mechanisms(&s));
  CHECK_EQUAL(s.n_model_note, 0);
  ms_structure_destroy(&s.structure);
}

int main(void) {
  TEST(test_counted);
  TEST(test_said);
  return test_finish();
}
