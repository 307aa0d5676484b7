/* The keys of a study file, from the top level down: every row is complete, and all mappings are
   reached. */
#include <math.h>
#include <microslip/study.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

static const ms_param *find(const ms_param_list *list, const char *path) {
  const size_t n = strcspn(path, "/");
  for (int i = 0; list && i < list->n; i++) {
    const ms_param *p = &list->param[i];
    if (strlen(p->name) != n || strncmp(p->name, path, n) != 0) continue;
    return path[n] ? find(p->keys, path + n + 1) : p;
  }
  return NULL;
}

static void test_reached(void) {
  static const char *const paths[] = {
    "units/length",
    "structure/chain/masses/*",
    "structure/chain/springs/*/k",
    "structure/matrices/stiffness",
    "structure/beam/masses/*/inertia",
    "structure/fe/materials/*/E",
    "structure/fe/parts/*/block/holes/radius",
    "structure/fe/parts/*/rings/core",
    "structure/fe/parts/*/section/pipe",
    "structure/fe/parts/*/points/*",
    "structure/fe/merge/tolerance",
    "structure/fe/tie/*/reach",
    "structure/fe/fix/*",
    "structure/fe/spiders/*/rbe3",
    "structure/reduce/craig_bampton/cutoff",
    "structure/substructures/*/fe/parts/*/block/size",
    "structure/damping/rayleigh/mass",
    "joints/*/normal/hertz/nu",
    "joints/*/normal/stiffness/load",
    "joints/*/shortening/modes",
    "joints/*/rz",
    "loads/*/shape",
  };
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    const int found = find(ms_study_get_keys(), paths[i]) != NULL;
    if (!found) fprintf(stderr, "# %s\n", paths[i]);
    CHECK(found);
  }
}

static int is_complete(const ms_param *p) {
  const int numeric = p->kind == MS_PARAM_NUMBER || p->kind == MS_PARAM_COUNT ||
                      p->kind == MS_PARAM_NUMBERS || p->kind == MS_PARAM_COUNTS;
  const int choice = p->kind == MS_PARAM_CHOICE || p->kind == MS_PARAM_CHOICES;
  if (!p->name || !p->meaning || !p->meaning[0]) return 0;
  if (numeric && p->lower >= p->upper && strcmp(p->name, "microslip") != 0) return 0;
  if (choice && !p->choices) return 0;
  if (p->kind == MS_PARAM_MAPPING && !p->keys) return 0;
  if (p->kind == MS_PARAM_FORMS && !p->forms) return 0;
  return !(p->required && p->fallback);
}

static int count_rows(const ms_param_list *list) {
  int n = list->n;
  for (int i = 0; i < list->n; i++) {
    const int complete = is_complete(&list->param[i]);
    if (!complete) fprintf(stderr, "# %s\n", list->param[i].name);
    CHECK(complete);
    if (list->param[i].keys) n += count_rows(list->param[i].keys);
  }
  return n;
}

static void test_rows(void) {
  CHECK(count_rows(ms_study_get_keys()) > 150);
}

int main(void) {
  TEST(test_reached);
  TEST(test_rows);
  return test_finish();
}
