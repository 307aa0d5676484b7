/* The data of a shape or of fields in a page: whole numbers, each as the difference to the one that
   stood `stride` before it, in letters of six bits.

   Nodes next to each other in the list are mostly next to each other in space and move alike, so
   that differences are small: a structured mesh comes out at about half the size of the plain
   numbers in base64. A difference d becomes 2 d, or -2 d - 1 if it is negative, and is written from
   its lowest five bits up; the sixth bit of a letter says that more follow. */
#include "report/page.h"

#include <math.h>

static const double coordinate_steps =
    32767.0; /* from the middle of the box to its farthest side */
static const double displacement_steps = 4095.0; /* from 0 to the largest component of a mode */
static const double field_steps = 4095.0;        /* from the lowest value to the highest */
enum { MAX_LETTERS = 7 };                        /* of one number: 33 bits */

static char *put(char *to, int64_t difference) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  uint64_t rest = difference < 0 ? 2 * (uint64_t)-difference - 1 : 2 * (uint64_t)difference;
  for (; rest > 31; rest >>= 5) *to++ = letters[32 + (rest & 31)];
  *to++ = letters[rest];
  return to;
}

/* Memory is taken before the first letter is written, so that writing cannot fail in between. */
typedef struct writer {
  ms_json *json;
  int32_t *number;
  char *text;
} writer;

static void write_numbers(writer *w, const char *key, const int32_t *v, ptrdiff_t n, int stride) {
  char *end = w->text;
  for (ptrdiff_t i = 0; i < n; i++)
    end = put(end, (int64_t)v[i] - (i < stride ? 0 : v[i - stride]));
  *end = '\0';
  ms_json_add_text(w->json, key, w->text);
}

/* (v - middle) / step, rounded; three components. */
static void write_vectors(writer *w, const char *key, const double *v, ptrdiff_t n,
                          const double *middle, double step) {
  for (ptrdiff_t i = 0; i < 3 * n; i++)
    w->number[i] = step > 0.0 ? (int32_t)lround((v[i] - middle[i % 3]) / step) : 0;
  write_numbers(w, key, w->number, 3 * n, 3);
}

/* Halves, so that no finite place is too large. */
double ms_shape_box(const ms_shape *s, double *middle) {
  double half = 0.0;
  for (int a = 0; a < 3; a++) {
    double low = s->x[a], high = s->x[a];
    for (ptrdiff_t i = 1; i < s->n_node; i++) {
      low = fmin(low, s->x[3 * i + a]);
      high = fmax(high, s->x[3 * i + a]);
    }
    middle[a] = 0.5 * low + 0.5 * high;
    half = fmax(half, 0.5 * high - 0.5 * low);
  }
  return half;
}

double ms_shape_largest(const ms_shape_mode *mode, ptrdiff_t n_node) {
  double largest = 0.0;
  for (ptrdiff_t i = 0; i < 3 * n_node; i++) largest = fmax(largest, fabs(mode->u[i]));
  return largest;
}

static void write_mode(writer *w, const char *key, const ms_shape_mode *mode, ptrdiff_t n) {
  static const double zero[3];
  double largest = ms_shape_largest(mode, n);
  ms_json_begin_object(w->json, key);
  ms_json_add_text(w->json, "name", mode->name);
  ms_json_add_text(w->json, "value", mode->value);
  if (mode->omega > 0.0) ms_json_add_number(w->json, "omega", mode->omega);
  if (mode->folded) ms_json_add_bool(w->json, "folded", 1);
  ms_json_add_number(w->json, "step", largest / displacement_steps);
  write_vectors(w, "u", mode->u, n, zero, largest / displacement_steps);
  if (mode->beside) write_mode(w, "beside", mode->beside, n);
  ms_json_end(w->json);
}

static void write_body(writer *w, const ms_shape *s) {
  ms_json_add_bool(w->json, "closed", s->closed);
  double middle[3], half = ms_shape_box(s, middle);
  ms_json_add_numbers(w->json, "middle", middle, 3);
  ms_json_add_number(w->json, "step", half / coordinate_steps);
  write_vectors(w, "x", s->x, s->n_node, middle, half / coordinate_steps);
  /* A triangle has its third corner twice. */
  for (ptrdiff_t i = 0; i < 4 * s->n_face; i++)
    w->number[i] = s->face[i] < 0 ? s->face[i - 1] : s->face[i];
  write_numbers(w, "faces", w->number, 4 * s->n_face, 4);
  write_numbers(w, "lines", s->line, 2 * s->n_line, 2);
  if (s->line_style) {
    for (ptrdiff_t i = 0; i < s->n_line; i++) w->number[i] = s->line_style[i];
    write_numbers(w, "styles", w->number, s->n_line, 1);
  }
  ms_json_begin_array(w->json, "marks");
  for (ptrdiff_t i = 0; i < s->n_mark; i++) {
    ms_json_begin_object(w->json, NULL);
    ms_json_add_integer(w->json, "node", s->mark[i].node);
    ms_json_add_text(w->json, "label", s->mark[i].label);
    if (s->mark[i].style) ms_json_add_integer(w->json, "style", (int)s->mark[i].style);
    ms_json_end(w->json);
  }
  ms_json_end(w->json);
}

