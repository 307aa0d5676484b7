/* Records of `hammer_test`: a file with a force and responses, or what a transient recorded. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

#include "study/analyses/hammer_test/hammer_test.h"
#include "study/analyses/transient/transient.h"

const char *ms_hammer_channel_name(const ms_study *s, const ms_hammer_product *p, ptrdiff_t c) {
  return p->channel[c] ? p->channel[c] : ms_structure_get_name(s->structure, p->coordinate[c]);
}

/* ---- files ---- */

/* Channel c of the hit, -1 for the force; all must have the same times. */
static ms_status take_record(const ms_study *s, const ms_hammer_product *p, const ms_record *r,
                             ptrdiff_t c, ms_study_hit *hit) {
  if (!hit->x) {
    hit->n = r->n;
    hit->dt = r->dt;
    MS_TRY(ms_allocate(s->ctx, r->n * (p->setting.n_channel + 1), sizeof *hit->x, &hit->x));
  }
  if (r->n != hit->n || fabs(r->dt - hit->dt) > 1e-6 * hit->dt) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                   "channel %s has %td samples %g s apart, the force %td, %g s apart", r->channel,
                   r->n, r->dt, hit->n, hit->dt);
  }
  memcpy(hit->x + hit->n * (c + 1), r->x, (size_t)r->n * sizeof *r->x);
  return MS_SUCCESS;
}

static ms_status read_channel(const ms_study *s, const ms_hammer_product *p, const char *path,
                              ptrdiff_t c, ms_study_hit *hit) {
  ms_record record = { .x = NULL };
  ms_record_request request = MS_RECORD_REQUEST_DEFAULT;
  request.channel = c < 0 ? hit->force : ms_hammer_channel_name(s, p, c);
  request.kind = c < 0 ? MS_RECORD_FORCE : (ms_record_kind)p->setting.kind;
  ms_status status = ms_record_read(s->ctx, path, &request, &record);
  if (status == MS_SUCCESS) status = take_record(s, p, &record, c, hit);
  ms_record_free(s->ctx, &record);
  return status;
}

static ms_status read_file(const ms_study *s, const ms_hammer_product *p, struct fy_node *node,
                           const char *file, ms_study_hit *hit) {
  char *path = NULL;
  if (!hit->force) {
    return ms_yaml_fail(&s->yaml, hit->node, MS_ERR_NAME,
                        "%s needs force: the channel of the hammer in its file", hit->name);
  }
  MS_TRY(ms_study_path(s, file, &path));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t c = -1; c < p->setting.n_channel && status == MS_SUCCESS; c++) {
    status = read_channel(s, p, path, c, hit);
  }
  ms_free(s->ctx, &path);
  return ms_yaml_fail_here(&s->yaml, node, status);
}

/* ---- transients ---- */

/* Column of the transient's table, -1 if it has none. */
static int find_column(const ms_transient_product *t, ms_quantity quantity, ptrdiff_t index,
                       const char *name) {
  for (int i = 0; i < t->channels.n; i++) {
    const ms_channel *c = &t->channels.channel[i];
    if (c->quantity == quantity && (name ? strcmp(c->name, name) == 0 : c->index == index)) {
      return i + 1;
    }
  }
  return -1;
}

static int find_sensor(const ms_hammer_product *p, const ms_transient_product *t, ptrdiff_t c) {
  static const ms_quantity quantity[] = { MS_DISPLACEMENT, MS_VELOCITY, MS_ACCELERATION };
  return find_column(t, quantity[p->setting.kind], p->coordinate[c], p->channel[c]);
}

/* The only load, unless one is named. */
static int find_force(const ms_transient_product *t, const ms_study_hit *hit) {
  if (hit->force) return find_column(t, MS_LOAD_FORCE, 0, hit->force);
  return t->n_load == 1 ? find_column(t, MS_LOAD_FORCE, 0, NULL) : -1;
}

static ms_status check_transient(const ms_study *s, const ms_hammer_product *p,
                                 const ms_study_hit *hit) {
  const ms_transient_product *t = hit->from->product;
  struct fy_node *node = ms_yaml_get(hit->node, "from");
  if (find_force(t, hit) < 0) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                        "%s records no force of one load; put the load among its channels, and "
                        "name it with force: where there are several",
                        hit->from->name);
  }
  for (ptrdiff_t c = 0; c < p->setting.n_channel; c++) {
    if (find_sensor(p, t, c) >= 0) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "%s does not record the %s of %s",
                        hit->from->name, ms_record_kind_text((ms_record_kind)p->setting.kind),
                        ms_hammer_channel_name(s, p, c));
  }
  return MS_SUCCESS;
}

ms_status ms_hammer_check_hit(const ms_study *s, const ms_task *task, const ms_hammer_product *p,
                              const char *file, ms_study_hit *hit) {
  struct fy_node *from = ms_yaml_get(hit->node, "from");
  if (!file == !from) {
    return ms_yaml_fail(&s->yaml, hit->node, MS_ERR_NAME,
                        "%s needs file or from, a record or an earlier transient", hit->name);
  }
  if (file) return read_file(s, p, ms_yaml_get(hit->node, "file"), file, hit);
  MS_TRY(ms_study_find_task(s, task, from, "transient", &hit->from));
  return check_transient(s, p, hit);
}

ms_status ms_hammer_gather_hit(const ms_study *s, const ms_hammer_product *p, ms_study_hit *hit) {
  if (!hit->from || hit->x) return MS_SUCCESS;
  const ms_transient_product *t = hit->from->product;
  hit->n = ms_result_table_rows(t->table);
  hit->dt = (double)t->every * t->time.step;
  const size_t bytes = (size_t)hit->n * sizeof *hit->x;
  MS_TRY(ms_allocate(s->ctx, hit->n * (p->setting.n_channel + 1), sizeof *hit->x, &hit->x));
  memcpy(hit->x, ms_result_table_column(t->table, find_force(t, hit)), bytes);
  for (ptrdiff_t c = 0; c < p->setting.n_channel; c++) {
    memcpy(hit->x + hit->n * (c + 1), ms_result_table_column(t->table, find_sensor(p, t, c)),
           bytes);
  }
  return MS_SUCCESS;
}
