/* From the scopes of an Abaqus file to the mesh: sections to parts, instances to nodes and
   elements, sets. Names of what is inside an instance get the instance's name and a dot. */
#include "fem/formats/abaqus.h"

#include <stdio.h>
#include <string.h>

void ms_abaqus_full_name(const ms_abaqus_instance *i, const char *name, char *out) {
  snprintf(out, MS_ABAQUS_NAME_SIZE, "%s%s%s", i->name, *i->name ? "." : "", name);
}

ms_status ms_abaqus_find(const ms_abaqus *a, ms_set_kind kind, int instance, ptrdiff_t label,
                         ms_abaqus_place place, int32_t *out) {
  const ms_abaqus_instance *i = &a->instance[instance];
  const ms_abaqus_scope *s = &a->scope[i->scope];
  int32_t at = ms_labels_get(kind == MS_SET_NODES ? &s->nodes : &s->elements, label);
  if (at < 0) {
    return MS_ABAQUS_FAIL_AT(a, place, "there is no %s %td%s%s; correct the number",
                             kind == MS_SET_NODES ? "node" : "element", label,
                             *i->name ? " in instance " : "", i->name);
  }
  if (kind != MS_SET_NODES && !s->element[at].type->element) {
    return MS_ABAQUS_FAIL_AT(a, place, "element %td is a %s, which is not read; it has no faces",
                             label, s->element[at].type->name);
  }
  *out = kind == MS_SET_NODES ? (int32_t)(i->first + at) : i->element[at];
  return MS_SUCCESS;
}

/* ---- sections ---- */

static ms_span span_of(const char *text) {
  return (ms_span) { text, text + strlen(text) };
}

static ms_status assign_to(ms_abaqus *a, ms_abaqus_scope *s, int section, ms_abaqus_item item) {
  ms_abaqus_place place = s->section[section].place;
  int32_t at = item.instance > 0 ? -1 : ms_labels_get(&s->elements, item.label);
  if (at < 0) {
    return MS_ABAQUS_FAIL_AT(a, place,
                             "element %td of set '%s' and its section must be in one part",
                             item.label, s->section[section].set);
  }
  ms_abaqus_element *e = &s->element[at];
  if (!e->type->element) {
    return MS_ABAQUS_FAIL_AT(a, place,
                             "element %td of set '%s' is a %s, which is not supported with a "
                             "section; remove it from the set, or use solids or beams",
                             item.label, s->section[section].set, e->type->name);
  }
  if (e->section >= 0 && e->section != section) {
    return MS_ABAQUS_FAIL_AT(a, place,
                             "element %td has a section already, of set '%s'; it must "
                             "have one",
                             item.label, s->section[e->section].set);
  }
  e->section = section;
  return MS_SUCCESS;
}

static ms_status assign_sections(ms_abaqus *a, ms_abaqus_scope *s) {
  for (int k = 0; k < s->n_section; k++) {
    const ms_abaqus_section *section = &s->section[k];
    ptrdiff_t at = ms_abaqus_find_set(s, MS_SET_ELEMENTS, span_of(section->set));
    if (at < 0) {
      return MS_ABAQUS_FAIL_AT(a, section->place,
                               "there is no set of elements '%s' for the "
                               "section; correct the name",
                               section->set);
    }
    for (ptrdiff_t i = 0; i < s->set[at].n; i++) {
      MS_TRY(assign_to(a, s, k, s->set[at].item[i]));
    }
  }
  return MS_SUCCESS;
}

/* ---- parts ---- */

static ms_status find_material(const ms_abaqus *a, const ms_abaqus_section *s, ms_material *out) {
  for (ptrdiff_t i = 0; i < a->n_material; i++) {
    const ms_abaqus_material *m = &a->material[i];
    if (!ms_abaqus_is(span_of(s->material), m->name)) continue;
    *out = m->value;
    if (m->n_elastic == (m->engineering ? 2 : 1)) return MS_SUCCESS;
    return MS_ABAQUS_FAIL_AT(a, s->place, "material '%s' has no complete *ELASTIC; complete it",
                             m->name);
  }
  return MS_ABAQUS_FAIL_AT(a, s->place, "there is no *MATERIAL '%s'; correct the name",
                           s->material);
}

static ms_status find_axes(const ms_abaqus *a, const ms_abaqus_section *s, double *axes) {
  for (ptrdiff_t i = 0; i < a->n_orientation; i++) {
    if (!ms_abaqus_is(span_of(s->orientation), a->orientation[i].name)) continue;
    memcpy(axes, a->orientation[i].axes, sizeof a->orientation[i].axes);
    return MS_SUCCESS;
  }
  return MS_ABAQUS_FAIL_AT(a, s->place, "there is no *ORIENTATION '%s'; correct the name",
                           s->orientation);
}

/* v -> R v */
static void turn(const double *R, double *v) {
  double w[3];
  for (int i = 0; i < 3; i++) w[i] = R[i] * v[0] + R[i + 3] * v[1] + R[i + 6] * v[2];
  memcpy(v, w, sizeof w);
}

