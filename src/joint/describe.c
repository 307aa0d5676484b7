/* What a joint is, in names and numbers: its law with its values, and the spring that loads it. */
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "joint/impl.h"

/* One law with one set of values; those of laws side by side and tables are not compared. */
int ms_joint_is_like(const ms_joint *a, const ms_joint *b) {
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

/* ---- facts ---- */

typedef struct teller {
  ms_joint_fact_fn tell;
  void *user;
} teller;

static ms_status tell_number(const teller *t, const char *name, double value, const char *unit) {
  return t->tell(t->user, name, NULL, value, strcmp(unit, "-") == 0 ? NULL : unit);
}

static ms_status tell_law(const teller *t, const ms_joint *joint) {
  const ms_law_info *law = ms_joint_info(joint);
  MS_TRY(t->tell(t->user, law->name, law->title, 0.0, NULL));
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    double value = 0.0;
    if (p->kind != MS_PARAM_NUMBER || !p->required ||
        ms_joint_get(joint, p->name, &value) != MS_SUCCESS)
      continue;
    MS_TRY(tell_number(t, p->name, value, p->unit));
  }
  return MS_SUCCESS;
}

/* Row or term i of s against N, "50 N: 0.7" or "0.01 N^2", in the units that s was given in. */
static void print_term(const ms_joint_normal *normal, int i, char *text, size_t size) {
  if (normal->rows) {
    snprintf(text, size, "%.6g N: %.6g", normal->N[i], normal->s[i]);
  } else if (i < 2) {
    snprintf(text, size, "%.6g%s", normal->coefficient[i], i ? " N" : "");
  } else {
    snprintf(text, size, "%.6g N^%d", normal->coefficient[i], i);
  }
}

static void print_stiffness(const ms_joint_normal *normal, char *text, int size) {
  const ptrdiff_t n = normal->rows ? normal->rows : normal->n_coefficient;
  const char *between = normal->rows ? ", " : " + ";
  int at = snprintf(text, (size_t)size, "in proportion to ");
  for (int i = 0; i < n && at < size - 80; i++) {
    char term[64];
    print_term(normal, i, term, sizeof term);
    at += snprintf(text + at, (size_t)(size - at), "%s%s", i ? between : "", term);
    if (at >= size - 80 && i + 1 < n) snprintf(text + at, (size_t)(size - at), "%s...", between);
  }
}

static ms_status tell_spring(const teller *t, const ms_joint_normal *normal) {
  char text[400] = "constant";
  MS_TRY(tell_number(t, "normal spring K_n", normal->K_n, "N/m"));
  MS_TRY(tell_number(t, "preload", normal->N_0, "N"));
  MS_TRY(tell_number(t, "reference load", normal->N_ref, "N"));
  if (normal->n_coefficient == 2 && normal->coefficient[0] == 0.0) {
    snprintf(text, sizeof text, "in proportion to the load");
  } else if (normal->rows || normal->n_coefficient > 1) {
    print_stiffness(normal, text, sizeof text);
  }
  return t->tell(t->user, "stiffness against load", text, 0.0, NULL);
}

ms_status ms_joint_describe(const ms_joint *joint, ms_joint_fact_fn tell, void *user) {
  if (!joint || !tell) return MS_ERR_ARGUMENT;
  const ms_joint *law = ms_joint_get_loaded_law(joint);
  const teller t = { tell, user };
  ms_joint_normal normal;
  MS_TRY(tell_law(&t, law ? law : joint));
  if (!law || ms_joint_get_normal(joint, &normal) != MS_SUCCESS) return MS_SUCCESS;
  return tell_spring(&t, &normal);
}
