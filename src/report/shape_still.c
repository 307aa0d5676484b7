/* The still picture of a shape: its first mode from the side from which the script shows it at
   first, over the outline at rest; or a field. What is farther away is drawn first. What lies and
   moves in the plane of x and z is seen from the front.

   The view turns by yaw about z and is raised by pitch, without perspective:
     across = x cos(yaw) + y sin(yaw),  into = -x sin(yaw) + y cos(yaw),
     up = z cos(pitch) + into sin(pitch),  near = z sin(pitch) - into cos(pitch). */
#include "report/page.h"
#include "report/tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double home_yaw = 0.5236; /* rad; as in shape.js */
static const double home_pitch = 0.4363;
static const double motion =
    0.08; /* largest displacement, of the diagonal of the box around the body; in a plane twice */
static const double still_height = 480.0;
static const double still_width = 960.0;
static const double still_margin = 40.0;
enum { N_LEVEL = 8 }; /* colours, .h0 to .h7 in page.css */

typedef struct spot {
  double x, y, near; /* px, y downwards */
} spot;

typedef struct item {
  double near;
  ptrdiff_t index; /* a face, or n_face + a line */
} item;

typedef struct still {
  const ms_shape *shape;
  const ms_shape_mode *mode;   /* NULL: at rest */
  const ms_fields *fields;     /* NULL: coloured by displacement */
  double yaw, pitch, range[2]; /* range: of the field's values */
  spot *rest, *moved;          /* per node */
  double *size;                /* of the displacement, 0 to 1, per node */
  unsigned char *on_face;      /* per node */
  item *item;
  ptrdiff_t n_item;
} still;

/* ---- placing ---- */

static int is_plane(const ms_shape *s) {
  for (ptrdiff_t i = 0; i < s->n_node; i++) {
    if (s->x[3 * i + 1] != s->x[1]) return 0;
    for (ptrdiff_t m = 0; m < s->n_mode; m++) {
      if (s->mode[m].u[3 * i + 1] != 0.0) return 0;
      if (s->mode[m].beside && s->mode[m].beside->u[3 * i + 1] != 0.0) return 0;
    }
  }
  return 1;
}

static spot view(const still *d, const double *x) {
  const double c = cos(d->yaw), s = sin(d->yaw), into = -x[0] * s + x[1] * c;
  return (spot) { .x = x[0] * c + x[1] * s,
                  .y = -(x[2] * cos(d->pitch) + into * sin(d->pitch)),
                  .near = x[2] * sin(d->pitch) - into * cos(d->pitch) };
}

static double norm(const double *v) {
  return hypot(hypot(v[0], v[1]), v[2]);
}

/* Places from the middle of the box, in halves of its longest side: no number is large. Returns the
   diagonal of the box. */
static double reduce(const ms_shape *s, const double *middle, double half, spot *to) {
  double far[3] = { 0.0, 0.0, 0.0 };
  for (ptrdiff_t i = 0; i < s->n_node; i++) {
    double x[3];
    for (int a = 0; a < 3; a++) {
      x[a] = half > 0.0 ? (s->x[3 * i + a] - middle[a]) / half : 0.0;
      far[a] = fmax(far[a], fabs(x[a]));
    }
    to[i] = (spot) { x[0], x[1], x[2] };
  }
  return 2.0 * norm(far);
}

static void widen(ms_box *box, const spot *p) { /* w and h are the far corner here */
  box->x = fmin(box->x, p->x), box->w = fmax(box->w, p->x);
  box->y = fmin(box->y, p->y), box->h = fmax(box->h, p->y);
}

/* Displacements over the largest component; returns the largest size. */
static double scale_motion(const ms_shape *s, const ms_shape_mode *mode, spot *to, double *size) {
  const double largest = mode ? ms_shape_largest(mode, s->n_node) : 0.0;
  double most = 0.0;
  for (ptrdiff_t i = 0; i < s->n_node; i++) {
    double u[3];
    for (int a = 0; a < 3; a++) u[a] = largest > 0.0 ? mode->u[3 * i + a] / largest : 0.0;
    to[i] = (spot) { u[0], u[1], u[2] };
    size[i] = norm(u);
    most = fmax(most, size[i]);
  }
  return most > 0.0 ? most : 1.0;
}

