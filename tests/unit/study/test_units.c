/* Factors from a study's units to SI. */
#include <math.h>
#include <string.h>

#include "study/study.h"
#include "support/check.h"

static const ms_units mm = { 1e-3, 1e3, 1.0, 1.0, 1e-3, "mm tonne N s", 0 };
static const ms_units si = { 1.0, 1.0, 1.0, 1.0, 1.0, "SI", 0 };

static void test_factors(void) {
  CHECK_CLOSE(ms_units_factor(&mm, "m"), 1e-3, 1e-15);
  CHECK_CLOSE(ms_units_factor(&mm, "N/m"), 1e3, 1e-15);
  CHECK_CLOSE(ms_units_factor(&mm, "N s/m"), 1e3, 1e-15);
  CHECK_CLOSE(ms_units_factor(&mm, "N/m^2"), 1e6, 1e-14);
  CHECK_CLOSE(ms_units_factor(&mm, "N/m^3"), 1e9, 1e-14);
  CHECK_CLOSE(ms_units_factor(&mm, "kg"), 1e3, 1e-15);
  CHECK_CLOSE(ms_units_factor(&mm, "kg/m^3"), 1e12, 1e-14);
  CHECK_CLOSE(ms_units_factor(&mm, "kg m^2"), 1e-3, 1e-15);
  CHECK_CLOSE(ms_units_factor(&mm, "m sqrt(kg)"), 1e-3 * sqrt(1e3), 1e-15);
  CHECK_CLOSE(ms_units_factor(&mm, "N/sqrt(kg)"), 1.0 / sqrt(1e3), 1e-15);
  CHECK_CLOSE(ms_units_factor(&mm, "m/s sqrt(kg)"), 1e-3 * sqrt(1e3), 1e-15);
  CHECK_CLOSE(ms_units_factor(&mm, "-"), 1.0, 0.0);
}

/* What divides is the next factor or bracket: a space begins a new quotient. */
static void test_names(void) {
  static const struct {
    const char *si, *name;
    double factor;
  } unit[] = {
    { "N s/m", "N s/mm", 1e3 },
    { "J", "N mm", 1e-3 },
    { "N/m^2", "N/mm^2", 1e6 },
    { "m/s^2 sqrt(kg)", "mm/s^2 sqrt(tonne)", 1e-3 * 31.622776601683793 },
    { "m/(N/sqrt(kg))", "mm/(N/sqrt(tonne))", 1e-3 * 31.622776601683793 },
    { "1/sqrt(kg)", "1/sqrt(tonne)", 1.0 / 31.622776601683793 },
    { "rad/s", "rad/s", 1.0 },
  };
  char text[64];
  for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
    CHECK_CLOSE(ms_units_name(&mm, unit[i].si, text, sizeof text), unit[i].factor, 1e-14);
    CHECK_TEXT(text, unit[i].name);
  }
}

/* N mm/rad of a joint about an axis, and its slip angle and moment. */
static void test_about_an_axis(void) {
  ms_units about = ms_units_about(&mm);
  CHECK_CLOSE(ms_units_factor(&about, "N/m"), 1e-3, 1e-15);
  CHECK_CLOSE(ms_units_factor(&about, "N s/m"), 1e-3, 1e-15);
  CHECK_CLOSE(ms_units_factor(&about, "N"), 1e-3, 1e-15);
  CHECK_CLOSE(ms_units_factor(&about, "m"), 1.0, 0.0);
}

/* An exponent that is a formula cannot be converted, but in SI nothing need be. */
static void test_not_convertible(void) {
  CHECK_NEAR(ms_units_factor(&mm, "N/m^(2+chi)"), 0.0, 0.0);
  CHECK_NEAR(ms_units_factor(&mm, "furlong"), 0.0, 0.0);
  CHECK_NEAR(ms_units_factor(&mm, "kgf"), 0.0, 0.0);
  CHECK_NEAR(ms_units_factor(&si, "N/m^(2+chi)"), 1.0, 0.0);
}

/* Every unit of every parameter of every law is understood, formulas apart. */
static void test_units_of_all_laws(void) {
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    const ms_law_info *law = ms_joint_get_law(i);
    for (int k = 0; k < law->n_param; k++) {
      const char *unit = law->param[k].unit;
      if (strchr(unit, '(') || strstr(unit, "^-n") || law->param[k].kind == MS_PARAM_TABLE)
        continue;
      if (!CHECK(ms_units_factor(&mm, unit) > 0.0)) {
        CHECK_TEXT(unit, "a unit that can be converted");
        CHECK_TEXT(law->param[k].name, law->name);
      }
    }
  }
}

static void check_keys(const char *of, const ms_param_list *list) {
  for (int i = 0; i < list->n; i++) {
    const ms_param *p = &list->param[i];
    if (p->keys) check_keys(of, p->keys);
    if (!p->unit || strstr(p->unit, "Hz") || strstr(p->unit, "rad")) continue;
    if (CHECK(ms_units_factor(&mm, p->unit) > 0.0)) continue;
    CHECK_TEXT(p->unit, "a unit that can be converted");
    CHECK_TEXT(p->name, of);
  }
}

/* And every unit of every key. */
static void test_units_of_all_analyses(void) {
  ms_analysis_info info;
  for (int i = 0; ms_study_get_kind(i, &info); i++) check_keys(info.name, &info.keys);
}

int main(void) {
  TEST(test_factors);
  TEST(test_names);
  TEST(test_about_an_axis);
  TEST(test_not_convertible);
  TEST(test_units_of_all_laws);
  TEST(test_units_of_all_analyses);
  return test_finish();
}
