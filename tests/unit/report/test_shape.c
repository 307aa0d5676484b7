/* Mode shapes of a page: what its data say again, their size, the still picture, refusing. How they
   behave is tested in a browser (cli.page). */
#include "report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"
#include "support/packed.h"

#define NASTY "a<b>&\"'</script><!--<script>]]>"

/* ---- a box of nx x ny x nz cells: nodes once, quads from outside ---- */

enum { MAX_NODE = 2700 };

typedef struct body {
  double x[3 * MAX_NODE], u[10][3 * MAX_NODE];
  int32_t face[4 * MAX_NODE], line[2 * 64];
  int grid[32][32][32]; /* number + 1 */
  int n_node, n_face, n_line, n_mode;
  ms_shape_mode mode[10];
  ms_shape_mark mark[2];
} body;

static body some; /* large, so not on the stack */

static int32_t node_at(body *b, const int *i, const int *n) {
  int *number = &b->grid[i[0]][i[1]][i[2]];
  if (*number == 0) {
    static const double side[3] = { 0.731, 0.0493, 0.0317 }, at[3] = { -0.217, 1.93, 0.771 };
    for (int a = 0; a < 3; a++) b->x[3 * b->n_node + a] = at[a] + side[a] * i[a] / n[a];
    *number = ++b->n_node;
  }
  return *number - 1;
}

static void add_side(body *b, const int *n, int a, int high) {
  int p = (a + (high ? 1 : 2)) % 3, q = 3 - a - p;
  for (int j = 0; j < n[q]; j++) {
    for (int i = 0; i < n[p]; i++) {
      static const int di[4] = { 0, 1, 1, 0 }, dj[4] = { 0, 0, 1, 1 };
      for (int k = 0; k < 4; k++) {
        int at[3];
        at[a] = high ? n[a] : 0, at[p] = i + di[k], at[q] = j + dj[k];
        b->face[4 * b->n_face + k] = node_at(b, at, n);
      }
      b->n_face++;
    }
  }
}

/* Bending in both directions and twisting, with the rotation of sections. */
static void add_modes(body *b, int n_mode) {
  static char name[10][16];
  for (int m = 0; m < n_mode; m++) {
    double k = (m / 2 + 1.506) * 3.14159265 / 0.731, largest = pow(10.0, m - 4);
    int across = 2 - m % 2;
    for (int i = 0; i < b->n_node; i++) {
      const double *x = b->x + 3 * i;
      double *u = b->u[m] + 3 * i;
      u[across] = largest * cos(k * (x[0] + 0.217));
      u[0] = largest * k * (x[across] - (m % 2 ? 1.955 : 0.787)) * sin(k * (x[0] + 0.217));
      u[3 - across] = 0.013 * largest * x[0];
    }
    snprintf(name[m], sizeof name[m], "Mode %d", m + 7);
    b->mode[m] = (ms_shape_mode) { .name = name[m], .value = "181.4 Hz", .u = b->u[m] };
  }
  b->n_mode = n_mode;
}

static ms_shape make_box(int nx, int ny, int nz, int n_mode) {
  const int n[3] = { nx, ny, nz };
  memset(&some, 0, sizeof some);
  for (int side = 0; side < 6; side++) add_side(&some, n, side / 2, side % 2);
  some.line[0] = some.face[0], some.line[1] = some.face[3], some.n_line = 1;
  some.mark[0] = (ms_shape_mark) { .node = 3, .label = "bolt 1" };
  some.mark[1] = (ms_shape_mark) { .node = 7 };
  add_modes(&some, n_mode);
  return (ms_shape) { .n_node = some.n_node,
                      .x = some.x,
                      .n_face = some.n_face,
                      .face = some.face,
                      .closed = 1,
                      .n_line = some.n_line,
                      .line = some.line,
                      .n_mode = n_mode,
                      .mode = some.mode,
                      .n_mark = 2,
                      .mark = some.mark };
}

/* ---- the page's text ---- */