static void write_modes(writer *w, const ms_shape *s) {
  if (s->side[0] && s->side[1]) {
    ms_json_begin_array(w->json, "sides");
    for (int i = 0; i < 2; i++) ms_json_add_text(w->json, NULL, s->side[i]);
    ms_json_end(w->json);
  }
  ms_json_begin_array(w->json, "modes");
  for (ptrdiff_t i = 0; i < s->n_mode; i++) write_mode(w, NULL, &s->mode[i], s->n_node);
  ms_json_end(w->json);
}

/* 0 is none, 1 the lowest value, 1 + field_steps the highest; differences are those between frames.
 */
static void write_field(writer *w, const ms_fields *f, const ms_face_field *field) {
  const ptrdiff_t n = ms_fields_count(f, field);
  double range[2];
  ms_field_range(f, field, range);
  ms_json_begin_object(w->json, NULL);
  ms_json_add_text(w->json, "name", field->name);
  ms_json_add_text(w->json, "unit", field->unit);
  if (field->by_node) ms_json_add_bool(w->json, "nodes", 1);
  if (field->log) ms_json_add_bool(w->json, "log", 1);
  if (isfinite(range[0])) ms_json_add_numbers(w->json, "range", range, 2);
  for (ptrdiff_t i = 0; i < n; i++) {
    const double part = ms_field_part(field, i, range);
    w->number[i] = isnan(part) ? 0 : 1 + (int32_t)lround(part * field_steps);
  }
  write_numbers(w, "values", w->number, n, (int)(n / f->n_frame));
  ms_json_end(w->json);
}

static void write_frames(writer *w, const ms_fields *f) {
  ms_json_add_integer(w->json, "frames", f->n_frame);
  ms_json_add_text(w->json, "frameName", f->frame_name);
  ms_json_add_text(w->json, "frameUnit", f->frame_unit);
  if (f->frame_value) ms_json_add_numbers(w->json, "frameValues", f->frame_value, f->n_frame);
  if (f->frame_text) {
    ms_json_begin_array(w->json, "frameTexts");
    for (ptrdiff_t k = 0; k < f->n_frame; k++) ms_json_add_text(w->json, NULL, f->frame_text[k]);
    ms_json_end(w->json);
  }
  ms_json_begin_array(w->json, "fields");
  for (ptrdiff_t i = 0; i < f->n_field; i++) write_field(w, f, &f->field[i]);
  ms_json_end(w->json);
}

static ms_status setup(writer *w, FILE *out, ms_context *ctx, const ms_shape *s, ptrdiff_t more) {
  ptrdiff_t most = 3 * s->n_node;
  if (most < 4 * s->n_face) most = 4 * s->n_face;
  if (most < 2 * s->n_line) most = 2 * s->n_line;
  if (most < more) most = more;
  MS_TRY(ms_allocate(ctx, most, sizeof *w->number, &w->number));
  MS_TRY(ms_allocate(ctx, most + 1, MAX_LETTERS, &w->text));
  MS_TRY(ms_json_create(ctx, out, &w->json));
  ms_json_escape_markup(w->json);
  return MS_SUCCESS;
}

static ms_status write_data(FILE *out, ms_context *ctx, const ms_shape *body, const ms_fields *f) {
  writer w = { 0 };
  ptrdiff_t most = 0;
  for (ptrdiff_t i = 0; f && i < f->n_field; i++) {
    const ptrdiff_t n = ms_fields_count(f, &f->field[i]);
    most = n > most ? n : most;
  }
  ms_status status = setup(&w, out, ctx, body, most);
  if (status == MS_SUCCESS) {
    ms_json_begin_object(w.json, NULL);
    write_body(&w, body);
    f ? write_frames(&w, f) : write_modes(&w, body);
    ms_json_end(w.json);
    status = ms_json_close(&w.json);
  }
  ms_free(ctx, &w.number);
  ms_free(ctx, &w.text);
  return status;
}

ms_status ms_shape_write_data(FILE *out, ms_context *ctx, const ms_shape *shape) {
  return write_data(out, ctx, shape, NULL);
}

ms_status ms_fields_write_data(FILE *out, ms_context *ctx, const ms_fields *fields) {
  return write_data(out, ctx, &fields->body, fields);
}
