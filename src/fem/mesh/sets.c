/* Named sets of a mesh: nodes, elements, faces. */
#include <string.h>

#include "core/internal.h"
#include "fem/impl.h"

static const char *const kind_name[] = { "nodes", "elements", "faces" };

/* ---- adding ---- */

static const ms_set *look_up(const ms_mesh *m, ms_set_kind kind, const char *name) {
  for (int i = 0; i < m->n_set; i++) {
    if (m->set[i].kind == kind && strcmp(m->set[i].name, name) == 0) return &m->set[i];
  }
  return NULL;
}

static ms_status check_face(const ms_mesh *m, const char *name, int32_t element, int face) {
  const ms_element_info *info = &m->block[ms_mesh_find_block(m, element)].element->info;
  if (face < info->n_face) return MS_SUCCESS;
  char text[128];
  ms_mesh_describe(m, element, text, sizeof text);
  return ms_fail(m->ctx, MS_ERR_ARGUMENT, "set '%s': face %d of %s, which has %d", name, face + 1,
                 text, info->n_face);
}

/* Into an empty set. */
static ms_status fill(ms_context *ctx, const ms_mesh_set *from, ms_set *to) {
  MS_TRY(ms_text_copy(ctx, from->name, &to->name));
  if (from->n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, from->n, sizeof *to->index, &to->index));
  memcpy(to->index, from->index, (size_t)from->n * sizeof *to->index);
  if (from->kind != MS_SET_FACES) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, from->n, 1, &to->face));
  memcpy(to->face, from->face, (size_t)from->n);
  return MS_SUCCESS;
}

static void discard(ms_context *ctx, ms_set *set) {
  ms_free(ctx, &set->name);
  ms_free(ctx, &set->index);
  ms_free(ctx, &set->face);
}

ms_status ms_mesh_add_set(ms_mesh *m, ms_set_kind kind, const char *name, ptrdiff_t n,
                          const int32_t *index, const unsigned char *face) {
  if (!name || !*name) return ms_fail(m->ctx, MS_ERR_ARGUMENT, "a set needs a name");
  if (n < 0 || (n > 0 && kind == MS_SET_FACES && !face)) {
    return ms_fail(m->ctx, MS_ERR_ARGUMENT, "set '%s': needs its %s", name, kind_name[kind]);
  }
  if (look_up(m, kind, name)) {
    return ms_fail(m->ctx, MS_ERR_NAME, "there are two sets of %s named '%s'", kind_name[kind],
                   name);
  }
  ptrdiff_t count = kind == MS_SET_NODES ? m->n_node : m->n_element;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (index[i] < 0 || index[i] >= count) {
      return ms_fail(m->ctx, MS_ERR_ARGUMENT, "set '%s' of %s: entry %td is not in the mesh", name,
                     kind_name[kind], i + 1);
    }
    if (kind == MS_SET_FACES) MS_TRY(check_face(m, name, index[i], face[i]));
  }
  MS_TRY(ms_resize(m->ctx, m->n_set + 1, sizeof *m->set, &m->set));
  ms_set *set = &m->set[m->n_set];
  *set = (ms_set) { .kind = kind, .n = n };
  ms_mesh_set given = { name, kind, n, index, face };
  ms_status status = fill(m->ctx, &given, set);
  if (status == MS_SUCCESS)
    m->n_set++;
  else
    discard(m->ctx, set);
  return status;
}

/* ---- reading ---- */

static ms_mesh_set view(const ms_set *s) {
  return (ms_mesh_set) { s->name, s->kind, s->n, s->index, s->face };
}

int ms_mesh_count_sets(const ms_mesh *m) {
  return m->n_set;
}

ms_mesh_set ms_mesh_get_set(const ms_mesh *m, int set) {
  return set >= 0 && set < m->n_set ? view(&m->set[set]) : (ms_mesh_set) { .name = NULL };
}

/* The names of one kind, for the search of the nearest; those of another kind are no candidates. */
typedef struct candidates {
  const ms_mesh *mesh;
  ms_set_kind kind;
} candidates;

static const char *set_name(const void *list, int i) {
  const candidates *c = list;
  const ms_set *s = &c->mesh->set[i];
  return s->kind == c->kind ? s->name : "";
}

ms_status ms_mesh_find_set(const ms_mesh *m, ms_set_kind kind, const char *name, ms_mesh_set *out) {
  *out = (ms_mesh_set) { .name = NULL };
  const ms_set *s = look_up(m, kind, name);
  if (s) {
    *out = view(s);
    return MS_SUCCESS;
  }
  candidates list = { m, kind };
  const char *near = ms_text_nearest(name, set_name, &list, m->n_set);
  if (near && *near) {
    return ms_fail(m->ctx, MS_ERR_NAME, "unknown set of %s '%s'; did you mean '%s'?",
                   kind_name[kind], name, near);
  }
  return ms_fail(m->ctx, MS_ERR_NAME, "unknown set of %s '%s'", kind_name[kind], name);
}