static const char *page_path(void) {
  static char path[64];
  snprintf(path, sizeof path, "/tmp/ms_test_shape_%ld.html", (long)getpid());
  return path;
}

static char *read_page(void) {
  FILE *file = fopen(page_path(), "rb");
  if (!CHECK(file != NULL)) return calloc(1, 1);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = calloc((size_t)size + 1, 1);
  CHECK_EQUAL(fread(text, 1, (size_t)size, file), size);
  fclose(file);
  remove(page_path());
  return text;
}

/* From <figure to </figure> of a page with this shape. */
static char *figure_of(const char *caption, const ms_shape *shape) {
  ms_page *page = NULL;
  CHECK_OK(ms_page_create(test_context(), "A title", NULL, &page));
  CHECK_OK(ms_page_add_shape(page, caption, shape));
  CHECK_OK(ms_page_write(page, page_path()));
  ms_page_destroy(&page);
  char *all = read_page(), *from = strstr(all, "<figure class=\"ms-shape\"");
  char *to = from ? strstr(from, "</figure>") : NULL;
  if (!CHECK(to != NULL)) return all;
  *to = '\0';
  memmove(all, from, strlen(from) + 1);
  return all;
}

static int count(const char *text, const char *part) {
  int n = 0;
  for (; (text = strstr(text, part)); text += strlen(part)) n++;
  return n;
}

/* ---- data ---- */

/* The largest error over the largest that is promised. */
static double error_of(const double *v, const double *middle, double step, const int *got, int n) {
  double most = 0.0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(middle[i % 3] + step * got[i] - v[i]));
  return most / (0.5 * step);
}

static void test_round_trip(void) {
  static int got[4 * MAX_NODE];
  ms_shape shape = make_box(17, 5, 4, 3);
  char *text = figure_of("Caption", &shape), *data = strstr(text, "application/json");
  /* the box is longest along x: 0.731 m */
  double step = number_after(data, "step"), middle[3];
  char *list = strstr(data, "\"middle\":");
  CHECK(list && sscanf(list + 9 + strspn(list + 9, " ["), "%lf,%lf,%lf", middle, middle + 1,
                       middle + 2) == 3);
  CHECK_CLOSE(step, 0.731 / 65534.0, 1e-12);
  CHECK_EQUAL(decode(data, "x", 3, got, 4 * MAX_NODE), 3 * shape.n_node);
  CHECK_BELOW(error_of(shape.x, middle, step, got, 3 * some.n_node), 1.0 + 1e-9);
  CHECK_EQUAL(decode(data, "faces", 4, got, 4 * MAX_NODE), 4 * shape.n_face);
  CHECK(memcmp(got, shape.face, 4 * (size_t)shape.n_face * sizeof *got) == 0);
  CHECK_EQUAL(decode(data, "lines", 2, got, 4 * MAX_NODE), 2);
  CHECK(got[0] == shape.line[0] && got[1] == shape.line[1]);
  char *mode = strstr(data, "\"modes\"");
  for (int m = 0; m < 3; m++) {
    double largest = 0.0;
    static const double zero[3];
    mode = strstr(mode + 1, "\"name\"");
    for (int i = 0; i < 3 * some.n_node; i++) largest = fmax(largest, fabs(some.u[m][i]));
    CHECK_CLOSE(number_after(mode, "step"), largest / 4095.0, 1e-12);
    CHECK_EQUAL(decode(mode, "u", 3, got, 4 * MAX_NODE), 3 * shape.n_node);
    double error = error_of(some.u[m], zero, largest / 4095.0, got, 3 * some.n_node);
    CHECK_BELOW(error, 1.0 + 1e-9);
    CHECK(error > 0.5); /* there is something to round */
  }
  free(text);
}

static void test_size(void) {
  ms_shape shape = make_box(31, 23, 5, 10);
  char *text = figure_of("Caption", &shape), *data = strstr(text, "application/json");
  CHECK(shape.n_node >= 1900 && shape.n_node <= 2000);
  printf("# %td nodes, %td faces, 10 modes: %zu bytes of data, %td of the still picture\n",
         shape.n_node, shape.n_face, strlen(data), data - text);
  CHECK_BELOW((double)strlen(data) * 2000.0 / (double)shape.n_node, 150e3);
  free(text);
}

