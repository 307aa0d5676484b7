/* Universal files, the datasets beside 58 that belong to a test:

     15     4I10,3E13.5                       label, three integers, position
     2411   4I10 / 3D25.16                    the same in two lines
     82     3I10 / 80A1 / 8I10...             number, count, colour; name; labels, 0 lifts the pen
     55     5 lines of text / 6I10 / 8I10... / 6E13.5... / for each node I10 / 6E13.5...
     151    7 lines of text; the sixth names the program
     164    I10,20A1,I10 / 3D25.17 / D25.17   code, name, ...; factors of length, force, ...

   What a dataset 164 calls a factor is the number of the file's units in one SI unit. */
#include "io/uff58.h"

#include <math.h>
#include <stdio.h>

enum { FIRST_NODES = 256, N_TEXT = 5, MOST_REALS = 32, MOST_WIDTH = 64 };

static const double two_pi = 6.283185307179586;

void ms_uff_free_other(ms_uff58 *f) {
  for (ptrdiff_t i = 0; i < f->n_label; i++) ms_free(f->ctx, &f->label[i]);
  for (ptrdiff_t i = 0; i < f->n_value; i++) ms_free(f->ctx, &f->value[i]);
  ms_free(f->ctx, &f->label);
  ms_free(f->ctx, &f->value);
  ms_free(f->ctx, &f->node);
  ms_free(f->ctx, &f->trace);
  ms_free(f->ctx, &f->shape);
}

/* ---- lines ---- */

/* The next line; *over is 1 where it closes the dataset. */
static ms_status take_line(ms_uff_reader *r, const ms_uff_dataset *d, ms_span *line, int *over) {
  if (!ms_io_take_line(&r->text, line))
    return ms_uff_refuse(
        r, "dataset %td, which begins in line %td, has no closing -1; complete the file", d->number,
        d->line);
  *over = ms_uff_is_delimiter(*line);
  return MS_SUCCESS;
}

/* A line that must be there. */
static ms_status need_line(ms_uff_reader *r, const ms_uff_dataset *d, ms_span *line) {
  int over;
  MS_TRY(take_line(r, d, line, &over));
  if (!over) return MS_SUCCESS;
  return ms_uff_refuse(r, "dataset %td, which begins in line %td, ends too early; complete it",
                       d->number, d->line);
}

static ms_status refuse_line(ms_uff_reader *r, const ms_uff_dataset *d, ms_span line,
                             const char *what) {
  char shown[MS_IO_EXCERPT_SIZE];
  return ms_uff_refuse(r, "'%s' in dataset %td; there must be %s", ms_io_excerpt(line, shown),
                       d->number, what);
}

static int take_integers(ms_span *line, int n, ptrdiff_t *out) {
  for (int i = 0; i < n; i++) {
    line->begin = ms_io_skip_blanks(*line);
    if (!ms_io_scan_integer(&line->begin, line->end, &out[i])) return 0;
  }
  return 1;
}

static int take_reals(ms_span *line, int n, double *out) {
  for (int i = 0; i < n; i++) {
    line->begin = ms_io_skip_blanks(*line);
    if (ms_io_scan_number(&line->begin, line->end, &out[i]) != MS_SUCCESS) return 0;
  }
  return 1;
}

/* Behind n integers of ten columns each the next may touch. */
static ms_span behind(ms_span line, ptrdiff_t columns) {
  if (line.end - line.begin < columns) columns = line.end - line.begin;
  return (ms_span) { line.begin + columns, line.end };
}

/* ---- memory ---- */

static ms_status add_labels(ms_uff_reader *r, ptrdiff_t n, ptrdiff_t **out) {
  ms_uff58 *f = r->file;
  MS_TRY(ms_resize(r->ctx, f->n_label + 1, sizeof *f->label, &f->label));
  f->label[f->n_label] = NULL;
  MS_TRY(ms_resize(r->ctx, n, sizeof **out, &f->label[f->n_label]));
  *out = f->label[f->n_label++];
  return MS_SUCCESS;
}

static ms_status add_node(ms_uff_reader *r, ptrdiff_t label, const double *x) {
  ms_uff58 *f = r->file;
  if (f->n_node == f->node_room) {
    f->node_room = f->node_room ? 2 * f->node_room : FIRST_NODES;
    MS_TRY(ms_resize(r->ctx, f->node_room, sizeof *f->node, &f->node));
  }
  f->node[f->n_node++] = (ms_measurement_node) { label, { x[0], x[1], x[2] } };
  return MS_SUCCESS;
}

/* ---- geometry ---- */

static ms_status read_nodes(ms_uff_reader *r, const ms_uff_dataset *d) {
  ms_span line, rest;
  double x[3];
  ptrdiff_t head[4];
  for (int over;;) {
    MS_TRY(take_line(r, d, &line, &over));
    if (over) return MS_SUCCESS;
    rest = line;
    if (!take_integers(&rest, 4, head))
      return refuse_line(r, d, line, "a node: its label and three integers");
    if (d->number == 2411) {
      MS_TRY(need_line(r, d, &line));
      rest = line;
    }
    if (!take_reals(&rest, 3, x) &&
        !(d->number == 15 && (rest = behind(line, 40), take_reals(&rest, 3, x))))
      return refuse_line(r, d, line, "the position of a node: three finite numbers");
    MS_TRY(add_node(r, head[0], x));
  }
}

