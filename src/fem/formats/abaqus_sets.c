/* Abaqus input files: sets of nodes and elements, surfaces. */
#include "fem/formats/abaqus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 64 }; /* members of a set in which nobody looks for repeated ones yet */

/* ---- sets ---- */

ptrdiff_t ms_abaqus_find_set(const ms_abaqus_scope *s, ms_set_kind kind, ms_span name) {
  for (ptrdiff_t i = 0; i < s->n_set; i++) {
    if (s->set[i].kind == kind && ms_abaqus_is(name, s->set[i].name)) return i;
  }
  return -1;
}

ms_status ms_abaqus_open_set(ms_abaqus *a, ms_set_kind kind, ms_span name, int *out) {
  ms_abaqus_scope *s = ms_abaqus_here(a);
  if (ms_io_length(name) == 0) return MS_ABAQUS_FAIL(a, "*%s: a set needs a name", a->key);
  ptrdiff_t at = ms_abaqus_find_set(s, kind, name);
  *out = (int)at;
  if (at >= 0) return MS_SUCCESS;
  MS_TRY(ms_grow(a->ctx, s->n_set + 1, &s->set_capacity, sizeof *s->set, &s->set));
  s->set[s->n_set] = (ms_abaqus_set) { .kind = kind, .place = a->place };
  MS_TRY(ms_abaqus_copy(a, name, &s->set[s->n_set].name));
  *out = (int)s->n_set++;
  return MS_SUCCESS;
}

static ms_status append(ms_context *ctx, ms_abaqus_set *s, ms_abaqus_item item) {
  MS_TRY(ms_grow(ctx, s->n + 1, &s->capacity, sizeof *s->item, &s->item));
  s->item[s->n++] = item;
  return MS_SUCCESS;
}

ms_status ms_abaqus_add_item(ms_abaqus *a, int set, ms_abaqus_item item) {
  return append(a->ctx, &ms_abaqus_here(a)->set[set], item);
}

static ms_status add_range(ms_abaqus *a, int set, ms_abaqus_range range) {
  ms_abaqus_set *s = &ms_abaqus_here(a)->set[set];
  MS_TRY(ms_grow(a->ctx, s->n_range + 1, &s->range_capacity, sizeof *s->range, &s->range));
  s->range[s->n_range++] = range;
  return MS_SUCCESS;
}

/* ---- members that are named twice ---- */

/* A member as numbers: of an item the label, twice; of a range first, last and step. `at` is its
   place in the set. */
typedef struct member {
  ptrdiff_t key[5], at;
} member;

static int compare(const void *x, const void *y) {
  const member *a = x, *b = y;
  for (int i = 0; i < 5; i++) {
    if (a->key[i] != b->key[i]) return a->key[i] < b->key[i] ? -1 : 1;
  }
  return a->at < b->at ? -1 : a->at > b->at;
}

static member member_of(const ms_abaqus_set *s, int of_ranges, ptrdiff_t i) {
  if (of_ranges) {
    const ms_abaqus_range *r = &s->range[i];
    return (member) { { r->first, r->last, r->step, r->instance, r->face }, i };
  }
  return (member) { { s->item[i].label, 0, 0, s->item[i].instance, s->item[i].face }, i };
}

/* Of equal members the first stays, where it is; *n of them are left. */
static ms_status drop_repeated(ms_context *ctx, ms_abaqus_set *s, int of_ranges, ptrdiff_t *n) {
  member *sorted;
  ptrdiff_t kept = 0;
  unsigned char *again;
  if (*n < 2) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, *n, sizeof *sorted, &sorted));
  ms_status status = ms_allocate(ctx, *n, 1, &again);
  if (status == MS_SUCCESS) {
    for (ptrdiff_t i = 0; i < *n; i++) sorted[i] = member_of(s, of_ranges, i);
    qsort(sorted, (size_t)*n, sizeof *sorted, compare);
    for (ptrdiff_t i = 1; i < *n; i++) {
      again[sorted[i].at] = memcmp(sorted[i].key, sorted[i - 1].key, sizeof sorted->key) == 0;
    }
    for (ptrdiff_t i = 0; i < *n; i++) {
      if (again[i]) continue;
      if (of_ranges)
        s->range[kept++] = s->range[i];
      else
        s->item[kept++] = s->item[i];
    }
    *n = kept;
  }
  ms_free(ctx, &again);
  ms_free(ctx, &sorted);
  return status;
}

static ms_status drop_all_repeated(ms_context *ctx, ms_abaqus_set *s) {
  MS_TRY(drop_repeated(ctx, s, 0, &s->n));
  MS_TRY(drop_repeated(ctx, s, 1, &s->n_range));
  s->n_distinct = s->n + s->n_range;
  return MS_SUCCESS;
}