/* Values at the ends of what can be, and no displacement at all. */
static void test_extremes(void) {
  ms_shape shape = make_box(2, 2, 2, 2);
  int got[3 * 26];
  for (int i = 0; i < 3 * some.n_node; i++) {
    some.x[i] = i % 2 ? 8.9e307 : -8.9e307;
    some.u[0][i] = 0.0;
    some.u[1][i] = i % 3 ? -1.7e308 : 1.7e308;
  }
  char *text = figure_of(NULL, &shape), *data = strstr(text, "application/json");
  CHECK_EQUAL(decode(data, "x", 3, got, 3 * 26), 3 * 26);
  CHECK(got[0] == -32767 && got[1] == 32767);
  char *mode = strstr(data, "\"name\"");
  CHECK(number_after(mode, "step") == 0.0);
  CHECK_EQUAL(decode(mode, "u", 3, got, 3 * 26), 3 * 26);
  for (int i = 0; i < 3 * 26; i++)
    if (got[i] != 0) CHECK_EQUAL(got[i], 0);
  CHECK(!strstr(text, "nan") && !strstr(text, "inf") && !strstr(text, "922337203"));
  free(text);
  shape.n_mode = 1, shape.mode = some.mode + 1; /* the still picture is of the first */
  shape.closed = 0;                             /* these faces have no area */
  text = figure_of(NULL, &shape);
  CHECK_HAS(text, "class=\"h7\"");
  CHECK(!strstr(text, "922337203")); /* what a number too large would have become */
  free(text);
}

/* ---- the still picture ---- */

static int count_outlines(const char *text) {
  const char *end = strstr(text, "</svg>");
  int n = 0;
  for (; text < end; text++) n += *text == 'z' && (text[1] == 'M' || text[1] == '"');
  return n;
}

static void test_still(void) {
  ms_shape shape = make_box(16, 3, 2, 1);
  char *text = figure_of("Caption", &shape);
  CHECK_EQUAL(count(text, "<svg class=\"ms-shape-still\""), 1);
  CHECK_EQUAL(count(text, "class=\"rest\""), 1);
  CHECK_EQUAL(count(text, "class=\"mark\""), 2);
  CHECK_HAS(text, ">bolt 1</text>");
  CHECK_HAS(text, "Mode 7, 181.4 Hz; 1 mode in all.");
  CHECK_HAS(text, "class=\"h0\"");
  CHECK_HAS(text, "class=\"h7\"");
  int seen = count_outlines(text); /* of a box: of 172 faces about half */
  CHECK(seen > 43 && seen < 129);
  free(text);
  shape.closed = 0;
  text = figure_of("Caption", &shape);
  CHECK_EQUAL(count_outlines(text), shape.n_face);
  free(text);
}

/* A box at rest shows half of its faces: each side hides the opposite one. */
static void test_sides(void) {
  ms_shape shape = make_box(6, 3, 2, 1);
  memset(some.u[0], 0, sizeof some.u[0]);
  char *text = figure_of("Caption", &shape);
  CHECK_EQUAL(count_outlines(text), 6 * 3 + 3 * 2 + 2 * 6);
  free(text);
}

static void test_lines(void) {
  ms_shape shape = make_box(6, 3, 2, 1);
  char *text = figure_of(NULL, &shape);
  CHECK_EQUAL(count(text, "class=\"edge\""), 1);
  free(text);
  /* a node of no face makes a beam of it */
  int32_t face[4] = { shape.line[0], some.face[1], some.face[2], -1 };
  shape.n_face = 1, shape.face = face, shape.closed = 0;
  text = figure_of(NULL, &shape);
  CHECK_EQUAL(count(text, "class=\"beam b"), 1);
  free(text);
  shape.n_face = 0, shape.face = NULL, shape.n_mark = 0, shape.mark = NULL;
  text = figure_of(NULL, &shape);
  CHECK_EQUAL(count(text, "class=\"beam b"), 1);
  CHECK_EQUAL(count(text, "class=\"mark\""), 0);
  free(text);
}

