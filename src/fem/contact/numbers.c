/* Numbers of contacts and stages that analyses may set free, and other values of them. */
#include "fem/contact/numbers.h"

#include <stdio.h>

#include "core/internal.h"
#include "core/param.h"
#include "fem/contact/points.h"

enum { EACH = 6 }; /* of a contact */
static const char *const name_of[EACH] = {
  "mu", "gap", "interference", "gap_factor", "K_n", "K_t"
};

static const ms_param *find_row(const ms_param_list *list, const char *name) {
  return &list->param[ms_param_find(list->param, list->n, name)];
}

static ms_contact_number describe(const ms_fem_assembly *a, const ms_fem_number_rows *rows,
                                  ptrdiff_t i, char *owner, size_t size) {
  const ptrdiff_t stage = i - EACH * a->n_contact, k = i % EACH;
  if (stage >= 0) {
    snprintf(owner, size, "preload.%td", stage + 1);
    return (ms_contact_number) { owner, find_row(rows->stage, "factor"), a->stage[stage].factor };
  }
  const ms_fem_contact *c = &a->contact[i / EACH];
  const double value[EACH] = { c->mu, c->gap, -c->gap, ms_gap_factor(c), c->K_n, c->K_t };
  const int layer = k > 3, table = k == 3;
  snprintf(owner, size, "contacts.%.100s%s", c->name, layer ? ".layer" : "");
  if ((layer && c->K_n == 0.0) || (table && !c->gaps)) owner[0] = '\0'; /* it has none */
  return (ms_contact_number) { owner, find_row(layer ? rows->layer : rows->contact, name_of[k]),
                               value[k] > 0.0 ? value[k] : 0.0 };
}

ms_status ms_fem_list_numbers(ms_context *ctx, const ms_fem_assembly *a,
                              const ms_fem_number_rows *rows, ms_contact_family *out) {
  enum { OWNER = 128 };
  ms_contact_number *number;
  out->n = EACH * a->n_contact + a->n_stage;
  MS_TRY(ms_allocate(ctx, out->n, sizeof *number + OWNER, &number));
  out->number = number;
  char *owner = (char *)(number + out->n);
  for (ptrdiff_t i = 0; i < out->n; i++) {
    number[i] = describe(a, rows, i, owner + OWNER * i, OWNER);
  }
  return MS_SUCCESS;
}

const double *ms_fem_take_numbers(const ms_fem_assembly *a, const double *value,
                                  ms_fem_contact *contact) {
  for (int i = 0; i < a->n_contact; i++) {
    const double *v = value + EACH * i;
    contact[i] = a->contact[i];
    contact[i].mu = v[0];
    contact[i].gap = v[1] - v[2];
    contact[i].gap_factor = v[3];
    contact[i].K_n = v[4];
    contact[i].K_t = v[5];
  }
  return value + EACH * a->n_contact;
}
