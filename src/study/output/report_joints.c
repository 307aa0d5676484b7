/* The joints in a report: each law with its values, and the spring that loads it. */
#include <stdio.h>
#include <string.h>

#include "study/study.h"

/* One law with one set of values; those of laws side by side and tables are not compared. */
static int are_alike(const ms_joint *a, const ms_joint *b) {
  const ms_law_info *law = ms_joint_info(a);
  if (strcmp(law->name, ms_joint_info(b)->name) != 0 || law->n_param == 0) return 0;
  for (int i = 0; i < law->n_param; i++) {
    double x, y;
    if (ms_joint_get(a, law->param[i].name, &x) != MS_SUCCESS ||
        ms_joint_get(b, law->param[i].name, &y) != MS_SUCCESS || x != y) {
      return 0;
    }
  }
  return 1;
}

/* ---- one joint ---- */

static ms_status add_number(ms_page *page, const char *name, double value, const char *unit) {
  const ms_answer number = {
    .label = name, .symbol = name, .unit = strcmp(unit, "-") == 0 ? NULL : unit, .value = value
  };
  return ms_page_add_number(page, &number, 10);
}

static ms_status add_law(ms_page *page, const ms_joint *joint) {
  const ms_law_info *law = ms_joint_info(joint);
  MS_TRY(ms_page_add_fact(page, law->name, "%s", law->title));
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    double value = 0.0;
    if (p->kind != MS_PARAM_NUMBER || !p->required ||
        ms_joint_get(joint, p->name, &value) != MS_SUCCESS)
      continue;
    MS_TRY(add_number(page, p->name, value, p->unit));
  }
  return MS_SUCCESS;
}

/* Row or term i of s against N, "50 N: 0.7" or "0.01 N^2", in the units that s was given in. */
static void tell_term(const ms_joint_normal *normal, int i, char *text, size_t size) {
  if (normal->rows) {
    snprintf(text, size, "%.6g N: %.6g", normal->N[i], normal->s[i]);
  } else if (i < 2) {
    snprintf(text, size, "%.6g%s", normal->coefficient[i], i ? " N" : "");
  } else {
    snprintf(text, size, "%.6g N^%d", normal->coefficient[i], i);
  }
}

static void tell_stiffness(const ms_joint_normal *normal, char *text, int size) {
  const ptrdiff_t n = normal->rows ? normal->rows : normal->n_coefficient;
  const char *between = normal->rows ? ", " : " + ";
  int at = snprintf(text, (size_t)size, "in proportion to ");
  for (int i = 0; i < n && at < size - 80; i++) {
    char term[64];
    tell_term(normal, i, term, sizeof term);
    at += snprintf(text + at, (size_t)(size - at), "%s%s", i ? between : "", term);
    if (at >= size - 80 && i + 1 < n) snprintf(text + at, (size_t)(size - at), "%s...", between);
  }
}

static ms_status add_spring(ms_page *page, const ms_joint_normal *normal) {
  char text[400] = "constant";
  MS_TRY(add_number(page, "normal spring K_n", normal->K_n, "N/m"));
  MS_TRY(add_number(page, "preload", normal->N_0, "N"));
  MS_TRY(add_number(page, "reference load", normal->N_ref, "N"));
  if (normal->n_coefficient == 2 && normal->coefficient[0] == 0.0) {
    snprintf(text, sizeof text, "in proportion to the load");
  } else if (normal->rows || normal->n_coefficient > 1) {
    tell_stiffness(normal, text, sizeof text);
  }
  return ms_page_add_fact(page, "stiffness against load", "%s", text);
}

static ms_status report_joint(const ms_joint *joint, ms_page *page) {
  const ms_joint *law = ms_joint_get_loaded_law(joint);
  ms_joint_normal normal;
  MS_TRY(add_law(page, law ? law : joint));
  if (!law || ms_joint_get_normal(joint, &normal) != MS_SUCCESS) return MS_SUCCESS;
  return add_spring(page, &normal);
}

/* ---- all of them ---- */

/* "Joint lap:", or "Joints bolt.1.x, bolt.2.x:" of all that are like the first. 0: told already. */
static int name_joints(const ms_structure *s, int first, char *text, int size) {
  const ms_joint *joint = ms_structure_get_joint(s, first);
  int n = ms_structure_count_joints(s), many = 0;
  for (int j = 0; j < n; j++) {
    if (j == first || !are_alike(joint, ms_structure_get_joint(s, j))) continue;
    if (j < first) return 0;
    many = 1;
  }
  int at = snprintf(text, (size_t)size, "Joint%s %s", many ? "s" : "",
                    ms_structure_get_joint_name(s, first));
  for (int j = first + 1; j < n && at < size - 100; j++) {
    if (!are_alike(joint, ms_structure_get_joint(s, j))) continue;
    at += snprintf(text + at, (size_t)(size - at), ", %.90s", ms_structure_get_joint_name(s, j));
  }
  if (at < size) snprintf(text + at, (size_t)(size - at), "%s:", at < size - 100 ? "" : ", ...");
  return 1;
}

ms_status ms_study_report_joints(const ms_study *s, ms_page *page) {
  for (int j = 0; j < ms_structure_count_joints(s->structure); j++) {
    char text[1024];
    if (!name_joints(s->structure, j, text, sizeof text)) continue;
    MS_TRY(ms_page_add_text(page, text));
    MS_TRY(report_joint(ms_structure_get_joint(s->structure, j), page));
  }
  ms_context_clear_message(s->ctx);
  return MS_SUCCESS;
}
