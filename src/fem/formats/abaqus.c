/* Abaqus input files: which keywords there are, and the way through the file. Abaqus Keywords
   Reference Guide; what is read of it stands in docs/guide/meshes.md. */
#include "fem/formats/abaqus.h"

#include <string.h>

/* ---- keywords ---- */

/* Noted and passed over: requests, and what a linear elastic model has no use for. */
static const char *const ignored[] = {
  "PREPRINT",
  "OUTPUT",
  "NODEOUTPUT",
  "ELEMENTOUTPUT",
  "CONTACTOUTPUT",
  "ENERGYOUTPUT",
  "RESTART",
  "NODEPRINT",
  "NODEFILE",
  "ELPRINT",
  "ELFILE",
  "MONITOR",
  "FILEFORMAT",
  "AMPLITUDE",
  "TIMEPOINTS",
  "FILTER",
  "EXPANSION",
  "CONDUCTIVITY",
  "SPECIFICHEAT",
  "PLASTIC",
  "DAMPING",
  "PHYSICALCONSTANTS",
  "INITIALCONDITIONS",
  "SECTIONCONTROLS",
  "SURFACEINTERACTION",
  "FRICTION",
  "SURFACEBEHAVIOR",
  "TRANSVERSESHEARSTIFFNESS",
  "HOURGLASSSTIFFNESS",
};

static const ms_abaqus_keyword passed_over = { "", NULL, NULL, NULL, 1 };

static const ms_abaqus_keyword *look_up(const ms_abaqus_keyword *list, int n, const char *key) {
  for (int i = 0; i < n; i++) {
    if (strcmp(list[i].name, key) == 0) return &list[i];
  }
  return NULL;
}

static ms_status find_keyword(ms_abaqus *a) {
  for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
    a->keyword = &passed_over;
    if (strcmp(a->key, ignored[i]) == 0) return MS_SUCCESS;
  }
  a->keyword = look_up(ms_abaqus_mesh_keywords, ms_abaqus_n_mesh_keywords, a->key);
  if (!a->keyword) a->keyword = look_up(ms_abaqus_set_keywords, ms_abaqus_n_set_keywords, a->key);
  if (!a->keyword)
    a->keyword = look_up(ms_abaqus_property_keywords, ms_abaqus_n_property_keywords, a->key);
  if (!a->keyword)
    a->keyword = look_up(ms_abaqus_condition_keywords, ms_abaqus_n_condition_keywords, a->key);
  if (a->keyword) return MS_SUCCESS;
  return MS_ABAQUS_FAIL(a, "*%s is not supported and may matter; remove it if it does not", a->key);
}

ms_status ms_abaqus_note(ms_abaqus *a, ms_span name) {
  MS_TRY(ms_grow(a->ctx, a->n_condition + 1, &a->condition_capacity, sizeof *a->condition,
                 &a->condition));
  a->condition[a->n_condition++] =
      (ms_abaqus_condition) { .kind = MS_CONDITION_IGNORED, .place = a->place };
  return ms_abaqus_copy(a, name, &a->condition[a->n_condition - 1].name);
}

static ms_status note_keyword(ms_abaqus *a) {
  return ms_abaqus_note(a, (ms_span) { a->text, a->text + strcspn(a->text, ",") });
}

/* A step is about loads and answers: all of it is noted and passed over. */
static ms_status begin_keyword(ms_abaqus *a) {
  int step = strcmp(a->key, "STEP") == 0;
  if (a->in_step || step) {
    a->keyword = &passed_over;
    a->in_step = strcmp(a->key, "ENDSTEP") != 0;
    return note_keyword(a);
  }
  MS_TRY(find_keyword(a));
  if (a->in_instance && strcmp(a->key, "ENDINSTANCE") != 0) {
    return MS_ABAQUS_FAIL(a, "*%s inside *INSTANCE is not read; put it into the part", a->key);
  }
  if (a->keyword->ignored) MS_TRY(note_keyword(a));
  return a->keyword->begin ? a->keyword->begin(a) : MS_SUCCESS;
}

static ms_status end_keyword(ms_abaqus *a) {
  return a->keyword && a->keyword->end ? a->keyword->end(a) : MS_SUCCESS;
}

static ms_status take_data(ms_abaqus *a, ms_span line) {
  char shown[MS_IO_EXCERPT_SIZE];
  if (a->keyword && a->keyword->ignored) return MS_SUCCESS;
  if (a->keyword && a->keyword->data) return a->keyword->data(a, line);
  return MS_ABAQUS_FAIL(a,
                        "'%s' has no keyword before it; a line that begins with * must come first",
                        ms_io_excerpt(line, shown));
}

static ms_status read_lines(ms_abaqus *a) {
  ms_span line;
  int found;
  for (;;) {
    MS_TRY(ms_abaqus_next(a, &line, &found));
    if (!found) break;
    if (*line.begin != '*') {
      MS_TRY(take_data(a, line));
      continue;
    }
    MS_TRY(end_keyword(a));
    a->keyword = NULL;
    MS_TRY(ms_abaqus_take_keyword(a, line));
    MS_TRY(begin_keyword(a));
  }
  MS_TRY(end_keyword(a));
  if (a->current) return MS_ABAQUS_FAIL(a, "the file ends inside *PART; *END PART is missing");
  return MS_SUCCESS;
}