/* A line of labels: another trace would begin with a line of three numbers or fewer. Real files
   have more labels than they say. */
static int goes_on(ms_uff_reader *r) {
  ms_lines ahead = r->text;
  ptrdiff_t label[4];
  ms_span line;
  return ms_io_take_line(&ahead, &line) && take_integers(&line, 4, label);
}

static ms_status read_more_labels(ms_uff_reader *r, const ms_uff_dataset *d) {
  ms_uff58 *f = r->file;
  ms_measurement_trace *t = &f->trace[f->n_trace - 1];
  ptrdiff_t **label = &f->label[f->n_label - 1];
  while (goes_on(r)) {
    ptrdiff_t more[8], n = 0;
    ms_span line;
    MS_TRY(need_line(r, d, &line));
    while (n < 8 && take_integers(&line, 1, &more[n])) n++;
    MS_TRY(ms_resize(r->ctx, t->n + n, sizeof **label, label));
    memcpy(*label + t->n, more, (size_t)n * sizeof *more);
    t->n += n;
    t->label = *label;
  }
  return MS_SUCCESS;
}

static ms_status read_trace(ms_uff_reader *r, const ms_uff_dataset *d, ms_span line) {
  ms_uff58 *f = r->file;
  ptrdiff_t head[2], *label, n = 0;
  ms_span rest = line, name;
  if (!take_integers(&rest, 2, head) || head[1] < 0 ||
      head[1] > r->text.rest.end - r->text.rest.begin)
    return refuse_line(r, d, line, "the number of a line and how many nodes it has");
  MS_TRY(need_line(r, d, &name));
  MS_TRY(add_labels(r, head[1], &label));
  MS_TRY(ms_resize(r->ctx, f->n_trace + 1, sizeof *f->trace, &f->trace));
  ms_measurement_trace *t = &f->trace[f->n_trace++];
  *t = (ms_measurement_trace) { .n = head[1], .label = label };
  if (name.end - name.begin > 80) name.end = name.begin + 80;
  ms_uff_copy_text(name, t->name);
  while (n < head[1]) {
    MS_TRY(need_line(r, d, &line));
    rest = line;
    ptrdiff_t here = 0;
    for (; n < head[1] && take_integers(&rest, 1, &label[n]); here++) n++;
    if (here == 0) return refuse_line(r, d, line, "labels of nodes");
  }
  return read_more_labels(r, d);
}

static ms_status read_traces(ms_uff_reader *r, const ms_uff_dataset *d) {
  ms_span line;
  for (int over;;) {
    MS_TRY(take_line(r, d, &line, &over));
    if (over) return MS_SUCCESS;
    line = ms_io_trim(line);
    if (line.begin < line.end) MS_TRY(read_trace(r, d, line));
  }
}

/* ---- shapes ---- */

/* n numbers in as many lines as they take. */
static ms_status read_integers(ms_uff_reader *r, const ms_uff_dataset *d, ms_span *line,
                               ptrdiff_t n, ptrdiff_t *out) {
  for (ptrdiff_t k = 0; k < n;) {
    const ptrdiff_t before = k;
    while (k < n && take_integers(line, 1, &out[k])) k++;
    if (k == n) break;
    if (k == before && ms_io_length(ms_io_trim(*line)) > 0)
      return refuse_line(r, d, *line, "integers");
    MS_TRY(need_line(r, d, line));
  }
  return MS_SUCCESS;
}

static ms_status read_reals(ms_uff_reader *r, const ms_uff_dataset *d, ptrdiff_t n, double *out) {
  ms_span line;
  for (ptrdiff_t k = 0; k < n;) {
    const ptrdiff_t before = k;
    MS_TRY(need_line(r, d, &line));
    while (k < n && take_reals(&line, 1, &out[k])) k++;
    if (k == before || (k < n && ms_io_length(ms_io_trim(line)) > 0))
      return refuse_line(r, d, line, "finite numbers");
  }
  return MS_SUCCESS;
}

/* Frequency and damping, from the numbers that the kind of analysis has. */
static void take_mode(ms_measurement_shape *s, const ptrdiff_t *integer, ptrdiff_t n_integer,
                      const double *real, ptrdiff_t n_real) {
  s->mode = n_integer > 1 ? integer[1] : 0;
  if (s->type == 2 && n_real >= 3) {
    s->frequency = real[0], s->modal_mass = real[1], s->damping = real[2];
  } else if ((s->type == 3 || s->type == 7) && n_real >= 2) {
    const double omega = hypot(real[0], real[1]);
    s->frequency = omega / two_pi;
    s->damping = omega > 0.0 ? -real[0] / omega : 0.0;
  } else if (s->type == 5 && n_real >= 1) {
    s->frequency = real[0];
  }
}