static void place(still *d) {
  const ms_shape *s = d->shape;
  double middle[3], half = ms_shape_box(s, middle);
  const int plane = is_plane(s);
  if (!plane) d->yaw = home_yaw, d->pitch = home_pitch;
  double reach = (plane ? 2.0 : 1.0) * motion * reduce(s, middle, half, d->rest);
  double most = scale_motion(s, d->mode, d->moved, d->size);
  for (ptrdiff_t i = 0; i < s->n_node; i++) {
    double x[3] = { d->rest[i].x, d->rest[i].y, d->rest[i].near };
    const double u[3] = { d->moved[i].x, d->moved[i].y, d->moved[i].near };
    d->rest[i] = view(d, x);
    for (int a = 0; a < 3; a++) x[a] += reach / most * u[a];
    d->moved[i] = view(d, x);
    d->size[i] /= most;
  }
  ms_box box = { d->rest->x, d->rest->y, d->rest->x, d->rest->y };
  for (ptrdiff_t i = 0; i < d->shape->n_node; i++)
    widen(&box, &d->rest[i]), widen(&box, &d->moved[i]);
  double w = box.w - box.x, h = box.h - box.y;
  double scale = fmin((still_width - 2 * still_margin) / w, (still_height - 2 * still_margin) / h);
  if (!isfinite(scale)) scale = 0.0; /* everything in one spot */
  for (ptrdiff_t i = 0; i < 2 * d->shape->n_node; i++) {
    spot *p = i < d->shape->n_node ? &d->rest[i] : &d->moved[i - d->shape->n_node];
    p->x = 0.5 * still_width + scale * (p->x - box.x - 0.5 * w);
    p->y = 0.5 * still_height + scale * (p->y - box.y - 0.5 * h);
    p->near *= scale;
  }
}

/* ---- order ---- */

static int corners(const int32_t *face) {
  return face[3] < 0 || face[3] == face[2] ? 3 : 4;
}

/* Whether the face is seen from outside: counter-clockwise, with y upwards. */
static int looks_here(const still *d, const int32_t *face) {
  double area = 0.0;
  int n = corners(face);
  for (int i = 0; i < n; i++) {
    const spot *p = &d->moved[face[i]], *q = &d->moved[face[(i + 1) % n]];
    area += p->x * q->y - q->x * p->y;
  }
  return area < 0.0;
}

static int farther_first(const void *a, const void *b) {
  const item *p = a, *q = b;
  if (p->near != q->near) return p->near < q->near ? -1 : 1;
  return p->index < q->index ? -1 : p->index > q->index;
}

static void sort(still *d) {
  const ms_shape *s = d->shape;
  d->n_item = 0;
  for (ptrdiff_t i = 0; i < s->n_face; i++) {
    const int32_t *face = s->face + 4 * i;
    if (s->closed && !looks_here(d, face)) continue;
    double near = 0.0;
    for (int k = 0; k < corners(face); k++) near += d->moved[face[k]].near / corners(face);
    d->item[d->n_item++] = (item) { near, i };
  }
  for (ptrdiff_t i = 0; i < s->n_line; i++) {
    const int32_t *l = s->line + 2 * i;
    double near =
        0.5 * (d->moved[l[0]].near + d->moved[l[1]].near) + ms_report_tol.nearer * still_height;
    d->item[d->n_item++] = (item) { near, s->n_face + i };
  }
  qsort(d->item, (size_t)d->n_item, sizeof *d->item, farther_first);
}

/* ---- drawing: neighbours in the order that look alike share a path ---- */

static void put_outline(FILE *out, const spot *at, const int32_t *node, int n) {
  long x = 0, y = 0; /* tenths of a pixel: whole numbers are short */
  for (int i = 0; i < n; i++) {
    long nx = lround(10.0 * at[node[i]].x), ny = lround(10.0 * at[node[i]].y);
    fprintf(out, i == 0 ? "M%ld %ld" : i == 1 ? "l%ld %ld" : " %ld %ld", nx - x, ny - y);
    x = nx, y = ny;
  }
  if (n > 2) fputc('z', out);
}