/* Into SI units. */
static void scale(const ms_mesh_read_settings *u, ms_part *p) {
  double L = u->length, stress = u->mass / (L * u->time * u->time), k = stress * L;
  for (int i = 0; i < 3; i++) {
    p->material.E[i] *= stress;
    p->material.G[i] *= stress;
    p->inertia[i] *= u->mass * L * L;
    p->stiffness[i] *= k;
    p->stiffness[i + 3] *= k * L * L;
  }
  p->material.rho *= u->mass / (L * L * L);
  p->mass *= u->mass;
  p->section.A *= L * L;
  p->section.Iy *= L * L * L * L;
  p->section.Iz *= L * L * L * L;
  p->section.J *= L * L * L * L;
}

static ms_status make_part(ms_abaqus *a, const ms_abaqus_instance *i, const ms_abaqus_section *s,
                           int *part) {
  ms_part p = s->part;
  char name[MS_ABAQUS_NAME_SIZE];
  if (s->material) MS_TRY(find_material(a, s, &p.material));
  if (s->orientation) {
    MS_TRY(find_axes(a, s, p.axes));
    for (int k = 0; k < 3; k++) turn(i->R, p.axes + 3 * k);
  }
  turn(i->R, p.section.y);
  scale(a->r->settings, &p);
  ms_abaqus_full_name(i, s->set, name);
  return ms_abaqus_at(a, s->place, ms_reader_part(a->r, name, &p, part));
}

/* The part of an element without a section: the settings must know it by the name of its set. */
static ms_status make_bare_part(ms_abaqus *a, const ms_abaqus_instance *i,
                                const ms_abaqus_element *e, int *part) {
  const ms_abaqus_scope *s = &a->scope[i->scope];
  char name[MS_ABAQUS_NAME_SIZE];
  ms_abaqus_full_name(i, e->set >= 0 ? s->set[e->set].name : "part", name);
  return ms_abaqus_at(a, e->place, ms_reader_part(a->r, name, NULL, part));
}

/* ---- elements ---- */

static const char *element_name(const ms_abaqus_element *e, const ms_abaqus_section *s) {
  if (!s || !s->element) return e->type->element;
  return e->type->n_node == 2 ? "bushing" : "ground_bushing";
}

static ms_status check_section(const ms_abaqus *a, const ms_abaqus_element *e,
                               const ms_abaqus_section *s) {
  const ms_element_info *info;
  MS_TRY(ms_element_find(a->ctx, e->type->element, &info));
  if (!s || !(info->needs & ~s->needs)) return MS_SUCCESS;
  return MS_ABAQUS_FAIL_AT(
      a, e->place,
      "element %td is a %s, but the section of '%s' is for other elements; give it its own section",
      e->label, e->type->name, s->set);
}

static ms_status place_element(ms_abaqus *a, const ms_abaqus_instance *i, ms_bins *bins,
                               const ms_abaqus_element *e, int part, int *bin, ptrdiff_t *at) {
  const ms_abaqus_scope *s = &a->scope[i->scope];
  int32_t node[20];
  for (int k = 0; k < e->type->n_node; k++) {
    const ms_abaqus_item *item = &s->list[e->first + k];
    int of = item->instance >= 0 ? item->instance : (int)(i - a->instance);
    MS_TRY(ms_abaqus_find(a, MS_SET_NODES, of, item->label, e->place, &node[k]));
  }
  const char *element = element_name(e, e->section >= 0 ? &s->section[e->section] : NULL);
  return ms_bins_add(a->r, bins, part, element, e->type->n_node, node, e->label, bin, at);
}

/* Parts are looked up when section, set or type change, not for every element. */
static ms_status place_elements(ms_abaqus *a, ms_abaqus_instance *i, ms_bins *bins, int *bin_of) {
  const ms_abaqus_scope *s = &a->scope[i->scope];
  const ms_abaqus_element *last = NULL;
  int part = -1;
  for (ptrdiff_t k = 0; k < s->n_element; k++) {
    const ms_abaqus_element *e = &s->element[k];
    ptrdiff_t at;
    if (!e->type->element) continue;
    const ms_abaqus_section *section = e->section >= 0 ? &s->section[e->section] : NULL;
    if (!last || last->section != e->section || last->set != e->set || last->type != e->type) {
      MS_TRY(check_section(a, e, section));
      MS_TRY(section ? make_part(a, i, section, &part) : make_bare_part(a, i, e, &part));
    }
    last = e;
    MS_TRY(place_element(a, i, bins, e, part, &bin_of[k], &at));
    i->element[k] = (int32_t)at;
  }
  MS_TRY(ms_bins_flush(a->r, bins));
  for (ptrdiff_t k = 0; k < s->n_element; k++) {
    if (s->element[k].type->element) i->element[k] += (int32_t)bins->bin[bin_of[k]].first;
  }
  return MS_SUCCESS;
}

