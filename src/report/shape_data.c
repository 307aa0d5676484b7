/* The data of a shape in a page: whole numbers, each as the difference to the one that stood
   `stride` before it, in letters of six bits.

   Nodes next to each other in the list are mostly next to each other in space and move alike, so
   that differences are small: a structured mesh comes out at about half the size of the plain
   numbers in base64. A difference d becomes 2 d, or -2 d - 1 if it is negative, and is written from
   its lowest five bits up; the sixth bit of a letter says that more follow. */
#include "report/page.h"

#include <math.h>

#define COORDINATE_STEPS   32767.0 /* from the middle of the box to its farthest side */
#define DISPLACEMENT_STEPS 4095.0  /* from 0 to the largest component of a mode */
#define MAX_LETTERS        7       /* of one number: 33 bits */

static char *put(char *to, int64_t difference) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  uint64_t rest = difference < 0 ? 2 * (uint64_t)-difference - 1 : 2 * (uint64_t)difference;
  for (; rest > 31; rest >>= 5) *to++ = letters[32 + (rest & 31)];
  *to++ = letters[rest];
  return to;
}

static ms_status write_numbers(ms_json *json, ms_context *ctx, const char *key, const int32_t *v,
                               ptrdiff_t n, int stride) {
  char *text, *end;
  MS_TRY(ms_allocate(ctx, n + 1, MAX_LETTERS, &text));
  end = text;
  for (ptrdiff_t i = 0; i < n; i++)
    end = put(end, (int64_t)v[i] - (i < stride ? 0 : v[i - stride]));
  *end = '\0';
  ms_json_add_text(json, key, text);
  ms_free(ctx, &text);
  return MS_SUCCESS;
}

/* (v - middle) / step, rounded; three components. */
static ms_status write_vectors(ms_json *json, ms_context *ctx, const char *key, const double *v,
                               ptrdiff_t n, const double *middle, double step) {
  int32_t *steps;
  MS_TRY(ms_allocate(ctx, n, 3 * sizeof *steps, &steps));
  for (ptrdiff_t i = 0; i < 3 * n; i++)
    steps[i] = step > 0.0 ? (int32_t)lround((v[i] - middle[i % 3]) / step) : 0;
  ms_status status = write_numbers(json, ctx, key, steps, 3 * n, 3);
  ms_free(ctx, &steps);
  return status;
}

static ms_status write_places(ms_json *json, ms_context *ctx, const ms_shape *s) {
  double middle[3], half = 0.0;
  for (int a = 0; a < 3; a++) {
    double low = s->x[a], high = s->x[a];
    for (ptrdiff_t i = 1; i < s->n_node; i++) {
      low = fmin(low, s->x[3 * i + a]);
      high = fmax(high, s->x[3 * i + a]);
    }
    middle[a] = 0.5 * low + 0.5 * high;
    half = fmax(half, 0.5 * high - 0.5 * low);
  }
  ms_json_add_numbers(json, "middle", middle, 3);
  ms_json_add_number(json, "step", half / COORDINATE_STEPS);
  return write_vectors(json, ctx, "x", s->x, s->n_node, middle, half / COORDINATE_STEPS);
}

/* A triangle has its third corner twice. */
static ms_status write_faces(ms_json *json, ms_context *ctx, const ms_shape *s) {
  int32_t *corner;
  MS_TRY(ms_allocate(ctx, s->n_face, 4 * sizeof *corner, &corner));
  for (ptrdiff_t i = 0; i < 4 * s->n_face; i++)
    corner[i] = s->face[i] < 0 ? s->face[i - 1] : s->face[i];
  ms_status status = write_numbers(json, ctx, "faces", corner, 4 * s->n_face, 4);
  ms_free(ctx, &corner);
  return status;
}

static ms_status write_mode(ms_json *json, ms_context *ctx, const ms_shape_mode *mode,
                            ptrdiff_t n) {
  static const double zero[3];
  double largest = 0.0;
  for (ptrdiff_t i = 0; i < 3 * n; i++) largest = fmax(largest, fabs(mode->u[i]));
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "name", mode->name);
  ms_json_add_text(json, "value", mode->value);
  ms_json_add_number(json, "step", largest / DISPLACEMENT_STEPS);
  MS_TRY(write_vectors(json, ctx, "u", mode->u, n, zero, largest / DISPLACEMENT_STEPS));
  ms_json_end(json);
  return MS_SUCCESS;
}

static ms_status write_all(ms_json *json, ms_context *ctx, const ms_shape *s) {
  ms_json_begin_object(json, NULL);
  ms_json_add_bool(json, "closed", s->closed);
  MS_TRY(write_places(json, ctx, s));
  MS_TRY(write_faces(json, ctx, s));
  MS_TRY(write_numbers(json, ctx, "lines", s->line, 2 * s->n_line, 2));
  ms_json_begin_array(json, "modes");
  for (ptrdiff_t i = 0; i < s->n_mode; i++) MS_TRY(write_mode(json, ctx, &s->mode[i], s->n_node));
  ms_json_end(json);
  ms_json_begin_array(json, "marks");
  for (ptrdiff_t i = 0; i < s->n_mark; i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_integer(json, "node", s->mark[i].node);
    ms_json_add_text(json, "label", s->mark[i].label);
    ms_json_end(json);
  }
  ms_json_end(json);
  ms_json_end(json);
  return MS_SUCCESS;
}

ms_status ms_shape_write_data(FILE *out, ms_context *ctx, const ms_shape *shape) {
  ms_json *json;
  MS_TRY(ms_json_create(ctx, out, &json));
  ms_json_escape_markup(json);
  ms_status status = write_all(json, ctx, shape), closed = ms_json_close(&json);
  return status != MS_SUCCESS ? status : closed;
}