/* ---- members by name and number ---- */

int ms_abaqus_split(const ms_abaqus *a, ms_span *name) {
  const char *dot = memchr(name->begin, '.', ms_io_length(*name));
  if (!dot || a->current) return a->of_instance;
  int found = ms_abaqus_find_instance(a, (ms_span) { name->begin, dot });
  if (found < 0) return a->of_instance; /* a dot in a plain name */
  name->begin = dot + 1;
  return found;
}

/* The members of a set of the same kind, or a node or element by its number. */
static ms_status add_members(ms_abaqus *a, int set, ms_set_kind kind, ms_span name, int face) {
  ptrdiff_t label;
  char shown[MS_IO_EXCERPT_SIZE];
  int instance = ms_abaqus_split(a, &name);
  if (ms_abaqus_is_integer(name, &label)) {
    return ms_abaqus_add_item(a, set, (ms_abaqus_item) { label, instance, (unsigned char)face });
  }
  int scope = instance > 0 ? a->instance[instance].scope : a->current;
  ptrdiff_t from = ms_abaqus_find_set(&a->scope[scope], kind, name);
  if (from < 0) {
    return MS_ABAQUS_FAIL(a, "*%s: there is no set of %s '%s' above; define it first", a->key,
                          kind == MS_SET_NODES ? "nodes" : "elements", ms_io_excerpt(name, shown));
  }
  ptrdiff_t n = a->scope[scope].set[from].n; /* it may be the set that grows */
  for (ptrdiff_t i = 0; i < n; i++) {
    ms_abaqus_item item = a->scope[scope].set[from].item[i];
    if (instance > 0) item.instance = instance;
    item.face = (unsigned char)face;
    MS_TRY(ms_abaqus_add_item(a, set, item));
  }
  n = a->scope[scope].set[from].n_range;
  for (ptrdiff_t i = 0; i < n; i++) {
    ms_abaqus_range range = a->scope[scope].set[from].range[i];
    if (instance > 0) range.instance = instance;
    range.face = (unsigned char)face;
    MS_TRY(add_range(a, set, range));
  }
  /* Sets that name sets that name sets would double in size with every line. */
  ms_abaqus_set *grown = &ms_abaqus_here(a)->set[set];
  return grown->n + grown->n_range > 2 * grown->n_distinct + FEW ? drop_all_repeated(a->ctx, grown)
                                                                 : MS_SUCCESS;
}

static ms_status begin_set(ms_abaqus *a, ms_set_kind kind, const char *name) {
  ms_span value;
  MS_TRY(ms_abaqus_refuse(a, kind == MS_SET_NODES ? "ELSET" : ""));
  a->generate = ms_abaqus_parameter(a, "GENERATE", &value);
  a->of_instance = -1;
  if (ms_abaqus_parameter(a, "INSTANCE", &value)) {
    a->of_instance = ms_abaqus_find_instance(a, value);
    if (a->of_instance < 0) {
      return MS_ABAQUS_FAIL(a, "*%s: there is no *INSTANCE '%.*s' above", a->key,
                            (int)ms_io_length(value), value.begin);
    }
  }
  ms_abaqus_parameter(a, name, &value);
  return ms_abaqus_open_set(a, kind, value, &a->set);
}

static ms_status begin_nset(ms_abaqus *a) {
  return begin_set(a, MS_SET_NODES, "NSET");
}

static ms_status begin_elset(ms_abaqus *a) {
  return begin_set(a, MS_SET_ELEMENTS, "ELSET");
}

static ms_status generate(ms_abaqus *a, ms_span line) {
  ptrdiff_t value[3] = { 0, 0, 1 };
  ms_span field;
  for (int i = 0; i < 3 && ms_abaqus_field(&line, &field); i++) {
    if (i < 2 || field.begin < field.end) {
      MS_TRY(ms_abaqus_integer(a, field, "number", &value[i]));
    }
  }
  if (value[2] < 1 || value[0] < 0 || value[1] < value[0] ||
      (value[1] - value[0]) % value[2] != 0) {
    return MS_ABAQUS_FAIL(a, "*%s: from %td to %td by %td; the last number must be reached", a->key,
                          value[0], value[1], value[2]);
  }
  return add_range(a, a->set,
                   (ms_abaqus_range) { value[0], value[1], value[2], a->of_instance, 0, a->place });
}

static ms_status note_missing(ms_abaqus *a, const ms_abaqus_range *r, const char *what,
                              const char *set) {
  char text[MS_ABAQUS_NAME_SIZE];
  int n = snprintf(text, sizeof text, "%s of GENERATE that do not exist, in set %.100s", what, set);
  a->place = r->place;
  return ms_abaqus_note(a, (ms_span) { text, text + n });
}

