/* Which format reads a mesh file, and what is the same for all of them. */
#include <string.h>
#include <strings.h>

#include "core/internal.h"
#include "fem/formats/reader.h"
#include "io/internal.h"

#define MS_MESH_FORMAT(name) extern const ms_mesh_format ms_mesh_format_##name;
#include "fem/formats/formats.def"
#undef MS_MESH_FORMAT

static const ms_mesh_format *const formats[] = {
#define MS_MESH_FORMAT(name) &ms_mesh_format_##name,
#include "fem/formats/formats.def"
#undef MS_MESH_FORMAT
};

enum { n_formats = sizeof formats / sizeof formats[0] };

/* ---- the format ---- */

static int has_ending(const ms_mesh_format *format, const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  for (const char *const *known = format->endings; dot && *known; known++) {
    if (strcasecmp(*known, dot) == 0) return 1;
  }
  return 0;
}

static ms_status find_named(const ms_reader *r, const char *name, const ms_mesh_format **out) {
  char known[128] = "";
  for (int i = 0; i < n_formats; i++) {
    size_t used = strlen(known);
    if (strcasecmp(formats[i]->name, name) == 0) {
      *out = formats[i];
      return MS_SUCCESS;
    }
    snprintf(known + used, sizeof known - used, " %s", formats[i]->name);
  }
  return ms_fail(r->ctx, MS_ERR_NAME, "%s: unknown mesh format '%s'; it must be one of%s", r->path,
                 name, known);
}

static ms_status find_format(const ms_reader *r, const ms_mesh_format **out) {
  if (r->settings->format) return find_named(r, r->settings->format, out);
  for (int i = 0; i < n_formats; i++) {
    *out = formats[i];
    if (formats[i]->sniff(r->bytes, r->length)) return MS_SUCCESS;
  }
  for (int i = 0; i < n_formats; i++) {
    *out = formats[i];
    if (has_ending(formats[i], r->path)) return MS_SUCCESS;
  }
  return ms_fail(r->ctx, MS_ERR_FORMAT,
                 "%s: is not a supported mesh file; it must be Gmsh 2.2 or 4.1, an Abaqus "
                 "input file or Exodus II",
                 r->path);
}

/* ---- reading ---- */

ms_mesh_read_settings ms_mesh_read_defaults(void) {
  return (ms_mesh_read_settings) { .length = 1.0, .mass = 1.0, .time = 1.0 };
}

ms_status ms_mesh_parse(ms_context *ctx, const char *path, const char *bytes, size_t length,
                        const ms_mesh_read_settings *settings, ms_mesh **out) {
  ms_mesh_read_settings defaults = ms_mesh_read_defaults();
  ms_reader r = { ctx, path, bytes, length, settings ? settings : &defaults, NULL };
  const ms_mesh_format *format = NULL;
  *out = NULL;
  if (!(r.settings->length > 0.0 && r.settings->mass > 0.0 && r.settings->time > 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "units of %g m, %g kg, %g s; all must be above 0",
                   r.settings->length, r.settings->mass, r.settings->time);
  }
  MS_TRY(find_format(&r, &format));
  MS_TRY(ms_mesh_create(ctx, &r.mesh));
  ms_status status = format->read(&r);
  if (status == MS_SUCCESS && ms_mesh_count_elements(r.mesh) == 0) {
    status = ms_fail(ctx, MS_ERR_FORMAT, "%s: holds no elements; a mesh needs at least one", path);
  }
  if (status == MS_SUCCESS)
    *out = r.mesh;
  else
    ms_mesh_destroy(&r.mesh);
  return status;
}

ms_status ms_mesh_read(ms_context *ctx, const char *path, const ms_mesh_read_settings *settings,
                       ms_mesh **out) {
  char *bytes;
  size_t length;
  MS_MAKE(ctx, out, path);
  MS_TRY(ms_io_load(ctx, path, &bytes, &length));
  ms_status status = ms_mesh_parse(ctx, path, bytes, length, settings, out);
  ms_free(ctx, &bytes);
  return status;
}

/* ---- parts ---- */

