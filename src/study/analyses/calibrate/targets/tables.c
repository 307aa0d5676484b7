#include "study/analyses/calibrate/targets/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"

ms_status ms_target_open_table(const ms_study *s, struct fy_node *file, ms_table **out) {
  const char *name;
  char *path = NULL;
  *out = NULL;
  MS_TRY(ms_yaml_text(&s->yaml, file, "a table", &name));
  MS_TRY(ms_study_path(s, name, &path));
  ms_status status = ms_table_read_words(s->ctx, path, out);
  ms_free(s->ctx, &path);
  return status == MS_SUCCESS ? status : ms_yaml_fail_here(&s->yaml, file, status);
}

int ms_target_is_ours(const ms_table *table) {
  return (ms_table_get_word(table, "sensor", 0) && ms_table_get_column(table, "zeta_viscous")) ||
         (ms_table_get_word(table, "source", 0) &&
          (ms_table_get_column(table, "joint_force") || ms_table_get_column(table, "joint_loss") ||
           ms_table_get_column(table, "loss_deviation"))) ||
         (ms_table_get_word(table, "joint", 0) &&
          ms_table_get_column(table, "peak_displacement")) ||
         (ms_table_get_word(table, "joint", 0) && ms_table_get_column(table, "specimen"));
}

/* ---- columns ---- */

static void list_columns(const ms_table *table, char text[240]) {
  size_t at = 0;
  text[0] = '\0';
  for (ptrdiff_t c = 0; c < ms_table_get_columns(table) && at + 44 < 240; c++) {
    at += (size_t)snprintf(text + at, 240 - at, "%s%.40s", c ? ", " : "",
                           ms_table_get_name(table, c));
  }
}

static ms_status fail_column(const ms_study *s, struct fy_node *node, const char *key,
                             const char *name, const ms_table *table) {
  const char *word = ms_table_get_word(table, name, 0);
  char columns[240];
  if (word) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                        "line %td: column '%.40s' has '%.40s' where a number must be",
                        ms_table_get_line(table, 0), name, word);
  }
  list_columns(table, columns);
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                      "the table has no column '%.40s', but %s; say which it is with columns: {%s: "
                      "...}",
                      name, columns, key);
}

/* The numbers behind a key: their unit where it is SI, and the factor that makes it so. */
static ms_status check_unit(const ms_study *s, const ms_units *units, struct fy_node *node,
                            const char *key, const char *name, const ms_table *table) {
  const int ours = ms_target_is_ours(table);
  const ms_units *u = ours ? &s->units : units; /* ours say m and N about an axis too */
  const struct {
    const char *key, *unit;
    double factor;
  } known[] = {
    { "q", "m sqrt(kg)", u->length * sqrt(u->mass) },
    { "omega", "rad/s", 1.0 / u->time },
    { "frequency", "Hz", 1.0 / u->time },
    { "zeta", "-", 1.0 },
    { "force", "N", u->force },
    { "displacement", "m", u->length },
    { "time", "s", u->time },
    { "stiffness", "N/m", u->force / u->length },
    { "dissipation", "J", u->force * u->length },
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(known[i].key, key) != 0) continue;
    const double factor = ours ? 1.0 : known[i].factor;
    return ms_units_check_column(s, u, node, table, name, known[i].unit, factor);
  }
  return MS_SUCCESS;
}

ms_status ms_target_get_column(const ms_study *s, const ms_units *units, struct fy_node *node,
                               struct fy_node *columns, const char *key, const char *name,
                               const ms_table *table, const double **out) {
  struct fy_node *given = columns ? ms_yaml_get(columns, key) : NULL;
  if (given) MS_TRY(ms_yaml_text(&s->yaml, given, key, &name));
  *out = ms_table_get_column(table, name);
  if (!*out) return fail_column(s, given ? given : node, key, name, table);
  return check_unit(s, units, given ? given : node, key, name, table);
}

/* ---- rows ---- */

int ms_target_is_chosen(const ms_table *table, const char *column, const char *chosen,
                        ptrdiff_t i) {
  return !chosen || strcmp(ms_table_get_word(table, column, i), chosen) == 0;
}

/* Every word once. */
static void list_words(const ms_table *table, const char *column, char text[240]) {
  size_t at = 0;
  text[0] = '\0';
  for (ptrdiff_t i = 0; i < ms_table_get_rows(table) && at + 44 < 240; i++) {
    const char *word = ms_table_get_word(table, column, i);
    ptrdiff_t k = 0;
    while (k < i && strcmp(ms_table_get_word(table, column, k), word) != 0) k++;
    if (k == i) at += (size_t)snprintf(text + at, 240 - at, "%s%.40s", at ? ", " : "", word);
  }
}

static ms_status fail_choice(const ms_study *s, struct fy_node *node, const char *column,
                             const ms_table *table, const char *what) {
  char words[240];
  list_words(table, column, words);
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "%s: column '%s' has %s", what, column, words);
}

static ptrdiff_t count_words(const ms_table *table, const char *column, const char *word) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < ms_table_get_rows(table); i++) {
    n += ms_target_is_chosen(table, column, word, i);
  }
  return n;
}

ms_status ms_target_choose(const ms_study *s, const ms_calibrate_target *t, const char *key,
                           const char *column, const ms_table *table, const char **out) {
  struct fy_node *node = ms_yaml_get(t->node, key);
  const char *first = ms_table_get_word(table, column, 0);
  char what[120];
  *out = NULL;
  if (node) MS_TRY(ms_yaml_text(&s->yaml, node, key, out));
  if (node && !first) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "the table has no words in a column '%s'",
                        column);
  }
  if (!first) return MS_SUCCESS;
  const ptrdiff_t n = count_words(table, column, *out ? *out : first);
  if (*out ? n > 0 : n == ms_table_get_rows(table)) return MS_SUCCESS;
  snprintf(what, sizeof what, *out ? "there is no %s '%.60s'" : "say which with %s: ...", key,
           *out ? *out : "");
  return fail_choice(s, node ? node : t->node, column, table, what);
}

/* ---- options ---- */

ms_status ms_target_find_joint(const ms_study *s, const ms_calibrate_target *t, int *out) {
  return ms_study_find_joint(s, ms_yaml_get(t->node, "joint"), out);
}

ms_status ms_target_share_points(const ms_study *s, ptrdiff_t n, double *const part[3], int *row) {
  for (int i = 0; i < 3; i++) MS_TRY(ms_study_share(s, 0, part[i], (size_t)n * sizeof *part[i]));
  return ms_study_share(s, 0, row, (size_t)n * sizeof *row);
}
