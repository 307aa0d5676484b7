/* Conditions of a mesh: kept, handed out, renumbered; nothing is done with them here. */
#include <string.h>

#include "core/internal.h"
#include "fem/impl.h"

/* The texts of a condition, through which they are copied and freed alike. */
enum { N_TEXT = 5 };

static const char **text_of(ms_condition *c, int i) {
  const char **const place[N_TEXT] = { &c->name, &c->nodes, &c->faces, &c->slave_faces, &c->file };
  return place[i];
}

static void discard(ms_context *ctx, ms_condition *c) {
  for (int i = 0; i < N_TEXT; i++) ms_free(ctx, text_of(c, i));
  ms_free(ctx, &c->term);
}

void ms_mesh_free_conditions(ms_mesh *m) {
  for (int i = 0; i < m->n_condition; i++) discard(m->ctx, &m->condition[i]);
  ms_free(m->ctx, &m->condition);
}

void ms_mesh_renumber_conditions(ms_mesh *m, const int32_t *now) {
  for (int i = 0; i < m->n_condition; i++) {
    ms_condition *c = &m->condition[i];
    ms_condition_term *term; /* ours, made by copy_terms: const to others only */
    memcpy(&term, &c->term, sizeof term);
    if (c->reference >= 0) c->reference = now[c->reference];
    for (int k = 0; k < c->n_term; k++) term[k].node = now[term[k].node];
  }
}

static ms_status check(const ms_mesh *m, const ms_condition *c) {
  int good = c->n_term >= 0 && c->reference >= -1 && c->reference < m->n_node;
  for (int k = 0; good && k < c->n_term; k++) {
    const ms_condition_term *t = &c->term[k];
    good = t->node >= 0 && t->node < m->n_node && t->component >= 0 && t->component < 6;
  }
  if (good) return MS_SUCCESS;
  return ms_fail(m->ctx, MS_ERR_ARGUMENT, "condition '%s' is on a node that is not in the mesh",
                 c->name ? c->name : "");
}

static ms_status copy(ms_context *ctx, const ms_condition *from, ms_condition *to) {
  ms_condition source = *from;
  for (int i = 0; i < N_TEXT; i++) {
    char *text;
    MS_TRY(ms_text_copy(ctx, *text_of(&source, i), &text));
    *text_of(to, i) = text;
  }
  ms_condition_term *term;
  to->n_term = from->n_term;
  if (from->n_term == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, from->n_term, sizeof *term, &term));
  memcpy(term, from->term, (size_t)from->n_term * sizeof *term);
  to->term = term;
  return MS_SUCCESS;
}

ms_status ms_mesh_add_condition(ms_mesh *m, const ms_condition *condition) {
  MS_TRY(check(m, condition));
  MS_TRY(ms_resize(m->ctx, m->n_condition + 1, sizeof *m->condition, &m->condition));
  ms_condition *c = &m->condition[m->n_condition];
  *c = *condition;
  for (int i = 0; i < N_TEXT; i++) *text_of(c, i) = NULL;
  c->term = NULL;
  c->n_term = 0;
  ms_status status = copy(m->ctx, condition, c);
  if (status == MS_SUCCESS)
    m->n_condition++;
  else
    discard(m->ctx, c);
  return status;
}

int ms_mesh_count_conditions(const ms_mesh *m) {
  return m->n_condition;
}

const ms_condition *ms_mesh_get_condition(const ms_mesh *m, int index) {
  return index >= 0 && index < m->n_condition ? &m->condition[index] : NULL;
}
