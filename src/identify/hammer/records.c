/* The records of a hammer test, drawn. */
#include <microslip/records.h>

#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "identify/hammer/hammer.h"
#include "structure/impl.h"

static const double above = 1.5; /* times the highest mode that is read: spectra end there */

static double find_high(const ms_hammer *t) {
  double high = 0.0;
  for (ptrdiff_t m = 0; m < t->setting.n_mode; m++) high = fmax(high, t->omega[m]);
  return above * high / (2.0 * MS_PI);
}

/* The first hit with the same shape stands for the place. */
static int find_place(const ms_hammer *t, ptrdiff_t h) {
  const size_t bytes = (size_t)t->n_coordinate * sizeof *t->hit->shape;
  int place = 0;
  while (memcmp(t->hit[place].shape, t->hit[h].shape, bytes) != 0) place++;
  return place;
}

static ms_status draw(const ms_hammer *t, const ms_structure *s, const ms_hit *hit,
                      ms_records_drawing what, ms_records_impact *impact, const char **name,
                      ms_drawing **out) {
  static const char *const unit[] = { "m", "m/s", "m/s^2" };
  static const char *const quantity[] = { "displacement", "velocity", "acceleration" };
  for (ptrdiff_t h = 0; h < t->n_hit; h++) {
    const own_hit *own = &t->hit[h];
    impact[h] =
        (ms_records_impact) { .name = own->name,
                              .doubt = ms_hit_is_doubtful(&own->judgement) ? own->faults : NULL,
                              .used = !own->left_out,
                              .place = find_place(t, h),
                              .n = hit[h].n,
                              .dt = hit[h].dt,
                              .force = hit[h].force,
                              .x = hit[h].x };
  }
  for (ptrdiff_t c = 0; c < t->setting.n_channel; c++)
    name[c] = ms_structure_get_name(s, t->setting.channel[c]);
  const ms_records records = { .n_impact = t->n_hit,
                               .impact = impact,
                               .n_sensor = t->setting.n_channel,
                               .sensor = name,
                               .quantity = quantity[t->setting.kind],
                               .unit = unit[t->setting.kind],
                               .scale = 1.0,
                               .high_hz = find_high(t) };
  return ms_records_draw(t->ctx, &records, what, out);
}

ms_status ms_hammer_draw(const ms_hammer *t, const ms_structure *s, const ms_hit *hit,
                         ms_records_drawing what, ms_drawing **out) {
  ms_records_impact *impact = NULL;
  const char **name = NULL;
  *out = NULL;
  ms_status status = ms_allocate(t->ctx, t->n_hit, sizeof *impact, &impact);
  if (status == MS_SUCCESS) status = ms_allocate(t->ctx, t->setting.n_channel, sizeof *name, &name);
  if (status == MS_SUCCESS) status = draw(t, s, hit, what, impact, name, out);
  ms_free(t->ctx, &name);
  ms_free(t->ctx, &impact);
  return status;
}
