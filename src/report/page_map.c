/* Maps of hexagons: drawn when they are added. Each hexagon carries its value as a title, which a
   browser shows without any script; page.js marks the same node in all planes. */
#include <math.h>
#include <microslip/io.h>

#include "report/page.h"

enum { STEP = 20, LEVELS = 8, MARGIN = 1 }; /* px from node to node; classes h0 to h7 of page.css */

/* ---- checking ---- */

static ms_status check_plane(ms_context *ctx, const ms_hex_plane *p, ptrdiff_t nodes) {
  if (!p->name) return ms_fail(ctx, MS_ERR_ARGUMENT, "a plane has no name");
  for (ptrdiff_t k = 0; k < nodes; k++) {
    if (isfinite(p->value[k]) && (!p->log || p->value[k] > 0.0)) continue;
    return ms_fail(ctx, MS_ERR_NUMERIC, "node %td of plane %s is %g", k, p->name, p->value[k]);
  }
  return MS_SUCCESS;
}

/* ---- drawing ---- */

static double height(const ms_hex_plane *p, ptrdiff_t k) {
  return p->log ? log(p->value[k]) : p->value[k];
}

/* A little larger than its cell, so that no background shows between neighbours. */
static void draw_node(FILE *out, const ms_hex_map *map, const ms_hex_plane *p, ptrdiff_t k,
                      const double range[2]) {
  const ptrdiff_t c = k % map->columns, r = k / map->columns;
  const double half = 0.5 * STEP + 0.2, side = 2.0 * half / sqrt(3.0);
  const double x = MARGIN + STEP * ((double)c + 0.5 + (r % 2 ? 0.5 : 0.0)),
               y = MARGIN + STEP * (1.0 / sqrt(3.0) + sqrt(0.75) * (double)r);
  double part = range[1] > range[0] ? (height(p, k) - range[0]) / (range[1] - range[0]) : 0.5;
  int level = (int)(part * LEVELS);
  fprintf(out, "<path class=\"h%d\" d=\"M", level < LEVELS ? level : LEVELS - 1);
  ms_svg_number(out, x);
  fputs(" ", out);
  ms_svg_number(out, y - side);
  for (int i = 1; i < 6; i++) {
    const double angle = acos(-1.0) * (double)i / 3.0;
    fputs("L", out);
    ms_svg_number(out, x + side * sin(angle));
    fputs(" ", out);
    ms_svg_number(out, y - side * cos(angle));
  }
  fprintf(out, "z\"><title>%.4g</title></path>", p->value[k]);
}

static void draw_plane(FILE *out, const ms_hex_map *map, const ms_hex_plane *p) {
  const ptrdiff_t nodes = map->columns * map->rows;
  ptrdiff_t low = 0, high = 0;
  for (ptrdiff_t k = 1; k < nodes; k++) {
    low = p->value[k] < p->value[low] ? k : low;
    high = p->value[k] > p->value[high] ? k : high;
  }
  const double range[2] = { height(p, low), height(p, high) };
  fputs("<div class=\"ms-plane\"><h4>", out);
  ms_text_html(out, p->name);
  fprintf(out, "</h4>\n<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"",
          ceil(2.0 * MARGIN + STEP * ((double)map->columns + 0.5)),
          ceil(2.0 * MARGIN + STEP * (sqrt(0.75) * (double)(map->rows - 1) + 2.0 / sqrt(3.0))));
  ms_text_escape(out, p->name);
  fprintf(out, " over the map, from %.3g to %.3g\">\n", p->value[low], p->value[high]);
  for (ptrdiff_t k = 0; k < nodes; k++) draw_node(out, map, p, k, range);
  fprintf(out, "</svg>\n<p><span>%.3g</span><i></i><span>%.3g", p->value[low], p->value[high]);
  ms_page_write_text(out, " ", p->unit, "");
  fputs("</span></p></div>\n", out);
}

static ms_status draw(ms_context *ctx, const void *from, FILE *out) {
  const ms_hex_map *map = from;
  (void)ctx;
  for (ptrdiff_t i = 0; i < map->n_plane; i++) draw_plane(out, map, &map->plane[i]);
  return MS_SUCCESS;
}

ms_status ms_block_copy_map(ms_context *ctx, const ms_hex_map *map, ms_page_block *block) {
  if (!map || map->columns < 1 || map->rows < 1 || map->n_plane < 1) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a map needs columns, rows and planes");
  }
  for (ptrdiff_t i = 0; i < map->n_plane; i++) {
    MS_TRY(check_plane(ctx, &map->plane[i], map->columns * map->rows));
  }
  size_t length;
  return ms_print_text(ctx, draw, map, &block->map, &length);
}

void ms_block_write_map(FILE *out, const ms_page_block *block, int number) {
  fprintf(out, "<figure class=\"ms-map\" id=\"figure-%d\">\n<div class=\"ms-planes\">\n%s</div>\n",
          number, block->map);
  fprintf(out, "<figcaption><b>Figure %d</b>", number);
  ms_page_write_text(out, "<span class=\"caption\"> ", block->text, "</span>");
  fputs("</figcaption>\n</figure>\n", out);
}
