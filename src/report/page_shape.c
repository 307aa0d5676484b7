/* Mode shapes of a page: checked and copied; written as a still picture, and as data from which the
   script draws (shape.js). */
#include "report/page.h"

#include <math.h>
#include <string.h>

#include "core/internal.h"

/* ---- checking ---- */

static ms_status check_finite(ms_context *ctx, const double *v, ptrdiff_t n, const char *what) {
  for (ptrdiff_t i = 0; i < 3 * n; i++) {
    if (isfinite(v[i])) continue;
    return ms_fail(ctx, MS_ERR_NUMERIC, "%s of node %td is %g", what, i / 3, v[i]);
  }
  return MS_SUCCESS;
}

/* n corners each; of a face the last may be -1. */
static ms_status check_corners(ms_context *ctx, const ms_shape *s, const int32_t *node, ptrdiff_t n,
                               int n_corner, const char *what) {
  for (ptrdiff_t i = 0; i < n * n_corner; i++) {
    if (node[i] >= 0 && node[i] < s->n_node) continue;
    if (node[i] == -1 && i % 4 == 3 && n_corner == 4) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%s %td has node %d, nodes are 0 to %td", what,
                   i / n_corner, (int)node[i], s->n_node - 1);
  }
  return MS_SUCCESS;
}

static ms_status check_body(ms_context *ctx, const ms_shape *s) {
  if (s->n_node < 1 || s->n_node > INT32_MAX || !s->x)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a shape needs nodes; it has %td", s->n_node);
  if (s->n_face < 0 || s->n_line < 0 || s->n_mark < 0 || (s->n_face > 0 && !s->face) ||
      (s->n_line > 0 && !s->line) || (s->n_mark > 0 && !s->mark) ||
      s->n_face + s->n_line + s->n_mark == 0)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "a shape needs faces, lines or marks; it has %td faces, %td lines, %td marks",
                   s->n_face, s->n_line, s->n_mark);
  MS_TRY(check_finite(ctx, s->x, s->n_node, "the place"));
  MS_TRY(check_corners(ctx, s, s->face, s->n_face, 4, "face"));
  MS_TRY(check_corners(ctx, s, s->line, s->n_line, 2, "line"));
  for (ptrdiff_t i = 0; s->line_style && i < s->n_line; i++) {
    if (s->line_style[i] > MS_LINE_THIN)
      return ms_fail(ctx, MS_ERR_ARGUMENT, "line %td has style %d", i, s->line_style[i]);
  }
  for (ptrdiff_t i = 0; i < s->n_mark; i++) {
    if (s->mark[i].node >= 0 && s->mark[i].node < s->n_node) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT, "mark %td is at node %td, nodes are 0 to %td", i,
                   s->mark[i].node, s->n_node - 1);
  }
  return MS_SUCCESS;
}

static ms_status check_mode(ms_context *ctx, const ms_shape_mode *mode, ptrdiff_t i, ptrdiff_t n) {
  if (!mode->name || !mode->u)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "mode %td has no %s", i, mode->u ? "name" : "u");
  if (!isfinite(mode->omega))
    return ms_fail(ctx, MS_ERR_NUMERIC, "omega of mode %td is %g", i, mode->omega);
  MS_TRY(check_finite(ctx, mode->u, n, "the displacement"));
  return mode->beside ? check_mode(ctx, mode->beside, i, n) : MS_SUCCESS;
}

static ms_status check(ms_context *ctx, const ms_shape *s) {
  if (!s) return ms_fail(ctx, MS_ERR_ARGUMENT, "the shape is NULL");
  if (s->n_mode < 1 || !s->mode)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a shape needs modes; it has %td", s->n_mode);
  for (ptrdiff_t i = 0; i < s->n_mode; i++) MS_TRY(check_mode(ctx, &s->mode[i], i, s->n_node));
  return MS_SUCCESS;
}

/* ---- copying: what is allocated is in the block at once, and freed with it ---- */

static ms_status copy_bytes(ms_context *ctx, ptrdiff_t n, size_t size, const void *from,
                            void **to) {
  MS_TRY(ms_allocate(ctx, n, size, to));
  if (n > 0) memcpy(*to, from, (size_t)n * size);
  return MS_SUCCESS;
}

static ms_status copy_mode(ms_context *ctx, const ms_shape_mode *from, ptrdiff_t n,
                           ms_shape_mode *to) {
  void *u;
  char *text;
  to->omega = from->omega, to->folded = from->folded;
  MS_TRY(copy_bytes(ctx, n, 3 * sizeof(double), from->u, &u));
  to->u = u;
  MS_TRY(ms_text_copy(ctx, from->name, &text));
  to->name = text;
  MS_TRY(ms_text_copy(ctx, from->value, &text));
  to->value = text;
  if (!from->beside) return MS_SUCCESS;
  ms_shape_mode *beside;
  MS_TRY(ms_allocate(ctx, 1, sizeof *beside, &beside));
  to->beside = beside;
  return copy_mode(ctx, from->beside, n, beside);
}

