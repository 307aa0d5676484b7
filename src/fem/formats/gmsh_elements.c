/* Elements and physical groups of Gmsh files. */
#include "fem/formats/gmsh.h"

#include <string.h>

/* order[i] is the place in Gmsh's list of our node i; NULL: the same order. Gmsh goes through the
   edges in another way: its edges from node 0 first, then those from 1, ... */
typedef struct type {
  int number, dimension, n_node, n_corner;
  const char *element; /* NULL: sets only */
  const int *order;
} type;

static const int tet10_order[] = { 0, 1, 2, 3, 4, 5, 6, 7, 9, 8 };
static const int hex20_order[] = { 0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                   13, 9, 16, 18, 19, 17, 10, 12, 14, 15 };

static const type types[] = {
  { 15, 0, 1, 1, NULL, NULL },
  { 1, 1, 2, 2, "beam", NULL },
  { 8, 1, 3, 2, NULL, NULL },
  { 2, 2, 3, 3, NULL, NULL },
  { 3, 2, 4, 4, NULL, NULL },
  { 9, 2, 6, 3, NULL, NULL },
  { 16, 2, 8, 4, NULL, NULL },
  { 4, 3, 4, 4, "tet4", NULL },
  { 5, 3, 8, 8, "hex8", NULL },
  { 6, 3, 6, 6, "wedge6", NULL },
  { 11, 3, 10, 4, "tet10", tet10_order },
  { 17, 3, 20, 8, "hex20", hex20_order },
};

enum { n_types = sizeof types / sizeof types[0], MAX_TAGS = 16 };

static ms_status find_type(const ms_gmsh *g, ptrdiff_t number, const type **out) {
  for (int i = 0; i < n_types; i++) {
    *out = &types[i];
    if (types[i].number == number) return MS_SUCCESS;
  }
  return MS_GMSH_FAIL(&g->s,
                      "elements of Gmsh's type %td; there must be hexahedra of 8 or 20 nodes, "
                      "tetrahedra of 4 or 10, wedges of 6, their faces, lines and points",
                      number);
}

/* ---- groups ---- */

static ms_status add_group(ms_gmsh *g, int dimension, ptrdiff_t tag, const char *name,
                           size_t length, ptrdiff_t *out) {
  ms_context *ctx = g->r->ctx;
  MS_TRY(ms_grow(ctx, g->n_group + 1, &g->group_capacity, sizeof *g->group, &g->group));
  ms_gmsh_group *group = &g->group[g->n_group];
  *group = (ms_gmsh_group) { .dimension = dimension, .tag = tag, .part = -1 };
  MS_TRY(ms_allocate(ctx, (ptrdiff_t)length + 1, 1, &group->name));
  memcpy(group->name, name, length);
  ms_reader_clean(group->name, length);
  *out = g->n_group++;
  return MS_SUCCESS;
}

static ptrdiff_t look_up(const ms_gmsh *g, int dimension, ptrdiff_t tag) {
  for (ptrdiff_t i = 0; i < g->n_group; i++) {
    if (g->group[i].dimension == dimension && g->group[i].tag == tag) return i;
  }
  return -1;
}

ms_status ms_gmsh_name_group(ms_gmsh *g, int dimension, ptrdiff_t tag, const char *name,
                             size_t length) {
  ptrdiff_t at;
  for (ptrdiff_t i = 0; i < g->n_group; i++) {
    const ms_gmsh_group *group = &g->group[i];
    int same = strlen(group->name) == length && memcmp(group->name, name, length) == 0;
    if (group->dimension != dimension || (group->tag != tag && !same)) continue;
    return MS_GMSH_FAIL(&g->s,
                        "two physical groups of dimension %d named '%s' or numbered %td; "
                        "each must be given once",
                        dimension, group->name, tag);
  }
  return add_group(g, dimension, tag, name, length, &at);
}

/* The group with this number; entity: that of an entity in no group. */
static ms_status find_group(ms_gmsh *g, int dimension, ptrdiff_t tag, ptrdiff_t *out) {
  static const char *const what[] = { "points", "lines", "surface", "volume" };
  char name[64];
  *out = look_up(g, dimension, tag);
  if (*out >= 0) return MS_SUCCESS;
  if (tag < 0)
    snprintf(name, sizeof name, "entity%td", -tag);
  else
    snprintf(name, sizeof name, "%s%td", what[dimension], tag);
  return add_group(g, dimension, tag, name, strlen(name), out);
}