/* ---- the whole ---- */

static void discard_scope(ms_context *ctx, ms_abaqus_scope *s) {
  for (ptrdiff_t i = 0; i < s->n_set; i++) {
    ms_free(ctx, &s->set[i].name);
    ms_free(ctx, &s->set[i].item);
    ms_free(ctx, &s->set[i].range);
  }
  for (ptrdiff_t i = 0; i < s->n_section; i++) {
    ms_free(ctx, &s->section[i].set);
    ms_free(ctx, &s->section[i].material);
    ms_free(ctx, &s->section[i].orientation);
  }
  ms_free(ctx, &s->name);
  ms_free(ctx, &s->x);
  ms_free(ctx, &s->label);
  ms_free(ctx, &s->element);
  ms_free(ctx, &s->list);
  ms_free(ctx, &s->set);
  ms_free(ctx, &s->section);
  ms_labels_free(ctx, &s->nodes);
  ms_labels_free(ctx, &s->elements);
}

static void discard_condition(ms_context *ctx, ms_abaqus_condition *c) {
  for (int i = 0; i < c->n_term; i++) ms_free(ctx, &c->term[i].node);
  ms_free(ctx, &c->name);
  ms_free(ctx, &c->nodes);
  ms_free(ctx, &c->faces);
  ms_free(ctx, &c->slave);
  ms_free(ctx, &c->reference);
  ms_free(ctx, &c->term);
}

static void discard(ms_abaqus *a) {
  ms_abaqus_close(a);
  for (ptrdiff_t i = 0; i < a->n_scope; i++) discard_scope(a->ctx, &a->scope[i]);
  for (ptrdiff_t i = 0; i < a->n_instance; i++) {
    ms_free(a->ctx, &a->instance[i].name);
    ms_free(a->ctx, &a->instance[i].element);
  }
  for (ptrdiff_t i = 0; i < a->n_material; i++) ms_free(a->ctx, &a->material[i].name);
  for (ptrdiff_t i = 0; i < a->n_orientation; i++) ms_free(a->ctx, &a->orientation[i].name);
  for (ptrdiff_t i = 0; i < a->n_condition; i++) discard_condition(a->ctx, &a->condition[i]);
  ms_free(a->ctx, &a->scope);
  ms_free(a->ctx, &a->instance);
  ms_free(a->ctx, &a->material);
  ms_free(a->ctx, &a->orientation);
  ms_free(a->ctx, &a->condition);
}

static ms_status read_all(ms_abaqus *a) {
  ms_reader *r = a->r;
  static const char empty[] = "";
  ms_span none = { empty, empty }, text = { r->bytes, r->bytes + r->length };
  MS_TRY(ms_io_refuse_nul(a->ctx, r->path, text));
  ms_io_skip_mark(&text);
  MS_TRY(ms_allocate(a->ctx, 1, sizeof *a->path, &a->path));
  a->path_capacity = 1;
  MS_TRY(ms_abaqus_copy(a, (ms_span) { r->path, r->path + strlen(r->path) }, &a->path[0]));
  a->n_path = 1;
  a->file[0].lines.rest = text;
  a->depth = 1;
  MS_TRY(ms_abaqus_add_scope(a, none));
  MS_TRY(ms_abaqus_add_instance(a, none, 0));
  MS_TRY(read_lines(a));
  MS_TRY(ms_abaqus_build(a));
  return ms_abaqus_add_conditions(a);
}

static ms_status abaqus_read(ms_reader *r) {
  ms_abaqus *a;
  ms_context *ctx = r->ctx;
  MS_TRY(ms_allocate(ctx, 1, sizeof *a, &a));
  a->r = r;
  a->ctx = ctx;
  ms_status status = read_all(a);
  discard(a);
  ms_free(ctx, &a);
  return status;
}

/* A keyword in the first line that is neither empty nor a comment. */
static int abaqus_sniff(const char *bytes, size_t length) {
  ms_lines lines = { { bytes, bytes + length }, 0 };
  ms_span line;
  ms_io_skip_mark(&lines.rest);
  while (ms_io_take_line(&lines, &line)) {
    line = ms_io_trim(line);
    size_t n = ms_io_length(line);
    if (n == 0 || (n >= 2 && line.begin[0] == '*' && line.begin[1] == '*')) continue;
    return n >= 2 && line.begin[0] == '*' &&
           ((line.begin[1] | 32) >= 'a' && (line.begin[1] | 32) <= 'z');
  }
  return 0;
}

static const char *const endings[] = { ".inp", NULL };

const ms_mesh_format ms_mesh_format_abaqus = {
  .name = "abaqus",
  .title = "Abaqus input file",
  .endings = endings,
  .sniff = abaqus_sniff,
  .read = abaqus_read,
};
