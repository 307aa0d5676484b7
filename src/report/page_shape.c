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

static ms_status check(ms_context *ctx, const ms_shape *s) {
  if (!s) return ms_fail(ctx, MS_ERR_ARGUMENT, "the shape is NULL");
  if (s->n_node < 1 || s->n_node > INT32_MAX || !s->x || s->n_mode < 1 || !s->mode)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a shape needs nodes and modes; it has %td and %td",
                   s->n_node, s->n_mode);
  if (s->n_face < 0 || s->n_line < 0 || s->n_mark < 0 || (s->n_face > 0 && !s->face) ||
      (s->n_line > 0 && !s->line) || (s->n_mark > 0 && !s->mark) || s->n_face + s->n_line == 0)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "a shape needs faces or lines; it has %td faces, %td lines, %td marks",
                   s->n_face, s->n_line, s->n_mark);
  MS_TRY(check_finite(ctx, s->x, s->n_node, "the place"));
  MS_TRY(check_corners(ctx, s, s->face, s->n_face, 4, "face"));
  MS_TRY(check_corners(ctx, s, s->line, s->n_line, 2, "line"));
  for (ptrdiff_t i = 0; i < s->n_mode; i++) {
    if (!s->mode[i].name || !s->mode[i].u)
      return ms_fail(ctx, MS_ERR_ARGUMENT, "mode %td has no %s", i, s->mode[i].u ? "name" : "u");
    MS_TRY(check_finite(ctx, s->mode[i].u, s->n_node, "the displacement"));
  }
  for (ptrdiff_t i = 0; i < s->n_mark; i++) {
    if (s->mark[i].node >= 0 && s->mark[i].node < s->n_node) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT, "mark %td is at node %td, nodes are 0 to %td", i,
                   s->mark[i].node, s->n_node - 1);
  }
  return MS_SUCCESS;
}

/* ---- copying: what is allocated is in the block at once, and freed with it ---- */

static ms_status copy_bytes(ms_context *ctx, ptrdiff_t n, size_t size, const void *from,
                            void **to) {
  MS_TRY(ms_allocate(ctx, n, size, to));
  if (n > 0) memcpy(*to, from, (size_t)n * size);
  return MS_SUCCESS;
}

static ms_status copy_modes(ms_context *ctx, const ms_shape *from, ms_shape *to) {
  ms_shape_mode *mode;
  MS_TRY(ms_allocate(ctx, from->n_mode, sizeof *mode, &mode));
  to->mode = mode, to->n_mode = from->n_mode;
  for (ptrdiff_t i = 0; i < to->n_mode; i++) {
    void *u;
    char *text;
    MS_TRY(copy_bytes(ctx, from->n_node, 3 * sizeof(double), from->mode[i].u, &u));
    mode[i].u = u;
    MS_TRY(ms_text_copy(ctx, from->mode[i].name, &text));
    mode[i].name = text;
    MS_TRY(ms_text_copy(ctx, from->mode[i].value, &text));
    mode[i].value = text;
  }
  return MS_SUCCESS;
}

ms_status ms_block_copy_shape(ms_context *ctx, const ms_shape *shape, ms_page_block *block) {
  MS_TRY(check(ctx, shape));
  MS_TRY(ms_allocate(ctx, 1, sizeof *block->shape, &block->shape));
  ms_shape *to = block->shape;
  void *copy;
  MS_TRY(copy_bytes(ctx, shape->n_node, 3 * sizeof *to->x, shape->x, &copy));
  to->x = copy, to->n_node = shape->n_node;
  MS_TRY(copy_bytes(ctx, shape->n_face, 4 * sizeof *to->face, shape->face, &copy));
  to->face = copy, to->n_face = shape->n_face, to->closed = shape->closed;
  MS_TRY(copy_bytes(ctx, shape->n_line, 2 * sizeof *to->line, shape->line, &copy));
  to->line = copy, to->n_line = shape->n_line;
  MS_TRY(copy_modes(ctx, shape, to));
  ms_shape_mark *mark;
  MS_TRY(ms_allocate(ctx, shape->n_mark, sizeof *mark, &mark));
  to->mark = mark, to->n_mark = shape->n_mark;
  for (ptrdiff_t i = 0; i < to->n_mark; i++) {
    char *text;
    mark[i].node = shape->mark[i].node;
    MS_TRY(ms_text_copy(ctx, shape->mark[i].label, &text));
    mark[i].label = text;
  }
  return MS_SUCCESS;
}

static void drop(ms_context *ctx, const void *owned) {
  void *memory; /* the public struct has const pointers; here they are owned */
  memcpy(&memory, &owned, sizeof memory);
  ms_free(ctx, &memory);
}

void ms_block_free_shape(ms_context *ctx, ms_page_block *block) {
  ms_shape *s = block->shape;
  if (!s) return;
  for (ptrdiff_t i = 0; s->mode && i < s->n_mode; i++) {
    drop(ctx, s->mode[i].u);
    drop(ctx, s->mode[i].name);
    drop(ctx, s->mode[i].value);
  }
  for (ptrdiff_t i = 0; s->mark && i < s->n_mark; i++) drop(ctx, s->mark[i].label);
  drop(ctx, s->x);
  drop(ctx, s->face);
  drop(ctx, s->line);
  drop(ctx, s->mode);
  drop(ctx, s->mark);
  ms_free(ctx, &block->shape);
}

/* ---- writing ---- */

ms_status ms_block_write_shape(FILE *out, ms_context *ctx, const ms_page_block *block, int number) {
  fprintf(out, "<figure class=\"ms-shape\" id=\"figure-%d\">\n", number);
  MS_TRY(ms_shape_write_still(out, ctx, block->shape));
  /* On screen the script says which mode it is. */
  const ms_shape_mode *mode = block->shape->mode;
  fprintf(out, "<figcaption><b>Figure %d</b>", number);
  ms_page_write_text(out, "<span class=\"caption\"> ", block->text, "</span>");
  ms_page_write_text(out, " <span class=\"ms-shape-first\">", mode->name, "");
  ms_page_write_text(out, ", ", mode->value, "");
  fprintf(out, "; %td mode%s in all.</span></figcaption>\n", block->shape->n_mode,
          block->shape->n_mode == 1 ? "" : "s");
  fputs("<script type=\"application/json\">\n", out);
  MS_TRY(ms_shape_write_data(out, ctx, block->shape));
  fputs("</script>\n</figure>\n", out);
  return MS_SUCCESS;
}