/* A spring: leads of a quarter at each end, teeth between them. */
static void put_zigzag(FILE *out, const spot *a, const spot *b) {
  enum { TEETH = 8 };
  const double dx = b->x - a->x, dy = b->y - a->y, length = hypot(dx, dy);
  const double side = length > 0.0 ? fmin(6.0, 0.15 * length) / length : 0.0;
  for (int i = -1; i <= TEETH + 1; i++) {
    const double at = i < 0 ? 0.0 : i > TEETH ? 1.0 : 0.25 + 0.5 * i / TEETH;
    const double off = i <= 0 || i >= TEETH ? 0.0 : i % 2 ? side : -side;
    fprintf(out, "%s%ld %ld", i < 0 ? "M" : "L", lround(10.0 * (a->x + at * dx - off * dy)),
            lround(10.0 * (a->y + at * dy + off * dx)));
  }
}

static int level_of(const still *d, const int32_t *node, int n) {
  double size = 0.0;
  for (int i = 0; i < n; i++) size += d->size[node[i]] / n;
  int level = (int)(N_LEVEL * size);
  return level < N_LEVEL ? level : N_LEVEL - 1;
}

/* Of the first field in the last frame, the mean of the corners where it has these; -1: none. */
static int field_level(const still *d, ptrdiff_t k) {
  const ms_fields *f = d->fields;
  const ms_face_field *field = f->field;
  const ptrdiff_t first = ms_fields_count(f, field) / f->n_frame * (f->n_frame - 1);
  const int32_t *face = f->body.face + 4 * k;
  double part = 0.0;
  if (!field->by_node) part = ms_field_part(field, first + k, d->range);
  for (int i = 0; field->by_node && i < corners(face); i++)
    part += ms_field_part(field, first + face[i], d->range) / corners(face);
  const int level = isnan(part) ? -1 : (int)(N_LEVEL * part);
  return level < N_LEVEL ? level : N_LEVEL - 1;
}

static int line_style(const ms_shape *s, ptrdiff_t i) {
  return s->line_style ? s->line_style[i] : MS_LINE_BODY;
}

/* The class of a face, or of n_face + a line. An outline has no colour of its own. */
static void name_class(const still *d, ptrdiff_t k, char name[16]) {
  const ms_shape *s = d->shape;
  const int is_line = k >= s->n_face;
  const int32_t *node = is_line ? s->line + 2 * (k - s->n_face) : s->face + 4 * k;
  const int style = is_line ? line_style(s, k - s->n_face) : MS_LINE_BODY;
  const int level = is_line     ? level_of(d, node, 2)
                    : d->fields ? field_level(d, k)
                                : level_of(d, node, corners(node));
  if (style != MS_LINE_BODY) {
    static const char *const names[] = { "", "joint", "spring", "thin" };
    snprintf(name, 16, "%s", names[style]);
  } else if (is_line && ((d->on_face[node[0]] && d->on_face[node[1]]) || d->fields)) {
    snprintf(name, 16, "edge");
  } else if (level < 0) {
    snprintf(name, 16, "none");
  } else {
    snprintf(name, 16, "%s%d", is_line ? "beam b" : "h", level);
  }
}

static void put_items(FILE *out, const still *d) {
  const ms_shape *s = d->shape;
  char before[16] = "", name[16];
  for (ptrdiff_t i = 0; i < d->n_item; i++) {
    const ptrdiff_t k = d->item[i].index;
    const int is_line = k >= s->n_face;
    const int32_t *node = is_line ? s->line + 2 * (k - s->n_face) : s->face + 4 * k;
    name_class(d, k, name);
    if (strcmp(name, before) != 0)
      fprintf(out, "%s<path class=\"%s\" d=\"", *before ? "\"/>\n" : "", name);
    if (is_line && line_style(s, k - s->n_face) == MS_LINE_SPRING)
      put_zigzag(out, &d->moved[node[0]], &d->moved[node[1]]);
    else
      put_outline(out, d->moved, node, is_line ? 2 : corners(node));
    memcpy(before, name, sizeof before);
  }
  if (*before) fputs("\"/>\n", out);
}