static void test_triangles(void) {
  ms_shape shape = make_box(6, 3, 2, 1);
  int got[4 * 72];
  some.face[7] = -1;
  char *text = figure_of(NULL, &shape);
  CHECK_EQUAL(decode(strstr(text, "application/json"), "faces", 4, got, 4 * 72), 4 * 72);
  CHECK_EQUAL(got[7], some.face[6]);
  free(text);
}

/* ---- pairs, folded modes, springs and marks ---- */

static void test_pairs(void) {
  static int got[3 * MAX_NODE];
  ms_shape shape = make_box(3, 2, 2, 3);
  some.mode[0].folded = 1;
  some.mode[1].omega = 1139.77;
  const ms_shape_mode beside = { .name = "Mode 9", .omega = 870.25, .u = some.u[2] };
  some.mode[1].beside = &beside;
  shape.side[0] = "stuck", shape.side[1] = "slipped";
  char *text = figure_of("Caption", &shape), *data = strstr(text, "application/json");
  CHECK_HAS(text, "Mode 8, 181.4 Hz, 181.4 Hz; 3 modes in all."); /* the first is folded */
  CHECK_HAS(data, "\"sides\"");
  CHECK_EQUAL(count(data, "\"folded\""), 1);
  char *second = strstr(data, "\"beside\"");
  CHECK_CLOSE(number_after(second, "omega"), 870.25, 1e-12);
  CHECK_EQUAL(decode(second, "u", 3, got, 3 * MAX_NODE), 3 * shape.n_node);
  free(text);
}

/* Two masses on a spring, seen from the front: what lies at one height stays at one. */
static void test_plane(void) {
  const double x[] = { 0, 0.3, 0, 1, 0.3, 0, 2, 0.3, 0 }, u[] = { 0, 0, 0, 0, 0, 0.7, 0, 0, 0.7 };
  const int32_t line[] = { 0, 1, 1, 2 };
  const unsigned char style[] = { MS_LINE_SPRING, MS_LINE_JOINT };
  const ms_shape_mode mode = { .name = "Mode 1", .u = u };
  const ms_shape_mark mark[] = { { .node = 0, .style = MS_MARK_GROUND },
                                 { .node = 1, .label = "m", .style = MS_MARK_MASS },
                                 { .node = 2, .label = "n", .style = MS_MARK_MASS } };
  ms_shape shape = { .n_node = 3,
                     .x = x,
                     .n_line = 2,
                     .line = line,
                     .line_style = style,
                     .n_mode = 1,
                     .mode = &mode,
                     .n_mark = 3,
                     .mark = mark };
  char *text = figure_of(NULL, &shape), *at = text;
  int y[2] = { 0, 0 };
  CHECK_EQUAL(count(text, "class=\"spring\""), 1);
  CHECK_EQUAL(count(text, "class=\"joint\""), 1);
  CHECK_EQUAL(count(text, "class=\"ground\""), 1);
  for (int i = 0; i < 2; i++) {
    at = strstr(at + 1, "class=\"mass h7\"");
    CHECK(at && sscanf(strstr(at, "y=\""), "y=\"%d", &y[i]) == 1);
  }
  CHECK_EQUAL(y[0], y[1]);
  const unsigned char bad[] = { 0, 4 };
  free(text);
  shape.line_style = bad;
  ms_page *page = NULL;
  CHECK_OK(ms_page_create(test_context(), "A title", NULL, &page));
  CHECK_STATUS(ms_page_add_shape(page, "Modes", &shape), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "line 1 has style 4");
  ms_page_destroy(&page);
}

/* ---- fields ---- */

static double values[2][3 * MAX_NODE];