static ms_status add_member(ms_gmsh *g, ms_gmsh_group *group, int32_t value) {
  MS_TRY(ms_grow(g->r->ctx, group->n + 1, &group->capacity, sizeof *group->member, &group->member));
  group->member[group->n++] = value;
  return MS_SUCCESS;
}

static ms_status add_element_member(ms_gmsh *g, ms_gmsh_group *group, int bin, ptrdiff_t at) {
  MS_TRY(add_member(g, group, bin));
  return add_member(g, group, (int32_t)at);
}

/* ---- one element ---- */

/* What a group of lines or points is: elements if the settings give it the properties of such a
   part, else a set of nodes. */
static const char *element_of(const ms_gmsh *g, const type *t, const ms_gmsh_group *group) {
  const ms_part *given = ms_reader_given(g->r, group->name);
  if (t->dimension == 3) return t->element;
  if (!given) return NULL;
  if (t->dimension == 1 && t->element && given->section.A > 0.0) {
    return given->section.shear_y > 0.0 ? "timoshenko" : "beam";
  }
  return t->dimension == 0 && given->mass > 0.0 ? "mass" : NULL;
}

static int is_repeated(const ms_gmsh *g, const type *t, const int32_t *node) {
  return g->version == 2 && g->last_type == t->number &&
         memcmp(node, g->last_node, (size_t)t->n_node * sizeof *node) == 0;
}

static ms_status place(ms_gmsh *g, const type *t, ptrdiff_t group, const int32_t *node,
                       ptrdiff_t label) {
  const char *element = element_of(g, t, &g->group[group]);
  if (element) {
    /* An element of the mesh, in its part, or once more for another group. */
    int32_t ours[20];
    ms_gmsh_group *home = &g->group[group];
    if (is_repeated(g, t, node)) return add_element_member(g, home, g->last_bin, g->last_at);
    if (home->part < 0) {
      MS_TRY(ms_gmsh_at(&g->s, ms_reader_part(g->r, home->name, NULL, &home->part)));
    }
    for (int i = 0; i < t->n_node; i++) ours[i] = node[t->order ? t->order[i] : i];
    MS_TRY(ms_bins_add(g->r, &g->bins, home->part, element, t->n_node, ours, label, &g->last_bin,
                       &g->last_at));
    g->last_type = t->number;
    memcpy(g->last_node, node, (size_t)t->n_node * sizeof *node);
    return add_element_member(g, home, g->last_bin, g->last_at);
  }
  if (t->dimension == 3) return MS_SUCCESS;
  if (t->dimension == 2) {
    ptrdiff_t where = g->s.binary ? g->s.p - g->s.begin : g->s.line;
    return ms_skin_add(g->r->ctx, &g->skin, t->n_corner, node, (int)group, where);
  }
  for (int i = 0; i < t->n_node; i++) MS_TRY(add_member(g, &g->group[group], node[i]));
  return MS_SUCCESS;
}

static ms_status read_nodes_of(ms_gmsh *g, const type *t, ptrdiff_t label, int32_t *node) {
  int32_t before;
  MS_TRY(ms_labels_put(g->r->ctx, &g->elements, label, 0, &before));
  if (before >= 0) {
    return MS_GMSH_FAIL(&g->s, "element %td is given twice; every number must be used once", label);
  }
  for (int i = 0; i < t->n_node; i++) {
    ptrdiff_t number;
    MS_TRY(g->version == 2 ? ms_gmsh_int(&g->s, &number) : ms_gmsh_size(&g->s, &number));
    node[i] = ms_labels_get(&g->nodes, number);
    if (node[i] >= 0) continue;
    return MS_GMSH_FAIL(&g->s,
                        "element %td has node %td, which is not in $Nodes; add the node or "
                        "correct the number",
                        label, number);
  }
  return MS_SUCCESS;
}

/* An element that is in no group: volumes make a part of their entity, the rest is left out. */
static ms_status place_lone(ms_gmsh *g, const type *t, ptrdiff_t entity, const int32_t *node,
                            ptrdiff_t label) {
  ptrdiff_t group;
  if (t->dimension < 3) return MS_SUCCESS;
  MS_TRY(find_group(g, 3, -(entity > 0 ? entity : 1), &group));
  return place(g, t, group, node, label);
}

/* ---- version 2.2 ---- */

