#include "structure/labels.h"

#include <string.h>

ms_status ms_structure_create_labelled(ms_context *ctx, const ms_dofs *dofs, ms_structure **out) {
  const ptrdiff_t n = dofs->n;
  char(*text)[32];
  const char **list = NULL;
  MS_TRY(ms_allocate(ctx, n, sizeof *text, &text));
  ms_status status = ms_allocate(ctx, n, sizeof *list, &list);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < n; i++) {
    ms_dof_name(dofs->dof[i], text[i]);
    list[i] = text[i];
  }
  if (status == MS_SUCCESS) status = ms_structure_create(ctx, n, list, out);
  ms_free(ctx, &text);
  ms_free(ctx, &list);
  return status;
}

static int is_rotation(const ms_structure *s, const ms_dofs *dofs, ptrdiff_t i) {
  const int dof = dofs ? dofs->dof[i].dof : 0;
  return (dof >= 4 && dof <= 6) || ms_name_is_rotation(ms_structure_get_name(s, i));
}

void ms_structure_scale(const ms_structure *s, const ms_dofs *dofs, double factor, double length,
                        double *A) {
  const ptrdiff_t n = ms_structure_get_size(s);
  for (ptrdiff_t i = 0; i < n * n; i++) A[i] *= factor;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (length == 1.0 || !is_rotation(s, dofs, i)) continue;
    for (ptrdiff_t j = 0; j < n; j++) {
      A[i + n * j] *= length;
      A[j + n * i] *= length;
    }
  }
}

const char *const ms_component_name[6] = { "ux", "uy", "uz", "rx", "ry", "rz" };

int ms_component_find(const char *name) {
  for (int c = 0; c < 6; c++) {
    if (strcmp(name, ms_component_name[c]) == 0) return c;
  }
  return -1;
}
