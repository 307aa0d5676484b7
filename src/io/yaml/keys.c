#include "io/yaml/keys.h"

#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "core/param.h"

typedef struct reader {
  const ms_key_source *from;
  const ms_yaml *y;
  void *options;
} reader;

static void *place_of(const reader *r, const ms_param *p) {
  return (char *)r->options + (p->offset - 1);
}

/* ---- values ---- */

double ms_keys_factor(const ms_units *units, const char *unit) {
  const char *const same[] = { "Hz", "rad", "GB", "load" };
  for (size_t i = 0; unit && i < sizeof same / sizeof *same; i++) {
    if (strstr(unit, same[i])) return 1.0;
  }
  return unit ? ms_units_factor(units, unit) : 1.0;
}

static double factor_of(const reader *r, const ms_param *p) {
  return ms_keys_factor(r->from->units, p->unit);
}

/* The range is that of the value in SI; the message has the number as it stands in the file, and of
   a range with an end that is not 0 the end in the same units. */
static ms_status check_range(const reader *r, const ms_param *p, struct fy_node *node,
                             double value) {
  char range[96];
  const double factor = factor_of(r, p);
  if (ms_param_is_within(p, value * factor)) return MS_SUCCESS;
  ms_param here = *p;
  here.lower /= factor;
  here.upper /= factor;
  ms_param_describe_values(&here, range, sizeof range);
  return ms_yaml_fail(r->y, node, MS_ERR_BOUNDS, "%s must be %s, not %g%s%s", p->name, range, value,
                      p->why ? "; " : "", p->why ? p->why : "");
}

static ms_status read_number(const reader *r, const ms_param *p, struct fy_node *node,
                             double *out) {
  double value;
  MS_TRY(ms_yaml_number(r->y, node, p->name, &value));
  MS_TRY(check_range(r, p, node, value));
  *out = value * factor_of(r, p);
  return MS_SUCCESS;
}

static ms_status read_count(const reader *r, const ms_param *p, struct fy_node *node,
                            ptrdiff_t *out) {
  double value;
  MS_TRY(ms_yaml_number(r->y, node, p->name, &value));
  MS_TRY(check_range(r, p, node, value));
  if (value >= 1e15) {
    return ms_yaml_fail(r->y, node, MS_ERR_BOUNDS, "%s is too large: %g", p->name, value);
  }
  *out = (ptrdiff_t)value;
  return MS_SUCCESS;
}

static ms_status read_choice(const reader *r, const ms_param *p, struct fy_node *node, int *out) {
  const char *word;
  char list[320];
  MS_TRY(ms_yaml_text(r->y, node, p->name, &word));
  *out = ms_param_find_choice(p, word);
  if (*out >= 0) return MS_SUCCESS;
  ms_param_describe_choices(p, list, sizeof list);
  return ms_yaml_fail(r->y, node, MS_ERR_NAME, "%s '%s' is none of %s", p->name, word, list);
}

static ms_status read_choices(const reader *r, const ms_param *p, struct fy_node *node,
                              ms_chosen *out) {
  void *at = NULL;
  out->n = 0;
  const ptrdiff_t n = ms_yaml_is_sequence(node) ? ms_yaml_count(node) : 1;
  for (ptrdiff_t i = 0; i < n; i++) {
    struct fy_node *item = ms_yaml_is_sequence(node) ? ms_yaml_next_item(node, &at) : node;
    int index;
    MS_TRY(read_choice(r, p, item, &index));
    for (int k = 0; k < out->n; k++) {
      if (out->index[k] != index) continue;
      return ms_yaml_fail(r->y, item, MS_ERR_NAME, "%s has an entry twice", p->name);
    }
    out->index[out->n++] = index;
  }
  if (out->n > 0) return MS_SUCCESS;
  return ms_yaml_fail(r->y, node, MS_ERR_FORMAT, "%s is an empty list", p->name);
}

static ms_status read_flag(const reader *r, const ms_param *p, struct fy_node *node, int *out) {
  *out = ms_yaml_is_word(node, "true");
  if (*out || ms_yaml_is_word(node, "false")) return MS_SUCCESS;
  return ms_yaml_fail(r->y, node, MS_ERR_FORMAT, "%s must be true or false", p->name);
}

