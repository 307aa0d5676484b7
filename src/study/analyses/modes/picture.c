/* Shapes of modes in the report, whatever the structure is drawn as: the first elastic modes with
   the slipped ones that are like them, and those without frequency, folded away. */
#include <stdio.h>

#include "structure/impl.h"
#include "study/analyses/modes/modes.h"

enum { MOST_RIGID = 6 };

void ms_modes_fold(const ms_study *s, ms_result_table *table) {
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  ptrdiff_t n = 0;
  while (n < stuck.n && stuck.omega[n] == 0.0) n++;
  ms_result_table_fold(table, n, "rigid-body mode");
}

typedef struct album {
  const ms_mode_picture *picture;
  const ms_modes_product *p;
  ms_modes stuck, slipped;
  int slips;
  double *u, *free; /* free: where the next displacements go */
  ms_shape_mode *mode, *beside;
  char (*name)[2][32], (*value)[2][80];
  ptrdiff_t n;
} album;

static ms_status take_shape(album *a, const double *phi, double **u) {
  *u = a->free;
  a->free += 3 * a->picture->shape.n_node;
  return a->picture->move(a->picture->scene, phi, *u);
}

/* Both in the same phase. */
static void align(const double *u, double *v, ptrdiff_t n) {
  double product = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) product += u[i] * v[i];
  for (ptrdiff_t i = 0; i < n && product < 0.0; i++) v[i] = -v[i];
}

static ms_status add_mode(album *a, ptrdiff_t r) {
  const ms_mode_family *family = a->p->family;
  const ptrdiff_t k = a->p->pairs.slipped[r], i = a->n++;
  char *name = a->name[i][0], *value = a->value[i][0];
  double *u, *v;
  ms_shape_mode *mode = &a->mode[i];
  MS_TRY(take_shape(a, a->stuck.shape + a->stuck.n * r, &u));
  snprintf(name, sizeof a->name[i][0], "Mode %td", r + 1);
  if (family)
    snprintf(value, sizeof a->value[i][0], "%s %td", family[r].name, family[r].number);
  else if (a->stuck.omega[r] == 0.0)
    snprintf(value, sizeof a->value[i][0], "rigid body or mechanism");
  *mode = (ms_shape_mode) { .name = name,
                            .value = *value ? value : NULL,
                            .u = u,
                            .omega = a->stuck.omega[r],
                            .folded = a->stuck.omega[r] == 0.0 };
  if (!a->slips || mode->folded) return MS_SUCCESS;
  MS_TRY(take_shape(a, a->slipped.shape + a->slipped.n * k, &v));
  align(u, v, 3 * a->picture->shape.n_node);
  snprintf(a->name[i][1], sizeof a->name[i][1], "Mode %td", k + 1);
  snprintf(a->value[i][1], sizeof a->value[i][1], "MAC %.2f", a->p->pairs.mac[r]);
  a->beside[i] = (ms_shape_mode) {
    .name = a->name[i][1], .value = a->value[i][1], .u = v, .omega = a->slipped.omega[k]
  };
  mode->beside = &a->beside[i];
  return MS_SUCCESS;
}

static ms_status fill(album *a, ms_context *ctx) {
  const ptrdiff_t most = a->picture->most + MOST_RIGID;
  ptrdiff_t rigid = 0, elastic = 0;
  MS_TRY(ms_allocate(ctx, 2 * most * 3 * a->picture->shape.n_node, sizeof *a->u, &a->u));
  MS_TRY(ms_allocate(ctx, most, sizeof *a->mode, &a->mode));
  MS_TRY(ms_allocate(ctx, most, sizeof *a->beside, &a->beside));
  MS_TRY(ms_allocate(ctx, most, sizeof *a->name, &a->name));
  MS_TRY(ms_allocate(ctx, most, sizeof *a->value, &a->value));
  a->free = a->u;
  for (ptrdiff_t r = 0; r < a->stuck.n; r++) {
    const int is_rigid = a->stuck.omega[r] == 0.0;
    if (is_rigid ? rigid++ < MOST_RIGID : elastic++ < a->picture->most) MS_TRY(add_mode(a, r));
  }
  return MS_SUCCESS;
}

ms_status ms_modes_add_picture(const ms_study *s, const ms_modes_product *p, const char *caption,
                               const ms_mode_picture *picture, ms_page *page) {
  album a = { .picture = picture,
              .p = p,
              .stuck = ms_structure_get_stuck(s->structure),
              .slipped = ms_structure_get_slipped(s->structure),
              .slips = ms_attachments_slip(s->structure) };
  char text[400];
  ms_shape shape = picture->shape;
  ms_status status = fill(&a, s->ctx);
  shape.mode = a.mode;
  shape.n_mode = a.n;
  if (a.slips) shape.side[0] = "stuck", shape.side[1] = "slipped";
  snprintf(text, sizeof text, "Mode shapes of the structure with its joints stuck%s.%s",
           a.slips ? ", and of the slipped modes most like them: look for joints across which the "
                     "shape breaks, and for modes that slip changes"
                   : "",
           caption);
  if (status == MS_SUCCESS) status = ms_page_add_shape(page, text, &shape);
  ms_free(s->ctx, &a.u);
  ms_free(s->ctx, &a.mode);
  ms_free(s->ctx, &a.beside);
  ms_free(s->ctx, &a.name);
  ms_free(s->ctx, &a.value);
  return status;
}