/* By face and logarithmic, and by node; three frames. */
static ms_fields make_fields(ms_face_field field[2]) {
  ms_shape box = make_box(5, 4, 3, 1);
  static const double at[] = { 11.3, 22.9, 37.1 };
  for (int i = 0; i < 3 * box.n_face; i++)
    values[0][i] = i % 7 == 0 ? NAN : i % 5 == 0 ? 0.0 : 1.7e-9 * exp(0.031 * i);
  for (int i = 0; i < 3 * box.n_node; i++) values[1][i] = -3.1 + 0.217 * sin(0.71 * i);
  field[0] = (ms_face_field) { .name = "slip", .unit = "m", .log = 1, .value = values[0] };
  field[1] = (ms_face_field) { .name = "pressure", .by_node = 1, .value = values[1] };
  return (ms_fields) { .body = box,
                       .n_frame = 3,
                       .frame_name = "Load",
                       .frame_unit = "N",
                       .frame_value = at,
                       .n_field = 2,
                       .field = field };
}

static char *page_of(const ms_fields *fields) {
  ms_page *page = NULL;
  CHECK_OK(ms_page_create(test_context(), "A title", NULL, &page));
  CHECK_OK(ms_page_add_field(page, "Caption", fields));
  CHECK_OK(ms_page_write(page, page_path()));
  ms_page_destroy(&page);
  return read_page();
}

static void test_fields(void) {
  static int got[3 * MAX_NODE];
  ms_face_field field[2];
  ms_fields fields = make_fields(field);
  char *text = page_of(&fields);
  char *data = strstr(strstr(text, "<figure class=\"ms-shape ms-field\""), "\"fields\"");
  for (int k = 0; k < 2; k++) {
    data = strstr(data + 1, "\"name\"");
    const int n = (int)(3 * (k ? fields.body.n_node : fields.body.n_face));
    double range[2] = { 0, 0 }, most = 0.0;
    char *list = strstr(data, "\"range\":");
    CHECK(list && sscanf(list + 8 + strspn(list + 8, " [:"), "%lf,%lf", range, range + 1) == 2);
    CHECK_EQUAL(decode(data, "values", n / 3, got, 3 * MAX_NODE), n);
    for (int i = 0; i < n; i++) {
      const double v = values[k][i], step = (range[1] - range[0]) / 4095.0;
      const int none = isnan(v) || (k == 0 && v <= 0.0);
      CHECK_EQUAL(got[i] == 0, none);
      if (!none) most = fmax(most, fabs(range[0] + step * (got[i] - 1) - (k ? v : log(v))) / step);
    }
    CHECK_BELOW(most, 0.5 + 1e-6);
    CHECK(most > 0.25);
  }
  CHECK_HAS(text, "slip, Load 37.1 N: <span>1.7");
  CHECK_HAS(text, "(last of 3 frames)");
  CHECK_HAS(text, "class=\"h7\"");
  CHECK_HAS(text, "class=\"none\"");
  free(text);
}

/* Nodes that have the values of places give the page of the same values, node by node. */
static void test_fields_of_places(void) {
  enum { PLACES = 7 };
  ms_face_field field[2], own;
  double place[3 * PLACES];
  int32_t of[MAX_NODE];
  ms_fields fields = make_fields(field);
  const ptrdiff_t n = fields.body.n_node;
  for (int i = 0; i < 3 * PLACES; i++) place[i] = -1.3 + cos(1.7 * i);
  for (ptrdiff_t i = 0; i < n; i++) of[i] = (int32_t)(5 * i % PLACES);
  for (ptrdiff_t i = 0; i < 3 * n; i++) values[1][i] = place[of[i % n] + PLACES * (i / n)];
  own = field[1];
  fields.n_field = 1;
  fields.field = &own;
  char *want = page_of(&fields);
  own.value = place;
  fields.n_value = PLACES;
  fields.of = of;
  char *got = page_of(&fields);
  CHECK_TEXT(got, want);
  free(want), free(got);
}