static ms_status add_elements(ms_abaqus *a, ms_abaqus_instance *i) {
  ptrdiff_t n = a->scope[i->scope].n_element;
  ms_bins bins = { 0 };
  int *bin_of = NULL;
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(a->ctx, n, sizeof *i->element, &i->element));
  MS_TRY(ms_allocate(a->ctx, n, sizeof *bin_of, &bin_of));
  ms_status status = place_elements(a, i, &bins, bin_of);
  ms_bins_free(a->ctx, &bins);
  ms_free(a->ctx, &bin_of);
  return status;
}

/* ---- nodes ---- */

static ms_status add_nodes(ms_abaqus *a, ms_abaqus_instance *i) {
  const ms_abaqus_scope *s = &a->scope[i->scope];
  double *x = NULL;
  if (s->n_node > 0) MS_TRY(ms_allocate(a->ctx, 3 * s->n_node, sizeof *x, &x));
  for (ptrdiff_t k = 0; k < s->n_node; k++) {
    double *y = x + 3 * k;
    for (int c = 0; c < 3; c++) y[c] = s->x[3 * k + c] + i->move[c] - i->about[c];
    if (*i->name) turn(i->R, y); /* the root stays to the last bit */
    for (int c = 0; c < 3; c++) y[c] = (y[c] + i->about[c]) * a->r->settings->length;
  }
  ms_status status = ms_mesh_add_nodes(a->r->mesh, s->n_node, x, s->label, &i->first);
  ms_free(a->ctx, &x);
  return status == MS_SUCCESS ? status : ms_fail_at(a->ctx, status, "%s", a->r->path);
}

/* ---- sets ---- */

/* Of a set of elements the marks are passed over. */
static ms_status resolve(const ms_abaqus *a, int instance, const ms_abaqus_set *s, ptrdiff_t *n,
                         int32_t *index, unsigned char *face) {
  ms_set_kind kind = s->kind == MS_SET_NODES ? MS_SET_NODES : MS_SET_ELEMENTS;
  *n = 0;
  for (ptrdiff_t k = 0; k < s->n; k++) {
    int of = s->item[k].instance >= 0 ? s->item[k].instance : instance;
    if (s->kind == MS_SET_ELEMENTS && ms_abaqus_get_mark(a, of, s->item[k].label)) continue;
    MS_TRY(ms_abaqus_find(a, kind, of, s->item[k].label, s->place, &index[*n]));
    face[(*n)++] = s->item[k].face;
  }
  return MS_SUCCESS;
}

static ms_status add_set(ms_abaqus *a, int instance, const ms_abaqus_set *s) {
  char name[MS_ABAQUS_NAME_SIZE];
  int32_t *index = NULL;
  unsigned char *face = NULL;
  ptrdiff_t n = 0;
  ms_abaqus_full_name(&a->instance[instance], s->name, name);
  ms_status status = ms_resize(a->ctx, s->n, sizeof *index, &index);
  if (status == MS_SUCCESS) status = ms_resize(a->ctx, s->n, 1, &face);
  if (status == MS_SUCCESS) status = resolve(a, instance, s, &n, index, face);
  if (status == MS_SUCCESS && (n > 0 || s->n == 0)) {
    if (s->kind == MS_SET_NODES)
      status = ms_reader_add_nodes(a->r, name, n, index);
    else if (s->kind == MS_SET_FACES)
      status = ms_reader_add_faces(a->r, name, n, index, face);
    else
      status = ms_mesh_add_set(a->r->mesh, MS_SET_ELEMENTS, name, n, index, NULL);
    status = ms_abaqus_at(a, s->place, status);
  }
  ms_free(a->ctx, &index);
  ms_free(a->ctx, &face);
  return status;
}

/* Sets of one kind: nodes go first, so that a surface does not take the name of a set of nodes. */
static ms_status add_sets(ms_abaqus *a, ms_set_kind kind) {
  for (int i = 0; i < a->n_instance; i++) {
    const ms_abaqus_scope *s = &a->scope[a->instance[i].scope];
    for (ptrdiff_t k = 0; k < s->n_set; k++) {
      if (s->set[k].kind == kind) MS_TRY(add_set(a, i, &s->set[k]));
    }
  }
  return MS_SUCCESS;
}

ms_status ms_abaqus_build(ms_abaqus *a) {
  MS_TRY(ms_abaqus_expand(a));
  for (ptrdiff_t i = 0; i < a->n_scope; i++) MS_TRY(assign_sections(a, &a->scope[i]));
  for (ptrdiff_t i = 0; i < a->n_instance; i++) MS_TRY(add_nodes(a, &a->instance[i]));
  for (ptrdiff_t i = 0; i < a->n_instance; i++) MS_TRY(add_elements(a, &a->instance[i]));
  for (int kind = MS_SET_NODES; kind <= MS_SET_FACES; kind++) {
    MS_TRY(add_sets(a, (ms_set_kind)kind));
  }
  return ms_abaqus_add_marks(a);
}