static ms_status read_numbers(const reader *r, const ms_param *p, struct fy_node *node,
                              ms_numbers *out) {
  void *at = NULL;
  ms_status status = MS_SUCCESS;
  MS_TRY(ms_yaml_numbers(r->y, node, p->name, &out->value, &out->n));
  if (p->count > 0 && out->n != p->count) {
    return ms_yaml_fail(r->y, node, MS_ERR_FORMAT, "%s must be %d numbers, not %td", p->name,
                        p->count, out->n);
  }
  for (ptrdiff_t i = 0; i < out->n && status == MS_SUCCESS; i++) {
    struct fy_node *item = ms_yaml_is_sequence(node) ? ms_yaml_next_item(node, &at) : node;
    status = check_range(r, p, item, out->value[i]);
    out->value[i] *= factor_of(r, p);
  }
  return status;
}

static ms_status read_pair(const reader *r, const ms_param *p, struct fy_node *node,
                           double out[2]) {
  ms_numbers both = { 0 };
  ms_status status = read_numbers(r, p, node, &both);
  if (status == MS_SUCCESS && (both.n != 2 || !(both.value[0] < both.value[1]))) {
    status = ms_yaml_fail(r->y, node, MS_ERR_BOUNDS,
                          "%s is two numbers, the lower first, e.g. [1, 100]", p->name);
  }
  if (status == MS_SUCCESS) out[0] = both.value[0], out[1] = both.value[1];
  ms_free(r->y->ctx, &both.value);
  return status;
}

static ms_status read_value(const reader *r, const ms_param *p, struct fy_node *node) {
  void *to = place_of(r, p);
  switch (p->kind) {
  case MS_PARAM_NUMBER:
    return read_number(r, p, node, to);
  case MS_PARAM_COUNT:
    return read_count(r, p, node, to);
  case MS_PARAM_CHOICE:
    return read_choice(r, p, node, to);
  case MS_PARAM_CHOICES:
    return read_choices(r, p, node, to);
  case MS_PARAM_FLAG:
    return read_flag(r, p, node, to);
  case MS_PARAM_WORD:
  case MS_PARAM_PATH:
    return ms_yaml_text(r->y, node, p->name, to);
  case MS_PARAM_NUMBERS:
  case MS_PARAM_COUNTS:
    return read_numbers(r, p, node, to);
  case MS_PARAM_PAIR:
    return read_pair(r, p, node, to);
  case MS_PARAM_TABLE:
  case MS_PARAM_MAPPING:
  case MS_PARAM_FORMS:
    *(struct fy_node **)to = node;
    return MS_SUCCESS;
  }
  return MS_SUCCESS;
}

static void choose_all(const ms_param *p, ms_chosen *all) {
  all->n = 1;
  for (const char *c = p->choices; *c; c++) all->n += *c == '|';
  for (int i = 0; i < all->n; i++) all->index[i] = i;
}

/* Words, lists and nodes are NULL and 0 already. */
static void set_default(const reader *r, const ms_param *p) {
  void *to = place_of(r, p);
  const int unset = p->fallback || p->required;
  switch (p->kind) {
  case MS_PARAM_NUMBER:
    *(double *)to = unset ? (double)NAN : p->typical;
    break;
  case MS_PARAM_COUNT:
    *(ptrdiff_t *)to = unset ? -1 : (ptrdiff_t)p->typical;
    break;
  case MS_PARAM_CHOICE:
    *(int *)to = unset ? -1 : 0;
    break;
  case MS_PARAM_CHOICES:
    if (!unset) choose_all(p, to);
    break;
  case MS_PARAM_FLAG:
    *(int *)to = (int)p->typical;
    break;
  case MS_PARAM_PAIR:
    ((double *)to)[0] = ((double *)to)[1] = (double)NAN;
    break;
  default:
    break;
  }
}

/* ---- mappings ---- */

