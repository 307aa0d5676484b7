/* Which motions that strain nothing move the model as one rigid body, and what the others move. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fem/solve/free_motions.h"
#include "structure/whole_body.h"

typedef struct work {
  const ms_fem_model *m;
  const ms_free_places *at;
} work;

/* Six motions of the model as one body, in its unknowns. */
static void fill_whole(const work *w, double *V) {
  const ms_fem_model *m = w->m;
  for (int32_t i = 0; i < m->n; i++) {
    double v[6];
    ptrdiff_t node = w->at->node[i];
    if (m->T.row_of[i] >= 0) continue;
    ms_body_fill_motions(&w->at->whole, i - m->first[node], ms_fem_place(m, node), v);
    for (int k = 0; k < 6; k++) V[i + m->n * k] = v[k];
  }
}

/* "part 'lid'", or the coordinate of a node outside of all bodies. */
static void describe(const work *w, int32_t index, char *text, size_t size) {
  ptrdiff_t node = w->at->node[index];
  if (w->at->loose[index] >= 0) {
    ms_fem_describe(w->m, index, text, size);
    return;
  }
  int32_t body = index - w->m->first[node] < 3 ? w->at->bodies.of[node] : w->at->bodies.turn[node];
  snprintf(text, size, "part '%s'", w->m->mesh->part_name[w->at->bodies.body[body].part]);
}

/* The coordinate that moves most, rotations at the arm of the model's size. */
static int32_t find_most(const work *w, const double *u) {
  int32_t at = 0;
  double most = -1.0;
  for (int32_t i = 0; i < w->m->n; i++) {
    double size = fabs(u[i]) * (i - w->m->first[w->at->node[i]] < 3 ? 1.0 : w->at->whole.size);
    if (size <= most) continue;
    most = size;
    at = i;
  }
  return at;
}

static void name_mechanisms(const work *w, ms_free_motions *out) {
  for (ptrdiff_t k = out->whole; k < out->n; k++) {
    char text[96];
    size_t at = strlen(out->moves);
    describe(w, find_most(w, out->u + w->m->n * k), text, sizeof text);
    if (strstr(out->moves, text) || at + strlen(text) + 3 > sizeof out->moves) continue;
    snprintf(out->moves + at, sizeof out->moves - at, "%s%s", at ? ", " : "", text);
  }
}

ms_status ms_free_motions_split(ms_fem_model *m, Mat M, const ms_free_places *at,
                                ms_free_motions *out) {
  const work w = { m, at };
  double *V, *MV = NULL;
  MS_TRY(ms_allocate(m->ctx, 6 * m->n, sizeof *V, &V));
  ms_status status = ms_allocate(m->ctx, 6 * m->n, sizeof *MV, &MV);
  if (status == MS_SUCCESS) {
    fill_whole(&w, V);
    status = ms_fem_multiply(m, M, 6, V, MV);
  }
  if (status == MS_SUCCESS) {
    status = ms_whole_body_split(m->ctx, m->n, out->n, V, MV, out->u, &out->whole);
  }
  ms_free(m->ctx, &V);
  ms_free(m->ctx, &MV);
  if (status == MS_SUCCESS) name_mechanisms(&w, out);
  return status;
}
