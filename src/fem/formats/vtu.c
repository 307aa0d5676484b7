/* VTU files: VTK's unstructured grid as XML, with the arrays as base64 at the end of the file, each
   behind the number of its bytes. Base64 and not raw bytes: the file stays XML, which more programs
   than VTK can read. */
#include <math.h>
#include <microslip/io.h>
#include <stdint.h>
#include <string.h>

#include "fem/impl.h"

enum { VTK_WEDGE = 13 };

/* ---- base64 ---- */

typedef struct encoder {
  FILE *out;
  unsigned char rest[3];
  int n_rest;
} encoder;

static void encode_group(encoder *e) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *r = e->rest;
  char text[4] = { letters[r[0] >> 2], letters[(r[0] & 3) << 4 | r[1] >> 4],
                   e->n_rest > 1 ? letters[(r[1] & 15) << 2 | r[2] >> 6] : '=',
                   e->n_rest > 2 ? letters[r[2] & 63] : '=' };
  fwrite(text, 1, 4, e->out);
  memset(e->rest, 0, 3);
  e->n_rest = 0;
}

static void encode(encoder *e, const void *bytes, size_t n) {
  const unsigned char *b = bytes;
  for (size_t i = 0; i < n; i++) {
    e->rest[e->n_rest++] = b[i];
    if (e->n_rest == 3) encode_group(e);
  }
}

/* ---- arrays: what each holds, and where it is in the file ---- */

typedef struct array {
  const char *type, *name;
  int n_component; /* 0: a plain list */
  size_t bytes;
  void (*write)(const ms_mesh *m, const ms_mesh_field *field, encoder *e);
  const ms_mesh_field *field;
} array;

static void write_points(const ms_mesh *m, const ms_mesh_field *f, encoder *e) {
  (void)f;
  encode(e, m->x, 3 * (size_t)m->n_node * sizeof *m->x);
}

static void write_field(const ms_mesh *m, const ms_mesh_field *f, encoder *e) {
  encode(e, f->values, (size_t)f->n_component * (size_t)m->n_node * sizeof *f->values);
}

static void write_node_labels(const ms_mesh *m, const ms_mesh_field *f, encoder *e) {
  (void)f;
  for (ptrdiff_t i = 0; i < m->n_node; i++) {
    int64_t label = ms_mesh_get_node_label(m, i);
    encode(e, &label, sizeof label);
  }
}

static void write_element_labels(const ms_mesh *m, const ms_mesh_field *f, encoder *e) {
  (void)f;
  for (ptrdiff_t i = 0; i < m->n_element; i++) {
    int64_t label = ms_mesh_get_element_label(m, i);
    encode(e, &label, sizeof label);
  }
}

static void write_connectivity(const ms_mesh *m, const ms_mesh_field *f, encoder *e) {
  (void)f;
  for (int k = 0; k < m->n_block; k++) {
    const ms_element_block *b = &m->block[k];
    if (b->element->info.vtk == VTK_WEDGE) {
      /* VTK counts the nodes of all elements as we do, but for the wedge: there the first triangle,
         by the right hand, looks out of it. */
      static const int order[6] = { 0, 2, 1, 3, 5, 4 };
      for (ptrdiff_t i = 0; i < 6 * b->n; i++) {
        encode(e, b->node + 6 * (i / 6) + order[i % 6], sizeof *b->node);
      }
    } else {
      encode(e, b->node, (size_t)(b->n * b->element->info.n_node) * sizeof *b->node);
    }
  }
}

static void write_offsets(const ms_mesh *m, const ms_mesh_field *f, encoder *e) {
  int64_t end = 0;
  (void)f;
  for (int k = 0; k < m->n_block; k++) {
    for (ptrdiff_t i = 0; i < m->block[k].n; i++) {
      end += m->block[k].element->info.n_node;
      encode(e, &end, sizeof end);
    }
  }
}

static void write_types(const ms_mesh *m, const ms_mesh_field *f, encoder *e) {
  (void)f;
  for (int k = 0; k < m->n_block; k++) {
    unsigned char type = (unsigned char)m->block[k].element->info.vtk;
    for (ptrdiff_t i = 0; i < m->block[k].n; i++) encode(e, &type, 1);
  }
}

static void write_parts(const ms_mesh *m, const ms_mesh_field *f, encoder *e) {
  (void)f;
  for (int k = 0; k < m->n_block; k++) {
    int32_t part = m->block[k].part;
    for (ptrdiff_t i = 0; i < m->block[k].n; i++) encode(e, &part, sizeof part);
  }
}

/* ---- the file ---- */

static size_t count_corners(const ms_mesh *m) {
  size_t n = 0;
  for (int k = 0; k < m->n_block; k++) {
    n += (size_t)(m->block[k].n * m->block[k].element->info.n_node);
  }
  return n;
}

static void print_name(const char *text, FILE *out) {
  for (; *text; text++) {
    if (strchr("<>&\"", *text))
      fprintf(out, "&#%d;", *text);
    else
      fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
  }
}