/* Over the range, or over the numbers there are if these are fewer. */
static ms_status expand_range(ms_abaqus *a, const ms_abaqus_scope *here, ms_abaqus_set *set,
                              const ms_abaqus_range *r) {
  int of_nodes = set->kind == MS_SET_NODES;
  const ms_abaqus_scope *s = r->instance > 0 ? &a->scope[a->instance[r->instance].scope] : here;
  const ms_labels *known = of_nodes ? &s->nodes : &s->elements;
  ptrdiff_t n = of_nodes ? s->n_node : s->n_element, more = (r->last - r->first) / r->step;
  ptrdiff_t before = set->n;
  for (ptrdiff_t i = 0; i <= more && i < n; i++) {
    ptrdiff_t there = of_nodes ? s->label[i] : s->element[i].label;
    ptrdiff_t label = more < n ? r->first + i * r->step : there;
    int fits = label >= r->first && label <= r->last && (label - r->first) % r->step == 0;
    if (!fits || ms_labels_get(known, label) < 0) continue;
    MS_TRY(append(a->ctx, set, (ms_abaqus_item) { label, r->instance, r->face }));
  }
  if (set->n - before - 1 == more) return MS_SUCCESS;
  const char *what = of_nodes ? "nodes" : "elements";
  if (set->n == before) {
    return MS_ABAQUS_FAIL_AT(a, r->place, "there are no %s from %td to %td by %td; correct them",
                             what, r->first, r->last, r->step);
  }
  return note_missing(a, r, what, set->name);
}

ms_status ms_abaqus_expand(ms_abaqus *a) {
  for (ptrdiff_t i = 0; i < a->n_scope; i++) {
    for (ptrdiff_t k = 0; k < a->scope[i].n_set; k++) {
      ms_abaqus_set *set = &a->scope[i].set[k];
      MS_TRY(drop_all_repeated(a->ctx, set));
      for (ptrdiff_t m = 0; m < set->n_range; m++) {
        MS_TRY(expand_range(a, &a->scope[i], set, &set->range[m]));
      }
      MS_TRY(drop_repeated(a->ctx, set, 0, &set->n));
    }
  }
  return MS_SUCCESS;
}

static ms_status data_set(ms_abaqus *a, ms_span line) {
  ms_span field;
  if (a->generate) return generate(a, line);
  while (ms_abaqus_field(&line, &field)) {
    if (field.begin == field.end) continue;
    MS_TRY(add_members(a, a->set, ms_abaqus_here(a)->set[a->set].kind, field, 0));
  }
  return MS_SUCCESS;
}

/* ---- surfaces ---- */

static ms_status begin_surface(ms_abaqus *a) {
  ms_span name, type;
  MS_TRY(ms_abaqus_refuse(a, "COMBINE CROP"));
  int given = ms_abaqus_parameter(a, "TYPE", &type), nodes = given && ms_abaqus_is(type, "NODE");
  if (given && !nodes && !ms_abaqus_is(type, "ELEMENT")) {
    return MS_ABAQUS_FAIL(a, "*SURFACE: TYPE=%.*s; it must be ELEMENT or NODE",
                          (int)ms_io_length(type), type.begin);
  }
  a->of_instance = -1;
  ms_abaqus_parameter(a, "NAME", &name);
  return ms_abaqus_open_set(a, nodes ? MS_SET_NODES : MS_SET_FACES, name, &a->set);
}

static ms_status data_surface(ms_abaqus *a, ms_span line) {
  ms_span set, face;
  char shown[MS_IO_EXCERPT_SIZE];
  ms_abaqus_field(&line, &set);
  ms_abaqus_field(&line, &face);
  if (ms_abaqus_here(a)->set[a->set].kind == MS_SET_NODES) {
    return add_members(a, a->set, MS_SET_NODES, set, 0);
  }
  int good = ms_io_length(face) == 2 && (*face.begin == 'S' || *face.begin == 's') &&
             face.begin[1] >= '1' && face.begin[1] <= '6';
  if (!good) {
    return MS_ABAQUS_FAIL(a, "*SURFACE: face '%s'; it must be S1 to S6",
                          ms_io_excerpt(face, shown));
  }
  return add_members(a, a->set, MS_SET_ELEMENTS, set, face.begin[1] - '1');
}

const ms_abaqus_keyword ms_abaqus_set_keywords[] = {
  { "NSET", begin_nset, data_set, NULL, 0 },
  { "ELSET", begin_elset, data_set, NULL, 0 },
  { "SURFACE", begin_surface, data_surface, NULL, 0 },
};
const int ms_abaqus_n_set_keywords =
    sizeof ms_abaqus_set_keywords / sizeof ms_abaqus_set_keywords[0];
