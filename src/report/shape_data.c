/* The data of a shape in a page: whole numbers, each as the difference to the one that stood
   `stride` before it, in letters of six bits.

   Nodes next to each other in the list are mostly next to each other in space and move alike, so
   that differences are small: a structured mesh comes out at about half the size of the plain
   numbers in base64. A difference d becomes 2 d, or -2 d - 1 if it is negative, and is written from
   its lowest five bits up; the sixth bit of a letter says that more follow. */
#include "report/page.h"

#include <math.h>

static const double coordinate_steps =
    32767.0; /* from the middle of the box to its farthest side */
static const double displacement_steps = 4095.0; /* from 0 to the largest component of a mode */
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

static void write_mode(writer *w, const ms_shape_mode *mode, ptrdiff_t n) {
  static const double zero[3];
  double largest = ms_shape_largest(mode, n);
  ms_json_begin_object(w->json, NULL);
  ms_json_add_text(w->json, "name", mode->name);
  ms_json_add_text(w->json, "value", mode->value);
  ms_json_add_number(w->json, "step", largest / displacement_steps);
  write_vectors(w, "u", mode->u, n, zero, largest / displacement_steps);
  ms_json_end(w->json);
}

static void write_all(writer *w, const ms_shape *s) {
  ms_json_begin_object(w->json, NULL);
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
  ms_json_begin_array(w->json, "modes");
  for (ptrdiff_t i = 0; i < s->n_mode; i++) write_mode(w, &s->mode[i], s->n_node);
  ms_json_end(w->json);
  ms_json_begin_array(w->json, "marks");
  for (ptrdiff_t i = 0; i < s->n_mark; i++) {
    ms_json_begin_object(w->json, NULL);
    ms_json_add_integer(w->json, "node", s->mark[i].node);
    ms_json_add_text(w->json, "label", s->mark[i].label);
    ms_json_end(w->json);
  }
  ms_json_end(w->json);
  ms_json_end(w->json);
}

static ms_status setup(writer *w, FILE *out, ms_context *ctx, const ms_shape *s) {
  ptrdiff_t most = 3 * s->n_node;
  if (most < 4 * s->n_face) most = 4 * s->n_face;
  if (most < 2 * s->n_line) most = 2 * s->n_line;
  MS_TRY(ms_allocate(ctx, most, sizeof *w->number, &w->number));
  MS_TRY(ms_allocate(ctx, most + 1, MAX_LETTERS, &w->text));
  MS_TRY(ms_json_create(ctx, out, &w->json));
  ms_json_escape_markup(w->json);
  return MS_SUCCESS;
}

ms_status ms_shape_write_data(FILE *out, ms_context *ctx, const ms_shape *shape) {
  writer w = { 0 };
  ms_status status = setup(&w, out, ctx, shape);
  if (status == MS_SUCCESS) {
    write_all(&w, shape);
    status = ms_json_close(&w.json);
  }
  ms_free(ctx, &w.number);
  ms_free(ctx, &w.text);
  return status;
}