static void put_rest(FILE *out, const still *d) {
  if (d->shape->n_line == 0) return;
  fputs("<path class=\"rest\" d=\"", out);
  for (ptrdiff_t i = 0; i < d->shape->n_line; i++) {
    if (line_style(d->shape, i) != MS_LINE_JOINT)
      put_outline(out, d->rest, d->shape->line + 2 * i, 2);
  }
  fputs("\"/>\n", out);
}

static void put_mark(FILE *out, const still *d, const ms_shape_mark *mark) {
  const spot *at = &d->moved[mark->node];
  const long x = lround(10.0 * at->x), y = lround(10.0 * at->y);
  const int32_t node = (int32_t)mark->node;
  if (mark->style == MS_MARK_MASS)
    fprintf(out, "<rect class=\"mass h%d\" x=\"%ld\" y=\"%ld\" width=\"200\" height=\"200\"/>",
            level_of(d, &node, 1), x - 100, y - 100);
  else if (mark->style == MS_MARK_GROUND) /* a hatched square */
    fprintf(
        out,
        "<path class=\"ground\" d=\"M%ld %ldh180v180h-180zl180 180m0-90l-90-90m0 180l-90-90\"/>",
        x - 90, y - 90);
  else
    fprintf(out, "<circle class=\"mark\" cx=\"%ld\" cy=\"%ld\" r=\"50\"/>", x, y);
  if (!mark->label) return;
  fprintf(out, "<text x=\"%ld\" y=\"%ld\">", x + 90, y - (mark->style == MS_MARK_MASS ? 130 : 50));
  ms_text_draw(out, mark->label, NULL, 130.0);
  fputs("</text>\n", out);
}

static void draw(FILE *out, const still *d) {
  fprintf(out, "<svg class=\"ms-shape-still\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
          (int)(10 * still_width), (int)(10 * still_height));
  ms_text_escape(out, d->mode ? d->mode->name : d->fields->field->name);
  fputs(d->mode ? ", deformed, over the outline at rest\">\n" : " in the last frame\">\n", out);
  if (d->mode) put_rest(out, d);
  put_items(out, d);
  for (ptrdiff_t i = 0; i < d->shape->n_mark; i++) put_mark(out, d, &d->shape->mark[i]);
  fputs("</svg>\n", out);
}

static ms_status setup(still *d, ms_context *ctx) {
  ptrdiff_t n = d->shape->n_node;
  MS_TRY(ms_allocate(ctx, n, sizeof *d->rest, &d->rest));
  MS_TRY(ms_allocate(ctx, n, sizeof *d->moved, &d->moved));
  MS_TRY(ms_allocate(ctx, n, sizeof *d->size, &d->size));
  MS_TRY(ms_allocate(ctx, n, 1, &d->on_face));
  for (ptrdiff_t i = 0; i < 4 * d->shape->n_face; i++)
    if (d->shape->face[i] >= 0) d->on_face[d->shape->face[i]] = 1;
  return ms_allocate(ctx, d->shape->n_face + d->shape->n_line, sizeof *d->item, &d->item);
}

static ms_status write_still(FILE *out, ms_context *ctx, still *d) {
  ms_status status = setup(d, ctx);
  if (status == MS_SUCCESS) {
    place(d);
    sort(d);
    draw(out, d);
  }
  ms_free(ctx, &d->rest);
  ms_free(ctx, &d->moved);
  ms_free(ctx, &d->size);
  ms_free(ctx, &d->on_face);
  ms_free(ctx, &d->item);
  return status;
}

ms_status ms_shape_write_still(FILE *out, ms_context *ctx, const ms_shape *shape) {
  still d = { .shape = shape, .mode = ms_shape_first(shape) };
  return write_still(out, ctx, &d);
}

ms_status ms_fields_write_still(FILE *out, ms_context *ctx, const ms_fields *fields) {
  still d = { .shape = &fields->body, .fields = fields };
  ms_field_range(fields, fields->field, d.range);
  return write_still(out, ctx, &d);
}
