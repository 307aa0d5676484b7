/* The list of elements, made from elements.def, and what the interface supplies for all of them. */
#include <string.h>

#include "core/internal.h"
#include "fem/impl.h"

#define MS_ELEMENT(name) extern const ms_element ms_element_##name;
#include "fem/elements/elements.def"
#undef MS_ELEMENT

#define MS_ELEMENT(name) &ms_element_##name,
const ms_element *const ms_elements[] = {
#include "fem/elements/elements.def"
};
#undef MS_ELEMENT

const int ms_n_elements = sizeof ms_elements / sizeof *ms_elements;

int ms_element_count(void) {
  return ms_n_elements;
}

const ms_element_info *ms_element_get(int index) {
  return index >= 0 && index < ms_n_elements ? &ms_elements[index]->info : NULL;
}

static const char *element_name(const void *list, int i) {
  (void)list;
  return ms_elements[i]->info.name;
}

ms_status ms_element_find(ms_context *ctx, const char *name, const ms_element_info **out) {
  *out = NULL;
  for (int i = 0; i < ms_n_elements; i++) {
    if (strcmp(ms_elements[i]->info.name, name) != 0) continue;
    *out = &ms_elements[i]->info;
    return MS_SUCCESS;
  }
  const char *near = ms_text_nearest(name, element_name, NULL, ms_n_elements);
  if (near) {
    return ms_fail(ctx, MS_ERR_NAME, "unknown element '%s'; did you mean '%s'?", name, near);
  }
  return ms_fail(ctx, MS_ERR_NAME, "unknown element '%s'; try hex8, hex20, tet10 or beam", name);
}

const ms_element *ms_element_of(const ms_element_info *info) {
  for (int i = 0; i < ms_n_elements; i++) {
    if (&ms_elements[i]->info == info) return ms_elements[i];
  }
  return NULL;
}

/* ---- matrices ---- */

static int rows(const ms_element *e) {
  return e->info.n_node * e->info.n_dof;
}

static int zero(const ms_element *e, double *A) {
  memset(A, 0, sizeof *A * (size_t)(rows(e) * rows(e)));
  return 0;
}

int ms_element_make_stiffness(const ms_element *e, const ms_property *p, const double *x,
                              double *K) {
  return e->stiffness ? e->stiffness(p, x, K) : zero(e, K);
}

int ms_element_make_mass(const ms_element *e, const ms_property *p, const double *x, double *M) {
  return e->mass ? e->mass(p, x, M) : zero(e, M);
}

int ms_element_make_lumped(const ms_element *e, const ms_property *p, const double *x, double *m) {
  double M[MS_ELEMENT_DOF * MS_ELEMENT_DOF];
  int n = rows(e), n_dof = e->info.n_dof;
  if (ms_element_make_mass(e, p, x, M)) return 1;
  /* The mass that moves when all nodes move along x. */
  double total = 0.0;
  for (int c = 0; c < n; c += n_dof) {
    for (int r = 0; r < n; r += n_dof) total += M[r + n * c];
  }
  for (int a = 0; a < n_dof; a++) { /* rotations are scaled as the mean of the translations */
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
      if (a < 3 ? i % n_dof == a : i % n_dof < 3) sum += M[i + n * i] / (a < 3 ? 1.0 : 3.0);
    }
    for (int i = a; i < n; i += n_dof) m[i] = M[i + n * i] * (sum > 0.0 ? total / sum : 1.0);
  }
  return 0;
}
