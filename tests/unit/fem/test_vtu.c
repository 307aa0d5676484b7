/* VTU files, read back by a small reader of its own: the heads say where the arrays are, and the
   arrays hold what the mesh holds. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/fem/meshes.h"
#include "support/files.h"

static int letter(char c) {
  static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = c ? strchr(all, c) : NULL;
  return at ? (int)(at - all) : -1;
}

/* Decodes from text until padding or another character ends it; returns the bytes, *n of them. */
static unsigned char *decode(const char *text, size_t *n) {
  size_t room = strlen(text);
  unsigned char *out = malloc(room + 4);
  *n = 0;
  for (size_t i = 0; letter(text[i]) >= 0 && letter(text[i + 1]) >= 0; i += 4) {
    int a = letter(text[i]), b = letter(text[i + 1]), c = letter(text[i + 2]), d = -1;
    out[(*n)++] = (unsigned char)(a << 2 | b >> 4);
    if (c >= 0) out[(*n)++] = (unsigned char)(b << 4 | c >> 2);
    if (c >= 0) d = letter(text[i + 3]);
    if (d >= 0) out[(*n)++] = (unsigned char)(c << 6 | d);
    if (c < 0 || d < 0) break;
  }
  return out;
}

/* The content of the array with this name, without its count, which is checked. To be freed by
   free(*block). */
static const void *read_array(const char *file, const char *type, const char *name, size_t bytes,
                              unsigned char **block) {
  char head[128];
  snprintf(head, sizeof head, "<DataArray type=\"%s\" Name=\"%s\"", type, name);
  const char *at = strstr(file, head),
             *data = strstr(file, "<AppendedData encoding=\"base64\">\n_");
  *block = NULL;
  if (!CHECK(at && data)) return NULL;
  const char *offset = strstr(at, "offset=\"");
  size_t n;
  *block = decode(strchr(data, '_') + 1 + strtoul(offset + 8, NULL, 10), &n);
  uint64_t said;
  memcpy(&said, *block, sizeof said);
  CHECK_EQUAL(said, bytes);
  CHECK(n >= 8 + bytes);
  return *block + 8;
}

static ms_mesh *sample(void) {
  static const double size[3] = { 1.3, 0.7, 0.9 };
  static const int n[3] = { 2, 1, 1 };
  ms_mesh *m = test_brick("hex8", size, n, 2.0, 0.3, 1.0);
  const double x[3] = { 2.385, 0.0, -1.0 };
  const ptrdiff_t node_label = 1234567, label = 99;
  ms_part spring = { .name = "spring", .stiffness = { 3.0, 2.0, 1.0 } };
  const int32_t ends[2] = { 11, 12 };
  CHECK_OK(ms_mesh_add_nodes(m, 1, x, &node_label, NULL));
  CHECK_OK(ms_mesh_add_part(m, &spring, NULL));
  CHECK_OK(ms_mesh_add_elements(m, 1, "spring", 1, ends, &label, NULL));
  return m;
}

static char *print(const ms_mesh *m, int n_field, const ms_mesh_field *field, ms_status want) {
  const char *path = test_path("mesh.vtu");
  FILE *out = fopen(path, "wb");
  size_t n;
  CHECK_STATUS(ms_mesh_print_vtu(m, n_field, field, out), want);
  CHECK_EQUAL(fclose(out), 0);
  char *bytes = test_get(path, &n), *text = calloc(n + 1, 1); /* with an end, as text has */
  if (n > 0) memcpy(text, bytes, n);
  free(bytes);
  return text;
}