/* Prints the head of an array and moves the offset, counted in characters, behind it. */
static void print_head(const array *a, size_t *offset, FILE *out) {
  fprintf(out, "        <DataArray type=\"%s\" Name=\"", a->type);
  print_name(a->name, out);
  fputc('"', out);
  if (a->n_component) fprintf(out, " NumberOfComponents=\"%d\"", a->n_component);
  fprintf(out, " format=\"appended\" offset=\"%zu\"/>\n", *offset);
  *offset += (a->bytes + sizeof(uint64_t) + 2) / 3 * 4;
}

static void print_data(const ms_mesh *m, const array *a, FILE *out) {
  encoder e = { .out = out };
  uint64_t bytes = a->bytes;
  encode(&e, &bytes, sizeof bytes);
  a->write(m, a->field, &e);
  if (e.n_rest) encode_group(&e);
}

static void print_section(const char *name, int n, const array *a, size_t *offset, FILE *out) {
  fprintf(out, "      <%s>\n", name);
  for (int i = 0; i < n; i++) print_head(&a[i], offset, out);
  fprintf(out, "      </%s>\n", name);
}

static const char *byte_order(void) {
  const uint16_t probe = 1;
  unsigned char first;
  memcpy(&first, &probe, 1);
  return first ? "LittleEndian" : "BigEndian";
}

/* point_data: labels and fields; room for them is the caller's. */
static void print_file(const ms_mesh *m, int n_field, const array *point_data, FILE *out) {
  size_t n = (size_t)m->n_node, ne = (size_t)m->n_element, offset = 0;
  const array points[] = { { "Float64", "Points", 3, 24 * n, write_points, NULL } };
  const array cells[] = {
    { "Int32", "connectivity", 0, 4 * count_corners(m), write_connectivity, NULL },
    { "Int64", "offsets", 0, 8 * ne, write_offsets, NULL },
    { "UInt8", "types", 0, ne, write_types, NULL },
  };
  const array cell_data[] = {
    { "Int32", "part", 0, 4 * ne, write_parts, NULL },
    { "Int64", "element", 0, 8 * ne, write_element_labels, NULL },
  };
  fprintf(out,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
          "byte_order=\"%s\" header_type=\"UInt64\">\n  <UnstructuredGrid>\n"
          "    <Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n",
          byte_order(), n, ne);
  print_section("PointData", n_field + 1, point_data, &offset, out);
  print_section("CellData", 2, cell_data, &offset, out);
  print_section("Points", 1, points, &offset, out);
  print_section("Cells", 3, cells, &offset, out);
  fputs("    </Piece>\n  </UnstructuredGrid>\n  <AppendedData encoding=\"base64\">\n_", out);
  for (int i = 0; i <= n_field; i++) print_data(m, &point_data[i], out);
  for (int i = 0; i < 2; i++) print_data(m, &cell_data[i], out);
  print_data(m, points, out);
  for (int i = 0; i < 3; i++) print_data(m, &cells[i], out);
  fputs("\n  </AppendedData>\n</VTKFile>\n", out);
}

static ms_status check_field(const ms_mesh *m, const ms_mesh_field *f) {
  if (!f->name || !*f->name || f->n_component < 1 || !f->values) {
    return ms_fail(m->ctx, MS_ERR_ARGUMENT, "a field needs a name, components and values");
  }
  for (ptrdiff_t i = 0; i < f->n_component * m->n_node; i++) {
    if (isfinite(f->values[i])) continue;
    return ms_fail(m->ctx, MS_ERR_NUMERIC, "field '%s' is not finite at node %td", f->name,
                   ms_mesh_get_node_label(m, i / f->n_component));
  }
  return MS_SUCCESS;
}

ms_status ms_mesh_print_vtu(const ms_mesh *m, int n_field, const ms_mesh_field *field, FILE *out) {
  for (int i = 0; i < n_field; i++) MS_TRY(check_field(m, &field[i]));
  array *point_data;
  MS_TRY(ms_allocate(m->ctx, n_field + 1, sizeof *point_data, &point_data));
  size_t n = (size_t)m->n_node;
  point_data[0] = (array) { "Int64", "node", 0, 8 * n, write_node_labels, NULL };
  for (int i = 0; i < n_field; i++) {
    const ms_mesh_field *f = &field[i];
    point_data[i + 1] = (array) { "Float64",      f->name,
                                  f->n_component, 8 * n * (size_t)f->n_component,
                                  write_field,    f };
  }
  print_file(m, n_field, point_data, out);
  ms_free(m->ctx, &point_data);
  return MS_SUCCESS;
}

ms_status ms_mesh_write_vtu(const ms_mesh *m, int n_field, const ms_mesh_field *field,
                            const char *path) {
  ms_outfile *out;
  MS_TRY(ms_outfile_open(m->ctx, path, &out));
  ms_status status = ms_mesh_print_vtu(m, n_field, field, ms_outfile_stream(out));
  if (status == MS_SUCCESS) return ms_outfile_commit(&out);
  ms_outfile_discard(&out);
  return status;
}
