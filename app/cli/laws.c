/* microslip laws: the catalogue, from the laws' own tables. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

/* "phi, rho[, S]": the columns. */
static void table_text(const ms_param_table *t, char *text, size_t size) {
  size_t n = 0;
  text[0] = '\0';
  for (int c = 0; c < t->n_column && n < size; c++) {
    int optional = c >= t->n_required;
    int written = snprintf(text + n, size - n, "%s%s%s%s", optional ? "[" : "", c ? ", " : "",
                           t->column[c], optional ? "]" : "");
    n += written > 0 ? (size_t)written : 0;
  }
}

static void bound_text(const ms_param *p, char *text, size_t size) {
  char low[24] = "-inf", high[24] = "inf";
  if (p->kind == MS_PARAM_CHOICE) {
    snprintf(text, size, "%s", p->choices);
    return;
  }
  if (p->kind == MS_PARAM_TABLE) {
    table_text(p->table, text, size);
    return;
  }
  if (p->lower > -HUGE_VAL) snprintf(low, sizeof low, "%g", p->lower);
  if (p->upper < HUGE_VAL) snprintf(high, sizeof high, "%g", p->upper);
  snprintf(text, size, "%c%s, %s%c", p->open & 1 ? '(' : '[', low, high, p->open & 2 ? ')' : ']');
}

static void default_text(const ms_param *p, char *text, size_t size) {
  if (p->kind == MS_PARAM_TABLE) {
    snprintf(text, size, "table");
  } else if (p->required) {
    snprintf(text, size, "typical %g", p->typical);
  } else if (p->kind == MS_PARAM_CHOICE) {
    snprintf(text, size, "default %.*s", (int)strcspn(p->choices, "|"), p->choices);
  } else {
    snprintf(text, size, "default %g", p->typical);
  }
}

static void print_param(const ms_param *p) {
  char bounds[64], value[64];
  bound_text(p, bounds, sizeof bounds);
  default_text(p, value, sizeof value);
  printf("    %-16s %-12s %-20s %-18s %s\n", p->name, p->unit, bounds, value, p->meaning);
}

static void print_law(const ms_law_info *law) {
  printf("%s: %s\n    %s\n", law->name, law->title, law->reference);
  char sets[600];
  cli_describe_sets(law->param, law->n_param, sets, sizeof sets);
  if (sets[0]) printf("    give %s\n", sets);
  for (int i = 0; i < law->n_param; i++) print_param(&law->param[i]);
}

static void json_columns(ms_json *json, const ms_param_table *t) {
  ms_json_begin_array(json, "columns");
  for (int c = 0; c < t->n_column; c++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "name", t->column[c]);
    ms_json_add_text(json, "unit", t->unit[c]);
    ms_json_add_bool(json, "required", c < t->n_required);
    ms_json_add_numbers(json, "typical", t->typical[c], t->rows);
    ms_json_end(json);
  }
  ms_json_end(json);
}

static const char *kind_text(const ms_param *p) {
  if (p->kind == MS_PARAM_NUMBER) return p->required ? "required" : "optional";
  return p->kind == MS_PARAM_COUNT ? "count" : p->kind == MS_PARAM_CHOICE ? "choice" : "table";
}

static void json_param(ms_json *json, const ms_param *p) {
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "name", p->name);
  ms_json_add_text(json, "unit", p->unit);
  ms_json_add_text(json, "meaning", p->meaning);
  ms_json_add_text(json, "kind", kind_text(p));
  if (p->lower > -HUGE_VAL) ms_json_add_number(json, "lower", p->lower);
  if (p->upper < HUGE_VAL) ms_json_add_number(json, "upper", p->upper);
  ms_json_add_bool(json, "lower_excluded", p->open & 1);
  ms_json_add_bool(json, "upper_excluded", p->open & 2);
  ms_json_add_number(json, "typical", p->typical);
  ms_json_add_integer(json, "set", p->set);
  if (p->choices) ms_json_add_text(json, "choices", p->choices);
  if (p->table) json_columns(json, p->table);
  ms_json_end(json);
}

static void json_law(ms_json *json, const ms_law_info *law) {
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "name", law->name);
  ms_json_add_text(json, "title", law->title);
  ms_json_add_text(json, "reference", law->reference);
  ms_json_add_integer(json, "axes", law->n_axis);
  ms_json_begin_array(json, "parameters");
  for (int i = 0; i < law->n_param; i++) json_param(json, &law->param[i]);
  ms_json_end(json);
  ms_json_end(json);
}

static ms_status print_json(ms_context *ctx, const ms_law_info *only) {
  ms_json *json;
  MS_TRY(ms_json_create(ctx, stdout, &json));
  ms_json_begin_object(json, NULL);
  ms_json_begin_array(json, "laws");
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    if (!only || only == ms_joint_get_law(i)) json_law(json, ms_joint_get_law(i));
  }
  ms_json_end(json);
  ms_json_end(json);
  return ms_json_close(&json);
}

static void print_text(const ms_law_info *only) {
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    const ms_law_info *law = ms_joint_get_law(i);
    if (only && only != law) continue;
    if (i > 0 && !only) printf("\n");
    print_law(law);
  }
}

static ms_status run(ms_context *ctx, int argc, char **argv) {
  cli_args args = { .command = "laws", .argc = argc, .argv = argv };
  const ms_law_info *only = NULL;
  int json = 0;
  while (cli_has_more(&args)) {
    if (cli_take_flag(&args, "--json")) {
      json = 1;
    } else if (cli_is_word(&args) && !only) {
      MS_TRY(ms_joint_find_law(ctx, argv[args.at++], &only));
    } else {
      return cli_fail_unknown(ctx, &args);
    }
  }
  if (json) return print_json(ctx, only);
  print_text(only);
  return MS_SUCCESS;
}

const cli_command cli_command_laws = {
  .name = "laws",
  .summary = "the joint laws, with parameters, units and bounds",
  .usage =
      "microslip laws [LAW] [--json]\n\n"
      "Lists the joint laws, or one of them: parameters, units, bounds, defaults.\n",
  .run = run,
};