static ms_status copy_modes(ms_context *ctx, const ms_shape *from, ms_shape *to) {
  ms_shape_mode *mode;
  MS_TRY(ms_allocate(ctx, from->n_mode, sizeof *mode, &mode));
  to->mode = mode, to->n_mode = from->n_mode;
  for (ptrdiff_t i = 0; i < to->n_mode; i++)
    MS_TRY(copy_mode(ctx, &from->mode[i], from->n_node, &mode[i]));
  return MS_SUCCESS;
}

ms_status ms_shape_copy_body(ms_context *ctx, const ms_shape *from, ms_shape *to) {
  void *copy;
  char *text;
  MS_TRY(check_body(ctx, from));
  MS_TRY(copy_bytes(ctx, from->n_node, 3 * sizeof *to->x, from->x, &copy));
  to->x = copy, to->n_node = from->n_node;
  MS_TRY(copy_bytes(ctx, from->n_face, 4 * sizeof *to->face, from->face, &copy));
  to->face = copy, to->n_face = from->n_face, to->closed = from->closed;
  MS_TRY(copy_bytes(ctx, from->n_line, 2 * sizeof *to->line, from->line, &copy));
  to->line = copy, to->n_line = from->n_line;
  if (from->line_style) {
    MS_TRY(copy_bytes(ctx, from->n_line, 1, from->line_style, &copy));
    to->line_style = copy;
  }
  for (int i = 0; i < 2; i++) {
    MS_TRY(ms_text_copy(ctx, from->side[i], &text));
    to->side[i] = text;
  }
  ms_shape_mark *mark;
  MS_TRY(ms_allocate(ctx, from->n_mark, sizeof *mark, &mark));
  to->mark = mark, to->n_mark = from->n_mark;
  for (ptrdiff_t i = 0; i < to->n_mark; i++) {
    mark[i] = (ms_shape_mark) { .node = from->mark[i].node, .style = from->mark[i].style };
    MS_TRY(ms_text_copy(ctx, from->mark[i].label, &text));
    mark[i].label = text;
  }
  return MS_SUCCESS;
}

ms_status ms_block_copy_shape(ms_context *ctx, const ms_shape *shape, ms_page_block *block) {
  MS_TRY(check(ctx, shape));
  MS_TRY(ms_allocate(ctx, 1, sizeof *block->shape, &block->shape));
  MS_TRY(ms_shape_copy_body(ctx, shape, block->shape));
  return copy_modes(ctx, shape, block->shape);
}

void ms_page_free(ms_context *ctx, const void *owned) {
  void *memory;
  memcpy(&memory, &owned, sizeof memory);
  ms_free(ctx, &memory);
}

static void free_mode(ms_context *ctx, const ms_shape_mode *mode) {
  if (mode->beside) free_mode(ctx, mode->beside);
  ms_page_free(ctx, mode->beside);
  ms_page_free(ctx, mode->u);
  ms_page_free(ctx, mode->name);
  ms_page_free(ctx, mode->value);
}

void ms_shape_free(ms_context *ctx, ms_shape *s) {
  for (ptrdiff_t i = 0; s->mode && i < s->n_mode; i++) free_mode(ctx, &s->mode[i]);
  for (ptrdiff_t i = 0; s->mark && i < s->n_mark; i++) ms_page_free(ctx, s->mark[i].label);
  for (int i = 0; i < 2; i++) ms_page_free(ctx, s->side[i]);
  ms_page_free(ctx, s->x);
  ms_page_free(ctx, s->face);
  ms_page_free(ctx, s->line);
  ms_page_free(ctx, s->line_style);
  ms_page_free(ctx, s->mode);
  ms_page_free(ctx, s->mark);
}

void ms_block_free_shape(ms_context *ctx, ms_page_block *block) {
  if (!block->shape) return;
  ms_shape_free(ctx, block->shape);
  ms_free(ctx, &block->shape);
}

/* ---- writing ---- */

const ms_shape_mode *ms_shape_first(const ms_shape *shape) {
  for (ptrdiff_t i = 0; i < shape->n_mode; i++)
    if (!shape->mode[i].folded) return &shape->mode[i];
  return shape->mode;
}

ms_status ms_block_write_shape(FILE *out, ms_context *ctx, const ms_page_block *block, int number) {
  fprintf(out, "<figure class=\"ms-shape\" id=\"figure-%d\">\n", number);
  MS_TRY(ms_shape_write_still(out, ctx, block->shape));
  /* On screen the script says which mode it is. */
  const ms_shape_mode *mode = ms_shape_first(block->shape);
  fprintf(out, "<figcaption><b>Figure %d</b>", number);
  ms_page_write_text(out, "<span class=\"caption\"> ", block->text, "</span>");
  ms_page_write_text(out, " <span class=\"ms-shape-first\">", mode->name, "");
  if (mode->omega > 0.0) fprintf(out, ", %.5g Hz", mode->omega / (2.0 * acos(-1.0)));
  ms_page_write_text(out, ", ", mode->value, "");
  fprintf(out, "; %td mode%s in all.</span></figcaption>\n", block->shape->n_mode,
          block->shape->n_mode == 1 ? "" : "s");
  fputs("<script type=\"application/json\">\n", out);
  MS_TRY(ms_shape_write_data(out, ctx, block->shape));
  fputs("</script>\n</figure>\n", out);
  return MS_SUCCESS;
}