static ms_status read_element_2(ms_gmsh *g, const type *t, ptrdiff_t label, ptrdiff_t n_tag) {
  ptrdiff_t tag[MAX_TAGS] = { 0 }, group;
  int32_t node[20];
  for (ptrdiff_t i = 0; i < n_tag; i++) MS_TRY(ms_gmsh_int(&g->s, &tag[i]));
  MS_TRY(read_nodes_of(g, t, label, node));
  if (tag[0] == 0) return place_lone(g, t, tag[1], node, label);
  MS_TRY(find_group(g, t->dimension, tag[0] < 0 ? -tag[0] : tag[0], &group));
  return place(g, t, group, node, label);
}

static ms_status check_tags(const ms_gmsh *g, ptrdiff_t n_tag) {
  if (n_tag >= 0 && n_tag <= MAX_TAGS) return MS_SUCCESS;
  return MS_GMSH_FAIL(&g->s, "an element with %td tags; there must be 0 to %d", n_tag, MAX_TAGS);
}

static ms_status read_text_2(ms_gmsh *g, ptrdiff_t n) {
  for (ptrdiff_t i = 0; i < n; i++) {
    ptrdiff_t label, number, n_tag;
    const type *t;
    MS_TRY(ms_gmsh_int(&g->s, &label));
    MS_TRY(ms_gmsh_int(&g->s, &number));
    MS_TRY(ms_gmsh_int(&g->s, &n_tag));
    MS_TRY(find_type(g, number, &t));
    MS_TRY(check_tags(g, n_tag));
    MS_TRY(read_element_2(g, t, label, n_tag));
  }
  return MS_SUCCESS;
}

static ms_status read_bytes_2(ms_gmsh *g, ptrdiff_t n) {
  for (ptrdiff_t i = 0; i < n;) {
    ptrdiff_t label, number, n_tag, follow;
    const type *t;
    MS_TRY(ms_gmsh_int(&g->s, &number));
    MS_TRY(ms_gmsh_int(&g->s, &follow));
    MS_TRY(ms_gmsh_int(&g->s, &n_tag));
    MS_TRY(find_type(g, number, &t));
    MS_TRY(check_tags(g, n_tag));
    if (follow < 1 || follow > n - i) {
      return MS_GMSH_FAIL(&g->s, "a block of %td elements, but %td remain; correct it", follow,
                          n - i);
    }
    for (ptrdiff_t k = 0; k < follow; k++) {
      MS_TRY(ms_gmsh_int(&g->s, &label));
      MS_TRY(read_element_2(g, t, label, n_tag));
    }
    i += follow;
  }
  return MS_SUCCESS;
}

/* ---- version 4.1 ---- */

static const ms_gmsh_entity *find_entity(const ms_gmsh *g, ptrdiff_t dimension, ptrdiff_t tag) {
  for (ptrdiff_t i = 0; i < g->n_entity; i++) {
    if (g->entity[i].dimension == dimension && g->entity[i].tag == tag) return &g->entity[i];
  }
  return NULL;
}

/* In its first group it has its part, in the others it is a member. */
static ms_status place_4(ms_gmsh *g, const type *t, const ms_gmsh_entity *entity, ptrdiff_t tag,
                         const int32_t *node, ptrdiff_t label) {
  ptrdiff_t group, n = entity ? entity->n : 0;
  if (n == 0) return place_lone(g, t, tag, node, label);
  for (ptrdiff_t i = 0; i < n; i++) {
    MS_TRY(find_group(g, t->dimension, g->tag[entity->first + i], &group));
    if (i > 0 && t->dimension == 3)
      MS_TRY(add_element_member(g, &g->group[group], g->last_bin, g->last_at));
    else
      MS_TRY(place(g, t, group, node, label));
  }
  return MS_SUCCESS;
}

static ms_status read_block(ms_gmsh *g, ptrdiff_t *count) {
  ms_gmsh_source *s = &g->s;
  ptrdiff_t dimension, tag, number, n, label;
  int32_t node[20];
  const type *t;
  MS_TRY(ms_gmsh_int(s, &dimension));
  MS_TRY(ms_gmsh_int(s, &tag));
  MS_TRY(ms_gmsh_int(s, &number));
  MS_TRY(ms_gmsh_count(s, "elements", &n));
  MS_TRY(find_type(g, number, &t));
  const ms_gmsh_entity *entity = find_entity(g, t->dimension, tag);
  for (ptrdiff_t i = 0; i < n; i++) {
    MS_TRY(ms_gmsh_size(s, &label));
    MS_TRY(read_nodes_of(g, t, label, node));
    MS_TRY(place_4(g, t, entity, tag, node, label));
  }
  *count += n;
  return MS_SUCCESS;
}

