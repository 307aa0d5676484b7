/* Mechanisms of the stuck structure: motions without frequency beyond those of one rigid body,
   which supports and joints leave. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cblas.h>

#include "structure/whole_body.h"
#include "study/model/fe/fe.h"

#define STILL 1e-6 /* of the largest entry of a mode: nodes that move by less stand still */

typedef struct work {
  const ms_study *s;
  ms_modes modes;
  ptrdiff_t n_zero;
  double *F, *MF; /* n x 6: the structure as one rigid body */
  double *Z;      /* n x n_zero: modes without frequency, those of the whole first */
} work;

/* ---- as one rigid body ---- */

/* Joined coordinates have a place in the structure, or none if they are held. */
static ms_status fill_whole(work *w) {
  const ms_reduced *r = w->s->reduced;
  for (ptrdiff_t i = 0; i < r->n; i++) {
    ptrdiff_t at;
    MS_TRY(ms_structure_find(w->s->structure, r->name[i], &at));
    for (int d = 0; d < 3 && at != MS_GROUND; d++) {
      w->F[at + w->modes.n * d] = r->follow[d + 3 * i];
      w->F[at + w->modes.n * (3 + d)] = r->turn[d + 3 * i];
    }
  }
  return MS_SUCCESS;
}

static ms_status split(work *w, ptrdiff_t *n_whole) {
  const int n = (int)w->modes.n;
  const double *M = ms_structure_get_mass(w->s->structure);
  cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, n, 6, 1.0, M, n, w->F, n, 0.0, w->MF, n);
  memcpy(w->Z, w->modes.shape, (size_t)(w->modes.n * w->n_zero) * sizeof *w->Z);
  return ms_whole_body_split(w->s->ctx, w->modes.n, w->n_zero, w->F, w->MF, w->Z, n_whole);
}

/* ---- what moves ---- */

static const char *part_of(const ms_fe *fe, ptrdiff_t node) {
  for (int b = 0; b < fe->f->mesh_count_blocks(fe->mesh); b++) {
    ms_mesh_block block = fe->f->mesh_get_block(fe->mesh, b);
    for (ptrdiff_t i = 0; i < block.n * block.element->n_node; i++) {
      if (block.node[i] == node) return fe->f->mesh_get_part(fe->mesh, block.part)->name;
    }
  }
  return "";
}

/* The node of the mesh that moves most in u, if it is the farthest so far. */
static ms_status find_node(const ms_fe *fe, const double *u, double *most, char *text,
                           size_t size) {
  ptrdiff_t n = 3 * fe->f->mesh_count_nodes(fe->mesh), at = -1;
  double *field;
  MS_TRY(ms_allocate(fe->ctx, n, sizeof *field, &field));
  ms_status status = ms_fe_recover(fe, u, field);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < n; i++) {
    if (fabs(field[i]) <= *most) continue;
    *most = fabs(field[i]);
    at = i / 3;
  }
  ms_free(fe->ctx, &field);
  if (at < 0) return status;
  snprintf(text, size, "part '%.60s%s%.60s'", fe->name ? fe->name : "", fe->name ? "." : "",
           part_of(fe, at));
  return status;
}

/* A part, or the coordinate that moves most where no node of a mesh does. */
static ms_status name_motion(const work *w, const double *u, char *text, size_t size) {
  ptrdiff_t at = 0;
  for (ptrdiff_t i = 1; i < w->modes.n; i++) {
    if (fabs(u[i]) > fabs(u[at])) at = i;
  }
  double most = STILL * fabs(u[at]);
  snprintf(text, size, "'%.120s'", ms_structure_get_name(w->s->structure, at));
  for (const ms_fe *fe = w->s->fe; fe; fe = fe->next) MS_TRY(find_node(fe, u, &most, text, size));
  return MS_SUCCESS;
}

static ms_status name_all(const work *w, ptrdiff_t first, char *text, size_t size) {
  text[0] = '\0';
  for (ptrdiff_t k = first; k < w->n_zero; k++) {
    char name[160];
    size_t at = strlen(text);
    MS_TRY(name_motion(w, w->Z + w->modes.n * k, name, sizeof name));
    if (strstr(text, name) || at + strlen(name) + 3 > size) continue;
    snprintf(text + at, size - at, "%s%s", at ? ", " : "", name);
  }
  return MS_SUCCESS;
}

ms_status ms_study_find_mechanisms(const ms_study *s, ptrdiff_t *n, char *text, size_t size) {
  work w = { .s = s, .modes = ms_structure_get_stuck(s->structure) };
  ptrdiff_t n_whole = 0;
  *n = 0;
  text[0] = '\0';
  while (w.n_zero < w.modes.n && w.modes.omega[w.n_zero] == 0.0) w.n_zero++;
  if (!s->reduced || !s->reduced->follow || !s->reduced->turn || w.n_zero == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, w.modes.n * (12 + w.n_zero), sizeof *w.F, &w.F));
  w.MF = w.F + 6 * w.modes.n;
  w.Z = w.MF + 6 * w.modes.n;
  ms_status status = fill_whole(&w);
  if (status == MS_SUCCESS) status = split(&w, &n_whole);
  *n = w.n_zero - n_whole;
  if (status == MS_SUCCESS && *n > 0) status = name_all(&w, n_whole, text, size);
  ms_free(s->ctx, &w.F);
  return status;
}