/* Its keys are names that the file chooses; its owner reads what stands behind them. */
static int has_any_names(const ms_param *p) {
  return p->keys->n == 1 && strcmp(p->keys->param[0].name, "*") == 0;
}

static ms_status read_mapping(const reader *r, struct fy_node *node, const ms_param *keys, int n) {
  for (int i = 0; i < n; i++) {
    const ms_param *p = &keys[i];
    struct fy_node *value = ms_yaml_get_key(node, p);
    if (p->reader) {
      const ms_reading reading = { r->from->study, r->from->task, p, r->from };
      if (value || !p->required) MS_TRY(p->reader->read(&reading, value, place_of(r, p)));
    } else if (p->offset > 0) {
      set_default(r, p);
      if (value) MS_TRY(read_value(r, p, value));
    }
    if (p->kind != MS_PARAM_MAPPING) continue;
    if (value) MS_TRY(ms_yaml_check_keys(r->y, value, p->name, p->keys->param, p->keys->n));
    if (!has_any_names(p)) MS_TRY(read_mapping(r, value, p->keys->param, p->keys->n));
  }
  return MS_SUCCESS;
}

ms_status ms_keys_read(const ms_key_source *from, struct fy_node *node, struct fy_node *key,
                       const char *what, const ms_param *keys, int n, void *options) {
  const reader r = { from, from->yaml, options };
  int required = 0;
  for (int i = 0; i < n; i++) required |= keys[i].required;
  if (node || required) MS_TRY(ms_yaml_check_keys(r.y, node ? node : key, what, keys, n));
  return read_mapping(&r, node, keys, n);
}

ms_status ms_keys_read_mapping(const ms_key_source *from, struct fy_node *node, const char *what,
                               const ms_param_list *keys, void *options) {
  MS_TRY(ms_yaml_check_keys(from->yaml, node, what, keys->param, keys->n));
  return ms_keys_read(from, node, node, what, keys->param, keys->n, options);
}

ms_status ms_keys_read_value(const ms_key_source *from, struct fy_node *node, const char *name,
                             const ms_param *row, void *value) {
  const reader r = { from, from->yaml, value };
  ms_param named = *row;
  named.name = name;
  named.offset = 1;
  return read_value(&r, &named, node);
}

static ms_status read_few(const ms_reading *r, struct fy_node *node, void *value) {
  ms_few *few = value;
  ms_numbers all = { 0 };
  if (!node) return MS_SUCCESS;
  ms_status status = ms_keys_read_value(r->from, node, r->row->name, r->row, &all);
  if (status == MS_SUCCESS) {
    few->n = all.n;
    for (ptrdiff_t i = 0; i < all.n && i < MS_MAX_FEW; i++) few->value[i] = all.value[i];
  }
  ms_free(r->from->yaml->ctx, &all.value);
  return status;
}

const ms_param_reader ms_as_few = { .read = read_few };

int ms_keys_name(const ms_param *keys, int n, const void *options, const struct ms_task *other) {
  for (int i = 0; i < n; i++) {
    const ms_param *p = &keys[i];
    if (p->kind == MS_PARAM_MAPPING && ms_keys_name(p->keys->param, p->keys->n, options, other))
      return 1;
    if (!p->reader || !p->reader->names) continue;
    if (p->reader->names((const char *)options + (p->offset - 1), other)) return 1;
  }
  return 0;
}

void ms_keys_free(ms_context *ctx, const ms_param *keys, int n, void *options) {
  const reader r = { .options = options };
  for (int i = 0; i < n; i++) {
    if (keys[i].kind == MS_PARAM_MAPPING && !has_any_names(&keys[i]))
      ms_keys_free(ctx, keys[i].keys->param, keys[i].keys->n, options);
    if (keys[i].reader && keys[i].reader->free) keys[i].reader->free(ctx, place_of(&r, &keys[i]));
    const int is_list = keys[i].kind == MS_PARAM_NUMBERS || keys[i].kind == MS_PARAM_COUNTS;
    if (!is_list || keys[i].reader || keys[i].offset == 0) continue;
    ms_numbers *list = place_of(&r, &keys[i]);
    ms_free(ctx, &list->value);
    list->n = 0;
  }
}