static ms_status read_elements_4(ms_gmsh *g) {
  ptrdiff_t n_block, n, least, most, count = 0;
  ms_gmsh_begin_bytes(&g->s, 0);
  MS_TRY(ms_gmsh_count(&g->s, "blocks", &n_block));
  MS_TRY(ms_gmsh_count(&g->s, "elements", &n));
  MS_TRY(ms_gmsh_size(&g->s, &least));
  MS_TRY(ms_gmsh_size(&g->s, &most));
  for (ptrdiff_t i = 0; i < n_block; i++) MS_TRY(read_block(g, &count));
  if (count == n) return MS_SUCCESS;
  return MS_GMSH_FAIL(&g->s, "$Elements says %td elements and has %td; correct the number", n,
                      count);
}

ms_status ms_gmsh_read_elements(ms_gmsh *g) {
  ptrdiff_t n;
  if (!g->has_nodes) return MS_GMSH_FAIL(&g->s, "$Elements before $Nodes; nodes must come first");
  if (g->has_elements) return MS_GMSH_FAIL(&g->s, "a second $Elements; there must be one");
  g->has_elements = 1;
  if (g->version == 4) return read_elements_4(g);
  MS_TRY(ms_gmsh_count(&g->s, "elements", &n));
  ms_gmsh_begin_bytes(&g->s, 1);
  return g->s.binary ? read_bytes_2(g, n) : read_text_2(g, n);
}

/* ---- the end ---- */

/* Members of bins to indices of the mesh, in place. */
static ms_status add_elements_of(ms_gmsh *g, ms_gmsh_group *group) {
  ptrdiff_t n = group->n / 2;
  for (ptrdiff_t i = 0; i < n; i++) {
    ptrdiff_t first = g->bins.bin[group->member[2 * i]].first;
    group->member[i] = (int32_t)(first + group->member[2 * i + 1]);
  }
  return ms_mesh_add_set(g->r->mesh, MS_SET_ELEMENTS, group->name, n, group->member, NULL);
}

static ms_status add_surface(ms_gmsh *g, ptrdiff_t index) {
  ms_context *ctx = g->r->ctx;
  int32_t *element = NULL;
  unsigned char *face = NULL;
  ptrdiff_t n = 0;
  ms_status status = ms_resize(ctx, g->skin.n, sizeof *element, &element);
  if (status == MS_SUCCESS) status = ms_resize(ctx, g->skin.n, 1, &face);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < g->skin.n; i++) {
    const ms_skin_face *f = &g->skin.face[i];
    if (f->set != index) continue;
    element[n] = f->element;
    face[n++] = f->face;
  }
  if (status == MS_SUCCESS && n > 0) {
    status = ms_reader_add_faces(g->r, g->group[index].name, n, element, face);
  }
  ms_free(ctx, &element);
  ms_free(ctx, &face);
  return status;
}

static ms_status add_group_set(ms_gmsh *g, ptrdiff_t i) {
  ms_gmsh_group *group = &g->group[i];
  if (group->dimension == 2) return add_surface(g, i);
  if (group->n == 0) return MS_SUCCESS;
  if (group->dimension == 3 || group->part >= 0) return add_elements_of(g, group);
  return ms_reader_add_nodes(g->r, group->name, group->n, group->member);
}

ms_status ms_gmsh_finish(ms_gmsh *g) {
  MS_TRY(ms_bins_flush(g->r, &g->bins));
  MS_TRY(ms_skin_match(g->r, &g->skin));
  for (ptrdiff_t i = 0; i < g->skin.n; i++) {
    const ms_skin_face *f = &g->skin.face[i];
    if (f->element >= 0) continue;
    ms_fail(g->r->ctx, MS_ERR_FORMAT,
            "a surface element of group '%s' is not a face of a solid; shells are not supported, "
            "remove the group or mesh the volume behind it",
            g->group[f->set].name);
    return ms_fail_at(g->r->ctx, MS_ERR_FORMAT, "%s:%s%td", g->s.path, g->s.binary ? "byte " : "",
                      f->line);
  }
  for (ptrdiff_t i = 0; i < g->n_group; i++) {
    ms_status status = add_group_set(g, i);
    if (status != MS_SUCCESS) return ms_fail_at(g->r->ctx, status, "%s", g->s.path);
  }
  return MS_SUCCESS;
}