static void test_content(void) {
  ms_mesh *m = sample();
  double mode[3 * 13], level[13];
  for (int i = 0; i < 39; i++) mode[i] = sin(i + 0.3);
  for (int i = 0; i < 13; i++) level[i] = exp(0.1 * i);
  const ms_mesh_field field[2] = { { "mode 1: <a & \"b\">", 3, mode }, { "level", 1, level } };
  char *file = print(m, 2, field, MS_SUCCESS);
  unsigned char *block;
  CHECK_HAS(file, "<Piece NumberOfPoints=\"13\" NumberOfCells=\"3\">");
  CHECK_HAS(file, "byte_order=\"LittleEndian\" header_type=\"UInt64\"");
  const void *p = read_array(file, "Float64", "Points", 39 * 8, &block);
  CHECK(p && memcmp(p, ms_mesh_get_nodes(m), 39 * 8) == 0);
  free(block);
  p = read_array(file, "Float64", "mode 1: &#60;a &#38; &#34;b&#34;&#62;", 39 * 8, &block);
  CHECK(p && memcmp(p, mode, 39 * 8) == 0);
  free(block);
  p = read_array(file, "Float64", "level", 13 * 8, &block);
  CHECK(p && memcmp(p, level, 13 * 8) == 0);
  free(block);
  p = read_array(file, "Int32", "connectivity", 18 * 4, &block);
  CHECK(p && memcmp(p, ms_mesh_get_block(m, 0).node, 64) == 0);
  const int32_t tail[2] = { 11, 12 };
  CHECK(p && memcmp((const char *)p + 64, tail, 8) == 0);
  free(block);
  p = read_array(file, "Int64", "offsets", 3 * 8, &block);
  const int64_t ends[3] = { 8, 16, 18 };
  CHECK(p && memcmp(p, ends, sizeof ends) == 0);
  free(block);
  p = read_array(file, "UInt8", "types", 3, &block);
  CHECK(p && memcmp(p, "\014\014\003", 3) == 0);
  free(block);
  p = read_array(file, "Int32", "part", 12, &block);
  const int32_t parts[3] = { 0, 0, 1 };
  CHECK(p && memcmp(p, parts, sizeof parts) == 0);
  free(block);
  p = read_array(file, "Int64", "element", 24, &block);
  const int64_t labels[3] = { 1, 2, 99 };
  CHECK(p && memcmp(p, labels, sizeof labels) == 0);
  free(block);
  p = read_array(file, "Int64", "node", 13 * 8, &block);
  int64_t last = 0;
  if (p) memcpy(&last, (const char *)p + 12 * 8, 8);
  CHECK_EQUAL(last, 1234567);
  free(block);
  free(file);
  ms_mesh_destroy(&m);
}

/* Six times the volume of the tetrahedron 0 1 2 3, which is negative where the triangle 0 1 2 looks
   away from 3. */
static double side(const double *x, const int32_t *node) {
  double d[3][3];
  for (int i = 0; i < 3; i++) {
    for (int c = 0; c < 3; c++) d[i][c] = x[3 * node[i + 1] + c] - x[3 * node[0] + c];
  }
  return d[2][0] * (d[0][1] * d[1][2] - d[0][2] * d[1][1]) +
         d[2][1] * (d[0][2] * d[1][0] - d[0][0] * d[1][2]) +
         d[2][2] * (d[0][0] * d[1][1] - d[0][1] * d[1][0]);
}

/* VTK wants the first triangle of a wedge to look outwards; our own and those of tetrahedra look
   inwards. The second is above the first, node by node. */
static void test_wedges(void) {
  static const double size[3] = { 1.3, 0.7, 0.9 };
  static const int n[3] = { 2, 1, 1 };
  ms_mesh *m = test_brick("wedge6", size, n, 2.0, 0.3, 1.0);
  char *file = print(m, 0, NULL, MS_SUCCESS);
  unsigned char *block;
  const double *x = ms_mesh_get_nodes(m);
  const void *p = read_array(file, "Int32", "connectivity", 4 * 6 * 4, &block);
  for (int k = 0; p && k < 4; k++) {
    int32_t node[6];
    memcpy(node, (const char *)p + 24 * k, sizeof node);
    CHECK_BELOW(side(x, node), -0.1);
    for (int i = 0; i < 3; i++) {
      const double *a = x + 3 * node[i], *b = x + 3 * node[i + 3];
      double along = hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
      CHECK_BELOW(along, 0.95); /* an edge of the brick, not a diagonal */
    }
  }
  free(block);
  free(file);
  ms_mesh_destroy(&m);
}

/* The tags close in order: what xmllint looks for, without it. */
static void test_well_formed(void) {
  ms_mesh *m = sample();
  char *file = print(m, 0, NULL, MS_SUCCESS), stack[16][32];
  int depth = 0;
  for (char *at = strchr(file, '<'); at; at = strchr(at + 1, '<')) {
    char *end = strchr(at, '>'), name[32];
    if (!CHECK(end != NULL)) break;
    if (at[1] == '?' || end[-1] == '/') continue;
    CHECK_EQUAL(sscanf(at + 1 + (at[1] == '/'), "%31[A-Za-z]", name), 1);
    if (at[1] == '/') {
      if (!CHECK(depth > 0) || !CHECK_TEXT(stack[--depth], name)) break;
    } else {
      strcpy(stack[depth++], name);
    }
  }
  CHECK_EQUAL(depth, 0);
  free(file);
  ms_mesh_destroy(&m);
}

static void test_refused(void) {
  ms_mesh *m = sample();
  double mode[3 * 13] = { 0.0 };
  ms_mesh_field field = { "mode", 3, mode };
  mode[38] = NAN;
  char *file = print(m, 1, &field, MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "field 'mode' is not finite at node 1234567");
  free(file);
  field.name = "";
  file = print(m, 1, &field, MS_ERR_ARGUMENT);
  free(file);
  ms_mesh_destroy(&m);
}

int main(void) {
  test_folder_open();
  TEST(test_content);
  TEST(test_wedges);
  TEST(test_well_formed);
  TEST(test_refused);
  test_folder_close();
  return test_finish();
}
