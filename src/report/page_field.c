/* Fields on faces: checked and copied; written as a still picture with a scale, and as data from
   which the script draws (shape.js). */
#include "report/page.h"

#include <math.h>
#include <string.h>

#include "core/internal.h"

ptrdiff_t ms_fields_count(const ms_fields *f, const ms_face_field *field) {
  return f->n_frame * (field->by_node ? f->body.n_node : f->body.n_face);
}

static double height(const ms_face_field *field, ptrdiff_t i) {
  if (!field->log) return field->value[i];
  return field->value[i] > 0.0 ? log(field->value[i]) : (double)NAN;
}

void ms_field_range(const ms_fields *f, const ms_face_field *field, double range[2]) {
  range[0] = range[1] = (double)NAN; /* fmin and fmax leave it out */
  for (ptrdiff_t i = 0; i < ms_fields_count(f, field); i++) {
    range[0] = fmin(range[0], height(field, i));
    range[1] = fmax(range[1], height(field, i));
  }
}

/* By halves, so that no finite range is too large. */
double ms_field_part(const ms_face_field *field, ptrdiff_t i, const double range[2]) {
  const double v = height(field, i), span = 0.5 * range[1] - 0.5 * range[0];
  return isnan(v) ? v : span > 0.0 ? (0.5 * v - 0.5 * range[0]) / span : 0.0;
}

/* ---- checking and copying ---- */

static ms_status check_field(ms_context *ctx, const ms_fields *f, const ms_face_field *field) {
  if (!field->name || !field->value)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a field has no %s", field->name ? "values" : "name");
  const ptrdiff_t n = f->of ? f->n_frame * f->n_value : ms_fields_count(f, field);
  const ptrdiff_t each = n / f->n_frame;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!isinf(field->value[i])) continue;
    return ms_fail(ctx, MS_ERR_NUMERIC, "%s of %s %td in frame %td is %g", field->name,
                   field->by_node ? "node" : "face", i % each, i / each, field->value[i]);
  }
  return MS_SUCCESS;
}

static ms_status check(ms_context *ctx, const ms_fields *f) {
  if (!f || f->body.n_face < 1 || f->n_frame < 1 || f->n_field < 1 || !f->field)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "fields need faces, frames and at least one field");
  for (ptrdiff_t k = 0; f->frame_value && k < f->n_frame; k++) {
    if (isfinite(f->frame_value[k])) continue;
    return ms_fail(ctx, MS_ERR_NUMERIC, "the value of frame %td is %g", k, f->frame_value[k]);
  }
  for (ptrdiff_t i = 0; i < f->n_field; i++) MS_TRY(check_field(ctx, f, &f->field[i]));
  return MS_SUCCESS;
}

static ms_status copy_text(ms_context *ctx, const char *from, const char **to) {
  char *text;
  MS_TRY(ms_text_copy(ctx, from, &text));
  *to = text;
  return MS_SUCCESS;
}

static ms_status copy_numbers(ms_context *ctx, ptrdiff_t n, const double *from, const double **to) {
  double *copy;
  MS_TRY(ms_allocate(ctx, n, sizeof *copy, &copy));
  memcpy(copy, from, (size_t)n * sizeof *copy);
  *to = copy;
  return MS_SUCCESS;
}

/* Of nodes that have the values of places. */
static ms_status spread_numbers(ms_context *ctx, const ms_fields *f, const double *from,
                                const double **to) {
  double *copy, *next;
  MS_TRY(ms_allocate(ctx, f->n_frame * f->body.n_node, sizeof *copy, &copy));
  *to = next = copy;
  for (ptrdiff_t k = 0; k < f->n_frame; k++, from += f->n_value) {
    for (ptrdiff_t i = 0; i < f->body.n_node; i++) *next++ = from[f->of[i]];
  }
  return MS_SUCCESS;
}

static ms_status copy_frames(ms_context *ctx, const ms_fields *from, ms_fields *to) {
  const ptrdiff_t n = to->n_frame = from->n_frame;
  MS_TRY(copy_text(ctx, from->frame_name, &to->frame_name));
  MS_TRY(copy_text(ctx, from->frame_unit, &to->frame_unit));
  if (from->frame_value) MS_TRY(copy_numbers(ctx, n, from->frame_value, &to->frame_value));
  if (!from->frame_text) return MS_SUCCESS;
  const char **text;
  MS_TRY(ms_allocate(ctx, n, sizeof *text, &text));
  to->frame_text = text;
  for (ptrdiff_t k = 0; k < n; k++) MS_TRY(copy_text(ctx, from->frame_text[k], &text[k]));
  return MS_SUCCESS;
}