/* Lines six to eight: what the values are. */
static ms_status read_shape_head(ms_uff_reader *r, const ms_uff_dataset *d,
                                 ms_measurement_shape *s) {
  ms_span line;
  ptrdiff_t head[6], count[2], integer[MOST_REALS] = { 0 };
  double real[MOST_REALS] = { 0.0 };
  for (int i = 0; i < N_TEXT; i++) {
    MS_TRY(need_line(r, d, &line));
    if (line.end - line.begin > 80) line.end = line.begin + 80;
    if (i == 0) ms_uff_copy_text(line, s->id);
  }
  MS_TRY(need_line(r, d, &line));
  ms_span rest = line;
  if (!take_integers(&rest, 6, head) || (head[4] != 2 && head[4] != 5) || head[5] < 1 ||
      head[5] > MOST_WIDTH)
    return refuse_line(r, d, line,
                       "six integers, the fifth 2 (real) or 5 (complex), the sixth the number of "
                       "values at a node");
  s->type = head[1] >= 0 && head[1] < 100 ? (int)head[1] : 0;
  s->is_complex = head[4] == 5;
  s->width = (int)head[5];
  MS_TRY(need_line(r, d, &line));
  rest = line;
  if (!take_integers(&rest, 2, count) || count[0] < 0 || count[1] < 0 || count[0] > MOST_REALS ||
      count[1] > MOST_REALS)
    return refuse_line(r, d, line, "the number of integers and of real numbers that follow");
  MS_TRY(read_integers(r, d, &rest, count[0], integer));
  MS_TRY(read_reals(r, d, count[1], real));
  take_mode(s, integer, count[0], real, count[1]);
  return MS_SUCCESS;
}

static ms_status read_shape(ms_uff_reader *r, const ms_uff_dataset *d) {
  ms_uff58 *f = r->file;
  ms_measurement_shape s = { .n = 0 };
  ms_span line;
  ptrdiff_t *label, room = 0;
  MS_TRY(read_shape_head(r, d, &s));
  const ptrdiff_t width = s.width * (1 + s.is_complex);
  MS_TRY(ms_resize(r->ctx, f->n_label + 1, sizeof *f->label, &f->label));
  MS_TRY(ms_resize(r->ctx, f->n_value + 1, sizeof *f->value, &f->value));
  ptrdiff_t **labels = &f->label[f->n_label++];
  double **values = &f->value[f->n_value++];
  *labels = NULL, *values = NULL;
  for (int over;;) {
    MS_TRY(take_line(r, d, &line, &over));
    if (over) break;
    if (s.n == room) {
      room = room ? 2 * room : 16;
      MS_TRY(ms_resize(r->ctx, room, sizeof **labels, labels));
      MS_TRY(ms_resize(r->ctx, room * width, sizeof **values, values));
    }
    label = &(*labels)[s.n];
    ms_span rest = line;
    if (!take_integers(&rest, 1, label)) return refuse_line(r, d, line, "the label of a node");
    MS_TRY(read_reals(r, d, width, &(*values)[width * s.n]));
    s.n++;
  }
  s.label = *labels, s.value = *values;
  MS_TRY(ms_resize(r->ctx, f->n_shape + 1, sizeof *f->shape, &f->shape));
  f->shape[f->n_shape++] = s;
  return MS_SUCCESS;
}

/* ---- units and program ---- */

static ms_status skip_rest(ms_uff_reader *r, const ms_uff_dataset *d) {
  ms_span line;
  for (int over = 0; !over;) MS_TRY(take_line(r, d, &line, &over));
  return MS_SUCCESS;
}

static int is_factor(double x) {
  return x >= 1e-12 && x <= 1e12;
}

static ms_status read_units(ms_uff_reader *r, const ms_uff_dataset *d) {
  ms_span line;
  double factor[2];
  MS_TRY(need_line(r, d, &line));
  MS_TRY(need_line(r, d, &line));
  ms_span rest = line;
  if (!take_reals(&rest, 2, factor) || !is_factor(factor[0]) || !is_factor(factor[1]))
    return refuse_line(r, d, line, "the factors of length and force, from 1e-12 to 1e12");
  r->file->length = factor[0], r->file->force = factor[1];
  return skip_rest(r, d);
}

static ms_status read_program(ms_uff_reader *r, const ms_uff_dataset *d) {
  ms_span line;
  for (int i = 0, over = 0; !over; i++) {
    MS_TRY(take_line(r, d, &line, &over));
    if (line.end - line.begin > 80) line.end = line.begin + 80;
    if (!over && i == 5) ms_uff_copy_text(line, r->file->writer);
  }
  return MS_SUCCESS;
}

ms_status ms_uff_read_other(ms_uff_reader *r, const ms_uff_dataset *d, int *taken) {
  *taken = 1;
  switch (d->number) {
  case 15:
  case 2411:
    return read_nodes(r, d);
  case 82:
    return read_traces(r, d);
  case 55:
    return read_shape(r, d);
  case 151:
    return read_program(r, d);
  case 164:
    return read_units(r, d);
  default:
    *taken = 0;
    return MS_SUCCESS;
  }
}