static void refuse_fields(const ms_fields *fields, ms_status want, const char *part) {
  ms_page *page = NULL;
  CHECK_OK(ms_page_create(test_context(), "A title", NULL, &page));
  CHECK_STATUS(ms_page_add_field(page, "Slip", fields), want);
  CHECK_HAS(ms_context_message(test_context()), part);
  CHECK_EQUAL(page->n_block, 0);
  ms_page_destroy(&page);
}

static void test_fields_refused(void) {
  ms_face_field field[2];
  ms_fields fields = make_fields(field), bad = fields;
  refuse_fields(NULL, MS_ERR_ARGUMENT, "page 'A title', field 'Slip': ");
  CHECK_STATUS(ms_page_add_field(NULL, "c", &fields), MS_ERR_ARGUMENT);
  bad.n_frame = 0;
  refuse_fields(&bad, MS_ERR_ARGUMENT, "fields need faces, frames");
  bad = fields, bad.body.n_face = 0;
  refuse_fields(&bad, MS_ERR_ARGUMENT, "fields need faces, frames");
  values[1][fields.body.n_node + 4] = INFINITY;
  refuse_fields(&fields, MS_ERR_NUMERIC, "pressure of node 4 in frame 1 is inf");
  values[1][fields.body.n_node + 4] = 0.0;
  field[1].name = NULL;
  refuse_fields(&fields, MS_ERR_ARGUMENT, "a field has no name");
  field[1].name = "p";
  some.face[5] = 999;
  refuse_fields(&fields, MS_ERR_ARGUMENT, "face 1 has node 999");
  const double at[] = { 0, NAN, 1 };
  bad = fields, bad.frame_value = at;
  refuse_fields(&bad, MS_ERR_NUMERIC, "the value of frame 1 is nan");
}

/* Nothing to be seen, and one value everywhere. */
static void test_fields_without_range(void) {
  ms_face_field field[2];
  ms_fields fields = make_fields(field);
  for (int i = 0; i < 3 * fields.body.n_face; i++) values[0][i] = -1.0; /* no logarithms */
  for (int i = 0; i < 3 * fields.body.n_node; i++) values[1][i] = 1.7e308;
  char *text = page_of(&fields);
  CHECK_EQUAL(count(text, "\"range\":"), 1);
  CHECK(!strstr(text, "nan") && !strstr(text, ">inf"));
  free(text);
}

static ms_status build_fields(ms_context *ctx, void *user) {
  ms_page *page;
  MS_TRY(ms_page_create(ctx, "Title", NULL, &page));
  ms_status status = ms_page_add_field(page, "caption", user);
  if (status == MS_SUCCESS) status = ms_page_write(page, page_path());
  ms_page_destroy(&page);
  return status;
}

static void test_fields_memory(void) {
  ms_face_field field[2];
  ms_fields fields = make_fields(field);
  static const char *const text[] = { "a", NULL, NASTY };
  fields.frame_text = text;
  CHECK(test_allocations(build_fields, &fields) > 25);
  remove(page_path());
}

/* ---- texts, refusing, memory ---- */

static void test_nothing_escapes(void) {
  ms_shape shape = make_box(2, 2, 2, 1);
  some.mode[0].name = some.mode[0].value = some.mark[0].label = NASTY;
  char *text = figure_of(NASTY, &shape);
  CHECK_EQUAL(count(text, "<script"), 1); /* the data's own */
  CHECK_EQUAL(count(text, "</script"), 1);
  CHECK_EQUAL(count(text, "<b>"), 1); /* Figure 1 */
  CHECK_EQUAL(count(text, "<!--"), 0);
  free(text);
}

static void refuse(const ms_shape *shape, ms_status want, const char *part) {
  ms_page *page = NULL;
  CHECK_OK(ms_page_create(test_context(), "A title", NULL, &page));
  CHECK_STATUS(ms_page_add_shape(page, "Modes", shape), want);
  CHECK_HAS(ms_context_message(test_context()), "page 'A title', shape 'Modes': ");
  CHECK_HAS(ms_context_message(test_context()), part);
  CHECK_EQUAL(page->n_block, 0);
  ms_page_destroy(&page);
}

