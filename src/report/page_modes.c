/* Modes of a structure in a page: shapes beside those they are compared with, and their MAC. */
#include <stdio.h>

#include "core/internal.h"
#include "report/page.h"

enum { MOST_RIGID = 6, MOST_MAC = 40 };

typedef struct album {
  const ms_mode_set *set;
  ptrdiff_t n_node, n;
  double *u, *free; /* free: where the next displacements go */
  ms_shape_mode *mode, *beside;
  char (*name)[2][32], (*value)[16];
} album;

static ms_status take_shape(album *a, const double *phi, double **u) {
  *u = a->free;
  a->free += 3 * a->n_node;
  return a->set->move(a->set->user, phi, *u);
}

/* Both in the same phase. */
static void align(const double *u, double *v, ptrdiff_t n) {
  double product = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) product += u[i] * v[i];
  for (ptrdiff_t i = 0; i < n && product < 0.0; i++) v[i] = -v[i];
}

static ms_status add_mode(album *a, ptrdiff_t r) {
  const ms_mode_set *set = a->set;
  const ptrdiff_t i = a->n++;
  const int rigid = set->omega[r] == 0.0;
  double *u, *v;
  MS_TRY(take_shape(a, set->phi + set->n * r, &u));
  snprintf(a->name[i][0], sizeof a->name[i][0], "Mode %td", r + 1);
  a->mode[i] = (ms_shape_mode) { .name = a->name[i][0],
                                 .value = set->value ? set->value[r]
                                          : rigid    ? "rigid body or mechanism"
                                                     : NULL,
                                 .u = u,
                                 .omega = set->omega[r],
                                 .folded = rigid };
  if (!set->phi_beside || rigid) return MS_SUCCESS;
  const ptrdiff_t k = set->beside[r];
  MS_TRY(take_shape(a, set->phi_beside + set->n * k, &v));
  align(u, v, 3 * a->n_node);
  snprintf(a->name[i][1], sizeof a->name[i][1], "Mode %td", k + 1);
  snprintf(a->value[i], sizeof a->value[i], "MAC %.2f", set->mac[r]);
  a->beside[i] = (ms_shape_mode) {
    .name = a->name[i][1], .value = a->value[i], .u = v, .omega = set->omega_beside[k]
  };
  a->mode[i].beside = &a->beside[i];
  return MS_SUCCESS;
}

static ms_status fill(album *a, ms_context *ctx) {
  const ptrdiff_t most = a->set->most + MOST_RIGID;
  ptrdiff_t rigid = 0, elastic = 0;
  MS_TRY(ms_allocate(ctx, 2 * most * 3 * a->n_node, sizeof *a->u, &a->u));
  MS_TRY(ms_allocate(ctx, most, sizeof *a->mode, &a->mode));
  MS_TRY(ms_allocate(ctx, most, sizeof *a->beside, &a->beside));
  MS_TRY(ms_allocate(ctx, most, sizeof *a->name, &a->name));
  MS_TRY(ms_allocate(ctx, most, sizeof *a->value, &a->value));
  a->free = a->u;
  for (ptrdiff_t r = 0; r < a->set->n; r++) {
    const int is_rigid = a->set->omega[r] == 0.0;
    if (is_rigid ? rigid++ < MOST_RIGID : elastic++ < a->set->most) MS_TRY(add_mode(a, r));
  }
  return MS_SUCCESS;
}

ms_status ms_page_add_modes(ms_page *page, const char *caption, const ms_shape *shape,
                            const ms_mode_set *modes) {
  MS_NEED(page ? page->ctx : NULL, page && shape && modes && modes->move);
  album a = { .set = modes, .n_node = shape->n_node };
  ms_shape with = *shape;
  ms_status status = fill(&a, page->ctx);
  with.mode = a.mode;
  with.n_mode = a.n;
  if (status == MS_SUCCESS) status = ms_page_add_shape(page, caption, &with);
  ms_free(page->ctx, &a.u);
  ms_free(page->ctx, &a.mode);
  ms_free(page->ctx, &a.beside);
  ms_free(page->ctx, &a.name);
  ms_free(page->ctx, &a.value);
  return status;
}

/* ---- MAC ---- */

typedef char label[24];

static ptrdiff_t name(ptrdiff_t n, const ptrdiff_t *mode, label *text, const char **list) {
  if (n > MOST_MAC) n = MOST_MAC;
  for (ptrdiff_t i = 0; i < n; i++) {
    snprintf(text[i], sizeof text[i], "%td", mode[i] + 1);
    list[i] = text[i];
  }
  return n;
}

ms_status ms_page_add_mac(ms_page *page, const char *caption, const char *what, ptrdiff_t n_row,
                          const ptrdiff_t *row, ptrdiff_t n_column, const ptrdiff_t *column,
                          const double *mac) {
  MS_NEED(page ? page->ctx : NULL, page && what && row && column && mac);
  label row_text[MOST_MAC], column_text[MOST_MAC];
  const char *rows[MOST_MAC], *columns[MOST_MAC];
  ms_page_column cells[MOST_MAC + 1] = { { .heading = what, .texts = rows } };
  ms_page_table table = { .n_row = name(n_row, row, row_text, rows), .column = cells };
  table.n_column = name(n_column, column, column_text, columns) + 1;
  for (ptrdiff_t j = 0; j + 1 < table.n_column; j++)
    cells[j + 1] =
        (ms_page_column) { .heading = columns[j], .numbers = mac + n_row * j, .digits = 2 };
  return ms_page_add_shaded_table(page, caption, &table);
}
