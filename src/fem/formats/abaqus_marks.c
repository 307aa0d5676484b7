/* Abaqus input files: line and surface elements that only mark groups. Gmsh writes lines as T3D2
   and T3D3, faces as CPS3 to CPS8; meshio writes B31H, B33H, S3RS, STRI65, CAX4P, S8R5, S9R5. */
#include "fem/formats/abaqus.h"

#include <string.h>
#include <strings.h>

/* ---- types ---- */

static const ms_abaqus_type lines[] = {
  { "line", NULL, 2, NULL, 2 },
  { "line", NULL, 3, NULL, 2 },
};

static const ms_abaqus_type faces[] = {
  { "triangle", NULL, 3, NULL, 3 },      { "triangle", NULL, 6, NULL, 3 },
  { "quadrilateral", NULL, 4, NULL, 4 }, { "quadrilateral", NULL, 8, NULL, 4 },
  { "quadrilateral", NULL, 9, NULL, 4 },
};

/* The digit behind the family's name is the number of nodes: CPS6M, S8R5, STRI65. */
static const struct family {
  const char *name;
  const ms_abaqus_type *type;
  size_t n;
} families[] = {
  { "T2D", lines, 2 }, { "T3D", lines, 2 }, { "CPS", faces, 5 },   { "CPE", faces, 5 },
  { "CAX", faces, 5 }, { "S", faces, 5 },   { "STRI", faces, 5 },  { "M3D", faces, 5 },
  { "R3D", faces, 5 }, { "DS", faces, 5 },  { "SFM3D", faces, 5 },
};

const ms_abaqus_type *ms_abaqus_find_mark(ms_span name) {
  if (ms_abaqus_is(name, "B31H")) return &lines[0];
  if (ms_abaqus_is(name, "B33H")) return &lines[1]; /* meshio's line of 3 nodes */
  for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
    const struct family *f = &families[i];
    size_t length = strlen(f->name);
    if (ms_io_length(name) <= length || strncasecmp(name.begin, f->name, length) != 0) continue;
    for (size_t k = 0; k < f->n; k++) {
      if (name.begin[length] == '0' + f->type[k].n_node) return &f->type[k];
    }
  }
  return NULL;
}

const ms_abaqus_element *ms_abaqus_get_mark(const ms_abaqus *a, int instance, ptrdiff_t label) {
  const ms_abaqus_scope *s = &a->scope[a->instance[instance].scope];
  int32_t at = ms_labels_get(&s->elements, label);
  return at >= 0 && !s->element[at].type->element ? &s->element[at] : NULL;
}

/* ---- sets ---- */

/* The marks of one set. */
typedef struct group {
  const char *name; /* of the set, without the instance's */
  int instance;
  ptrdiff_t first, n; /* in the skin */
  ptrdiff_t n_node, capacity;
  int32_t *node;
  int has_lines;
  ms_abaqus_place place;
} group;

typedef struct marks {
  ms_skin skin;
  group *group;
  ptrdiff_t n, capacity;
} marks;

static ms_status add_mark(ms_abaqus *a, marks *m, group *g, int instance,
                          const ms_abaqus_element *e) {
  const ms_abaqus_scope *s = &a->scope[a->instance[instance].scope];
  int n = e->type->n_node;
  MS_TRY(ms_grow(a->ctx, g->n_node + n, &g->capacity, sizeof *g->node, &g->node));
  int32_t *node = g->node + g->n_node;
  for (int k = 0; k < n; k++) {
    const ms_abaqus_item *item = &s->list[e->first + k];
    int of = item->instance >= 0 ? item->instance : instance;
    MS_TRY(ms_abaqus_find(a, MS_SET_NODES, of, item->label, e->place, &node[k]));
  }
  g->n_node += n;
  g->has_lines |= e->type->n_corner == 2;
  if (g->has_lines) return MS_SUCCESS;
  g->n++;
  return ms_skin_add(a->ctx, &m->skin, e->type->n_corner, node, 0, e->place.line);
}

static ms_status collect_set(ms_abaqus *a, marks *m, int instance, const ms_abaqus_set *set) {
  group *g = NULL;
  for (ptrdiff_t k = 0; set->kind == MS_SET_ELEMENTS && k < set->n; k++) {
    int of = set->item[k].instance >= 0 ? set->item[k].instance : instance;
    const ms_abaqus_element *e = ms_abaqus_get_mark(a, of, set->item[k].label);
    if (!e) continue;
    if (!g) {
      MS_TRY(ms_grow(a->ctx, m->n + 1, &m->capacity, sizeof *m->group, &m->group));
      g = &m->group[m->n++];
      *g = (group) { set->name, instance, m->skin.n, 0, 0, 0, NULL, 0, set->place };
    }
    MS_TRY(add_mark(a, m, g, of, e));
  }
  return MS_SUCCESS;
}

static ms_status collect(ms_abaqus *a, marks *m) {
  for (int i = 0; i < a->n_instance; i++) {
    const ms_abaqus_scope *s = &a->scope[a->instance[i].scope];
    for (ptrdiff_t k = 0; k < s->n_set; k++) MS_TRY(collect_set(a, m, i, &s->set[k]));
  }
  return ms_skin_match(a->r, &m->skin);
}

/* 1 if all marks are faces of solids. */
static int list_faces(const marks *m, const group *g, int32_t *element, unsigned char *face) {
  for (ptrdiff_t k = 0; k < g->n; k++) {
    const ms_skin_face *f = &m->skin.face[g->first + k];
    if (f->element < 0) return 0;
    element[k] = f->element;
    face[k] = f->face;
  }
  return !g->has_lines;
}

/* Faces with their nodes, or nodes alone; what the file itself calls so goes before. */
static ms_status add_group(ms_abaqus *a, const marks *m, const group *g) {
  char name[MS_ABAQUS_NAME_SIZE];
  int32_t *element = NULL;
  unsigned char *face = NULL;
  ms_abaqus_full_name(&a->instance[g->instance], g->name, name);
  ms_status status = ms_resize(a->ctx, g->n + 1, sizeof *element, &element);
  if (status == MS_SUCCESS) status = ms_resize(a->ctx, g->n + 1, 1, &face);
  if (status == MS_SUCCESS) {
    if (list_faces(m, g, element, face) && !ms_reader_has_set(a->r->mesh, MS_SET_FACES, name))
      status = ms_reader_add_faces(a->r, name, g->n, element, face);
    else if (!ms_reader_has_set(a->r->mesh, MS_SET_NODES, name))
      status = ms_reader_add_nodes(a->r, name, g->n_node, g->node);
    status = ms_abaqus_at(a, g->place, status);
  }
  ms_free(a->ctx, &element);
  ms_free(a->ctx, &face);
  return status;
}

ms_status ms_abaqus_add_marks(ms_abaqus *a) {
  marks m = { 0 };
  ms_status status = collect(a, &m);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < m.n; i++) {
    status = add_group(a, &m, &m.group[i]);
  }
  for (ptrdiff_t i = 0; i < m.n; i++) ms_free(a->ctx, &m.group[i].node);
  ms_free(a->ctx, &m.group);
  ms_skin_free(a->ctx, &m.skin);
  return status;
}