static void test_refused(void) {
  ms_shape good = make_box(2, 2, 2, 2), bad = good;
  refuse(NULL, MS_ERR_ARGUMENT, "the shape is NULL");
  CHECK_STATUS(ms_page_add_shape(NULL, "c", &good), MS_ERR_ARGUMENT);
  bad.n_mode = 0;
  refuse(&bad, MS_ERR_ARGUMENT, "a shape needs modes; it has 0");
  bad = good, bad.n_face = 0, bad.n_line = 0, bad.n_mark = 0;
  refuse(&bad, MS_ERR_ARGUMENT, "needs faces, lines or marks");
  bad = good, bad.line = NULL;
  refuse(&bad, MS_ERR_ARGUMENT, "needs faces, lines or marks");
  some.face[5] = 26;
  refuse(&good, MS_ERR_ARGUMENT, "face 1 has node 26, nodes are 0 to 25");
  some.face[5] = -1;
  refuse(&good, MS_ERR_ARGUMENT, "face 1 has node -1");
  some.face[5] = 4, some.line[1] = -1;
  refuse(&good, MS_ERR_ARGUMENT, "line 0 has node -1");
  some.line[1] = 4, some.mark[1].node = 26;
  refuse(&good, MS_ERR_ARGUMENT, "mark 1 is at node 26");
  some.mark[1].node = 7, some.x[31] = NAN;
  refuse(&good, MS_ERR_NUMERIC, "the place of node 10 is nan");
  some.x[31] = 0.3, some.u[1][7] = INFINITY;
  refuse(&good, MS_ERR_NUMERIC, "the displacement of node 2 is inf");
  some.u[1][7] = 0.0, some.mode[1].name = NULL;
  refuse(&good, MS_ERR_ARGUMENT, "mode 1 has no name");
}

static void test_everything_is_copied(void) {
  ms_shape shape = make_box(3, 2, 2, 2);
  char *want = figure_of("Caption", &shape);
  ms_page *page = NULL;
  CHECK_OK(ms_page_create(test_context(), "A title", NULL, &page));
  CHECK_OK(ms_page_add_shape(page, "Caption", &shape));
  memset(&some, 0x55, sizeof some);
  CHECK_OK(ms_page_write(page, page_path()));
  ms_page_destroy(&page);
  char *got = read_page();
  CHECK(strstr(got, want) != NULL);
  free(got);
  free(want);
}

static ms_status build(ms_context *ctx, void *user) {
  ms_page *page;
  MS_TRY(ms_page_create(ctx, "Title", NULL, &page));
  ms_status status = ms_page_add_shape(page, "caption", user);
  if (status == MS_SUCCESS) status = ms_page_write(page, page_path());
  ms_page_destroy(&page);
  return status;
}

static void test_memory_fails(void) {
  ms_shape shape = make_box(2, 2, 2, 2);
  const unsigned char style = MS_LINE_BODY;
  const ms_shape_mode beside = { .name = "Mode 9", .u = some.u[1] };
  shape.line_style = &style;
  some.mode[0].beside = &beside;
  shape.side[0] = shape.side[1] = "a";
  CHECK(test_allocations(build, &shape) > 25);
  remove(page_path());
}

int main(void) {
  TEST(test_round_trip);
  TEST(test_size);
  TEST(test_extremes);
  TEST(test_still);
  TEST(test_sides);
  TEST(test_lines);
  TEST(test_triangles);
  TEST(test_pairs);
  TEST(test_plane);
  TEST(test_fields);
  TEST(test_fields_of_places);
  TEST(test_fields_refused);
  TEST(test_fields_without_range);
  TEST(test_fields_memory);
  TEST(test_nothing_escapes);
  TEST(test_refused);
  TEST(test_everything_is_copied);
  TEST(test_memory_fails);
  return test_finish();
}