ms_status ms_block_copy_fields(ms_context *ctx, const ms_fields *from, ms_page_block *block) {
  MS_TRY(check(ctx, from));
  MS_TRY(ms_allocate(ctx, 1, sizeof *block->fields, &block->fields));
  ms_fields *to = block->fields;
  MS_TRY(ms_shape_copy_body(ctx, &from->body, &to->body));
  MS_TRY(copy_frames(ctx, from, to));
  ms_face_field *field;
  MS_TRY(ms_allocate(ctx, from->n_field, sizeof *field, &field));
  to->field = field, to->n_field = from->n_field;
  for (ptrdiff_t i = 0; i < to->n_field; i++) {
    const ms_face_field *given = &from->field[i];
    field[i].by_node = given->by_node, field[i].log = given->log;
    MS_TRY(copy_text(ctx, given->name, &field[i].name));
    MS_TRY(copy_text(ctx, given->unit, &field[i].unit));
    MS_TRY(from->of ? spread_numbers(ctx, from, given->value, &field[i].value)
                    : copy_numbers(ctx, ms_fields_count(to, given), given->value, &field[i].value));
  }
  return MS_SUCCESS;
}

void ms_block_free_fields(ms_context *ctx, ms_page_block *block) {
  ms_fields *f = block->fields;
  if (!f) return;
  ms_shape_free(ctx, &f->body);
  for (ptrdiff_t k = 0; f->frame_text && k < f->n_frame; k++) ms_page_free(ctx, f->frame_text[k]);
  for (ptrdiff_t i = 0; f->field && i < f->n_field; i++) {
    ms_page_free(ctx, f->field[i].name);
    ms_page_free(ctx, f->field[i].unit);
    ms_page_free(ctx, f->field[i].value);
  }
  ms_page_free(ctx, f->frame_name);
  ms_page_free(ctx, f->frame_unit);
  ms_page_free(ctx, f->frame_value);
  ms_page_free(ctx, f->frame_text);
  ms_page_free(ctx, f->field);
  ms_free(ctx, &block->fields);
}

/* ---- writing ---- */

/* What the still picture shows, and the ends of its colours. */
static void write_still_words(FILE *out, const ms_fields *f) {
  const ms_face_field *field = f->field;
  const ptrdiff_t last = f->n_frame - 1;
  double range[2];
  ms_field_range(f, field, range);
  ms_page_write_text(out, "<p class=\"ms-field-still\">", field->name, "");
  ms_page_write_text(out, ", ", f->frame_name, "");
  if (f->frame_value) {
    fprintf(out, " %.4g", f->frame_value[last]);
    ms_page_write_text(out, " ", f->frame_unit, "");
  }
  if (f->frame_text) ms_page_write_text(out, ", ", f->frame_text[last], "");
  if (isfinite(range[0])) {
    for (int i = 0; i < 2; i++) range[i] = field->log ? exp(range[i]) : range[i];
    fprintf(out, ": <span>%.4g</span><i></i><span>%.4g", range[0], range[1]);
    ms_page_write_text(out, " ", field->unit, "");
    fputs("</span>", out);
  }
  fprintf(out, " (last of %td frame%s)</p>\n", f->n_frame, f->n_frame == 1 ? "" : "s");
}

ms_status ms_block_write_fields(FILE *out, ms_context *ctx, const ms_page_block *block,
                                int number) {
  fprintf(out, "<figure class=\"ms-shape ms-field\" id=\"figure-%d\">\n", number);
  MS_TRY(ms_fields_write_still(out, ctx, block->fields));
  write_still_words(out, block->fields);
  fprintf(out, "<figcaption><b>Figure %d</b>", number);
  ms_page_write_text(out, "<span class=\"caption\"> ", block->text, "</span>");
  fputs("</figcaption>\n<script type=\"application/json\">\n", out);
  MS_TRY(ms_fields_write_data(out, ctx, block->fields));
  fputs("</script>\n</figure>\n", out);
  return MS_SUCCESS;
}