const ms_part *ms_reader_given(const ms_reader *r, const char *name) {
  for (int i = 0; i < r->settings->n_part; i++) {
    const char *given = r->settings->part[i].name;
    if (strcmp(given ? given : "", name) == 0) return &r->settings->part[i];
  }
  return NULL;
}

static int take(int n, const double *given, double *to) {
  for (int i = 0; i < n; i++) {
    if (given[i] == 0.0) continue;
    memcpy(to, given, (size_t)n * sizeof *to);
    return 1;
  }
  return 0;
}

/* What `given` has goes over `part`; the number of kinds of property that it has. */
static int overlay(const ms_part *given, ms_part *part) {
  int n = take(1, &given->mass, &part->mass) + take(6, given->inertia, part->inertia) +
          take(6, given->stiffness, part->stiffness);
  if (given->material.E[0] != 0.0) {
    part->material = given->material;
    memcpy(part->axes, given->axes, sizeof part->axes);
    n++;
  }
  if (given->section.A != 0.0) {
    part->section = given->section;
    n++;
  }
  return n;
}

ms_status ms_reader_part(ms_reader *r, const char *name, const ms_part *file, int *part) {
  for (int i = 0; i < ms_mesh_count_parts(r->mesh); i++) {
    *part = i;
    if (strcmp(ms_mesh_get_part(r->mesh, i)->name, name) == 0) return MS_SUCCESS;
  }
  const ms_part *given = ms_reader_given(r, name), *rest = file ? file : ms_reader_given(r, "");
  ms_part made = rest ? *rest : (ms_part) { 0 };
  int n = given ? overlay(given, &made) : 0;
  if (!rest && n == 0) {
    return ms_fail(r->ctx, MS_ERR_NAME,
                   "part '%s' has no material; give it by the name of the part", name);
  }
  made.name = name;
  return ms_mesh_add_part(r->mesh, &made, part);
}

/* ---- elements ---- */

static ms_status find_bin(ms_reader *r, ms_bins *bins, int part, const char *element, int n_node,
                          int *out) {
  for (*out = bins->n - 1; *out >= 0; --*out) {
    const ms_bin *b = &bins->bin[*out];
    if (b->part == part && strcmp(b->element, element) == 0) return MS_SUCCESS;
  }
  MS_TRY(ms_grow(r->ctx, bins->n + 1, &bins->capacity, sizeof *bins->bin, &bins->bin));
  *out = bins->n;
  bins->bin[bins->n++] = (ms_bin) { .part = part, .element = element, .n_node = n_node };
  return MS_SUCCESS;
}

ms_status ms_bins_add(ms_reader *r, ms_bins *bins, int part, const char *element, int n_node,
                      const int32_t *node, ptrdiff_t label, int *bin, ptrdiff_t *at) {
  MS_TRY(find_bin(r, bins, part, element, n_node, bin));
  ms_bin *b = &bins->bin[*bin];
  MS_TRY(ms_grow(r->ctx, n_node * (b->n + 1), &b->capacity, sizeof *b->node, &b->node));
  MS_TRY(ms_grow(r->ctx, b->n + 1, &b->label_capacity, sizeof *b->label, &b->label));
  memcpy(b->node + n_node * b->n, node, (size_t)n_node * sizeof *node);
  b->label[b->n] = label;
  *at = b->n++;
  return MS_SUCCESS;
}

ms_status ms_bins_flush(ms_reader *r, ms_bins *bins) {
  for (int i = 0; i < bins->n; i++) {
    ms_bin *b = &bins->bin[i];
    ms_status status =
        ms_mesh_add_elements(r->mesh, b->part, b->element, b->n, b->node, b->label, &b->first);
    if (status != MS_SUCCESS) return ms_fail_at(r->ctx, status, "%s", r->path);
  }
  return MS_SUCCESS;
}

void ms_bins_free(ms_context *ctx, ms_bins *bins) {
  for (int i = 0; i < bins->n; i++) {
    ms_free(ctx, &bins->bin[i].node);
    ms_free(ctx, &bins->bin[i].label);
  }
  ms_free(ctx, &bins->bin);
  *bins = (ms_bins) { 0 };
}
