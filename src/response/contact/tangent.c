/* Derivatives through the history of a contact, in any number of directions. At the end of a step
   its laws hold; with rows C_z z + C_l lambda = right of them, x = b p + M y and pairs (z, lambda)
   of (x, y), the change of y in the step follows in every direction from

     A d(dy) = d right - X (b dp + M dy_0) - Y dy_0,

   where `right` remembers what z and lambda were at the beginning of the step. Points that keep
   their y keep its derivative. */
#include <cblas.h>
#include <lapacke.h>
#include <string.h>

#include "core/internal.h"
#include "response/contact/impl.h"

struct ms_contact_tangent {
  ptrdiff_t n;           /* directions; of each row they follow each other */
  ptrdiff_t n_row, *row; /* components whose y has derivatives */
  ptrdiff_t *at;         /* 3 n_point: where it is in the list; -1: it has none */
  double *y;             /* n_row rows: of y */
  double *z;             /* 3 n_point rows: of z, where a point was an unknown of the last step */
  double *from, *to, *p; /* n_load rows: of the loads before, behind and in a step */
  double *v;             /* n_load rows: of their displacements */
  double *own, *other;   /* dv = own dp + other^T dy: n_load square, 3 n_point x n_load */
  double *x, *right;     /* of the points of the unknowns, three rows each; of the unknowns */
  double *part;          /* of M, b or `other`: the columns in use */
  int second;            /* the last three are those of the first set */
};

static void fill_answers(const ms_contact *c, ms_contact_tangent *t) {
  const ptrdiff_t n = 3 * c->n, m = c->n_load;
  double *W = t->other;
  for (ptrdiff_t k = 0; k < m; k++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      const ms_contact_pair w = ms_contact_pair_of(c, i);
      W[i + n * k] = (w.l_x - c->S_0[i] * w.z_x) * c->z_load[i + n * k];
    }
  }
  memcpy(t->own, c->load_load, (size_t)(m * m) * sizeof *t->own);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)m, (int)m, (int)n, -1.0, W, (int)n,
              c->b, (int)n, 1.0, t->own, (int)m);
  for (ptrdiff_t k = 0; k < m; k++) {
    double *row = W + n * k, *y = c->x; /* workspace */
    cblas_dgemv(CblasColMajor, CblasTrans, (int)n, (int)n, -1.0, c->M, (int)n, row, 1, 0.0, y, 1);
    for (ptrdiff_t i = 0; i < n; i++) {
      const ms_contact_pair w = ms_contact_pair_of(c, i);
      row[i] = y[i] - (w.l_y - c->S_0[i] * w.z_y) * c->z_load[i + n * k];
    }
  }
}

static ms_status reserve(const ms_contact *c, ms_contact_tangent *t, ptrdiff_t n_dir) {
  const ptrdiff_t n = 3 * c->n, m = c->n_load;
  t->n = n_dir;
  MS_TRY(ms_allocate(c->ctx, 2 * n, sizeof *t->row, &t->row));
  t->at = t->row + n;
  MS_TRY(ms_allocate(c->ctx, 4 * n * n_dir, sizeof *t->y, &t->y));
  t->z = t->y + n * n_dir, t->x = t->z + n * n_dir, t->right = t->x + n * n_dir;
  MS_TRY(ms_allocate(c->ctx, 4 * m * n_dir, sizeof *t->from, &t->from));
  t->to = t->from + m * n_dir, t->p = t->to + m * n_dir, t->v = t->p + m * n_dir;
  return MS_SUCCESS;
}

static void destroy(ms_context *ctx, ms_contact_tangent **t) {
  if (!*t) return;
  ms_free(ctx, &(*t)->row);
  ms_free(ctx, &(*t)->y);
  ms_free(ctx, &(*t)->from);
  if (!(*t)->second) ms_free(ctx, &(*t)->own);
  ms_free(ctx, t);
}

ms_status ms_contact_tangent_open(ms_contact *c, ptrdiff_t n_dir) {
  const ptrdiff_t n = 3 * c->n, m = c->n_load;
  ms_contact_tangent *t;
  MS_TRY(ms_allocate(c->ctx, 1, sizeof *t, &c->tangent));
  t = c->tangent;
  MS_TRY(reserve(c, t, n_dir));
  MS_TRY(ms_allocate(c->ctx, m * m + n * m + n * (n + m), sizeof *t->own, &t->own));
  t->other = t->own + m * m, t->part = t->other + n * m;
  fill_answers(c, t);
  return MS_SUCCESS;
}

void ms_contact_tangent_close(ms_contact *c) {
  destroy(c->ctx, &c->tangent);
}

ms_status ms_contact_tangent_open_second(ms_contact *c, ptrdiff_t n_dir, ms_contact_tangent **out) {
  const ms_contact_tangent *first = c->tangent;
  MS_TRY(ms_allocate(c->ctx, 1, sizeof **out, out));
  (*out)->own = first->own, (*out)->other = first->other, (*out)->part = first->part;
  (*out)->second = 1;
  return reserve(c, *out, n_dir);
}

void ms_contact_tangent_close_second(ms_context *ctx, ms_contact_tangent **second) {
  destroy(ctx, second);
}

void ms_contact_tangent_swap(ms_contact *c, ms_contact_tangent **second) {
  ms_contact_tangent *first = c->tangent;
  c->tangent = *second;
  *second = first;
}

void ms_contact_tangent_begin(ms_contact *c) {
  ms_contact_tangent *t = c->tangent;
  t->n_row = 0;
  for (ptrdiff_t i = 0; i < 3 * c->n; i++) t->at[i] = -1;
  memset(t->z, 0, (size_t)(3 * c->n * t->n) * sizeof *t->z);
  memset(t->from, 0, (size_t)(4 * c->n_load * t->n) * sizeof *t->from);
}

double *ms_contact_tangent_loads(ms_contact *c) {
  return c->tangent->to;
}

const double *ms_contact_tangent_moves(const ms_contact *c) {
  return c->tangent->v;
}

const double *ms_contact_tangent_stuck(const ms_contact *c) {
  return c->tangent->own;
}

/* ---- a step ---- */

static void add_row(const ms_contact_tangent *t, double factor, const double *x, double *to) {
  if (factor != 0.0) cblas_daxpy((int)t->n, factor, x, 1, to, 1);
}

/* The derivative of y of component j; NULL: none. */
static double *row_of(const ms_contact_tangent *t, ptrdiff_t j) {
  return t->at[j] < 0 ? NULL : t->y + t->n * t->at[j];
}

/* to := part (rows x columns, by rows) times rows of directions, or added. */
static void multiply(const ms_contact_tangent *t, ptrdiff_t rows, ptrdiff_t columns,
                     const double *from, double add, double *to) {
  if (rows == 0 || (columns == 0 && add == 1.0)) return;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, (int)t->n, (int)columns, 1.0,
              t->part, (int)columns, from, (int)t->n, add, to, (int)t->n);
}

/* x of the points of the unknowns, from the loads and y. */
static void fill_x(const ms_contact *c) {
  const ms_contact_tangent *t = c->tangent;
  const ptrdiff_t n = 3 * c->n;
  for (int pass = 0; pass < 2; pass++) {
    const ptrdiff_t columns = pass ? t->n_row : c->n_load;
    ptrdiff_t rows = 0;
    for (ptrdiff_t k = 0; k < c->n_unknown; k++) {
      const ptrdiff_t i = c->unknown[k] / 3;
      if (k > 0 && c->unknown[k - 1] / 3 == i) continue;
      for (ptrdiff_t j = 3 * i; j < 3 * i + 3; j++, rows++) {
        double *to = t->part + columns * rows;
        for (ptrdiff_t l = 0; l < columns; l++) {
          to[l] = pass ? c->M[j + n * t->row[l]] : c->b[j + n * l];
        }
      }
    }
    multiply(t, rows, columns, pass ? t->y : t->p, pass ? 1.0 : 0.0, t->x);
  }
}

/* Adds what `right` of component k of point i remembers of the beginning of the step. */
static void add_memory(const ms_contact *c, ptrdiff_t i, int k, double *to) {
  const ms_contact_tangent *t = c->tangent;
  const ms_contact_point *p = &c->point[i];
  double W[4];
  if (k == 2) return;
  ms_contact_recall(c, i, W);
  for (int m = 0; m < 2; m++) {
    const ptrdiff_t j = 3 * i + m;
    const int rigid = ms_contact_is_rigid(p);
    const double w = W[k + 2 * m], *y = row_of(t, j), *z = t->z + t->n * j;
    if (!c->closed[i]) add_row(t, rigid ? -w * c->r[j] : -w * p->K_t, z, to);
    if (y && (c->closed[i] || !rigid)) add_row(t, rigid ? -w * c->r[j] : w, y, to);
  }
}

static void fill_right(ms_contact *c) {
  ms_contact_tangent *t = c->tangent;
  const ptrdiff_t N = c->n_unknown;
  const double *of_x = c->right + N, *of_y = of_x + 3 * N, *x = t->x - 3 * t->n;
  for (ptrdiff_t row = 0; row < N; row++) {
    const ptrdiff_t i = c->unknown[row] / 3;
    double *to = t->right + t->n * row;
    if (row == 0 || c->unknown[row - 1] / 3 != i) x += 3 * t->n;
    memset(to, 0, (size_t)t->n * sizeof *to);
    add_memory(c, i, (int)(c->unknown[row] % 3), to);
    for (int m = 0; m < 3; m++) {
      const double *y = row_of(t, 3 * i + m);
      add_row(t, -of_x[3 * row + m], x + t->n * m, to);
      if (y) add_row(t, -of_y[3 * row + m], y, to);
    }
  }
}

/* y with the change that was solved for. */
static void add_changes(ms_contact *c) {
  ms_contact_tangent *t = c->tangent;
  for (ptrdiff_t k = 0; k < c->n_unknown; k++) {
    const ptrdiff_t j = c->unknown[k];
    if (t->at[j] < 0) {
      t->at[j] = t->n_row;
      t->row[t->n_row] = j;
      memset(t->y + t->n * t->n_row++, 0, (size_t)t->n * sizeof *t->y);
    }
    add_row(t, ms_contact_unit(c, j), t->right + t->n * k, row_of(t, j));
  }
}

/* Displacements of what was open in the base state, which the next step remembers. */
static void keep_z(ms_contact *c) {
  const ms_contact_tangent *t = c->tangent;
  const double *x = t->x - 3 * t->n;
  int away = 0;
  for (ptrdiff_t k = 0; k < c->n_unknown; k++) away |= !c->closed[c->unknown[k] / 3];
  if (!away) return;
  fill_x(c);
  for (ptrdiff_t k = 0; k < c->n_unknown; k++) {
    const ptrdiff_t i = c->unknown[k] / 3;
    if (k > 0 && c->unknown[k - 1] / 3 == i) continue;
    x += 3 * t->n;
    if (!c->closed[i]) memcpy(t->z + 3 * t->n * i, x, (size_t)(3 * t->n) * sizeof *x);
  }
}

static void fill_moves(ms_contact *c) {
  const ms_contact_tangent *t = c->tangent;
  const ptrdiff_t m = c->n_load;
  for (ptrdiff_t i = 0; i < m * m; i++) t->part[i] = t->own[i / m + m * (i % m)];
  multiply(t, m, m, t->p, 0.0, t->v);
  for (ptrdiff_t i = 0; i < m * t->n_row; i++) {
    t->part[i] = t->other[t->row[i % t->n_row] + 3 * c->n * (i / t->n_row)];
  }
  multiply(t, m, t->n_row, t->y, 1.0, t->v);
}

/* A by rows, as the directions are. */
static void turn(ms_contact *c) {
  const ptrdiff_t N = c->n_unknown;
  for (ptrdiff_t j = 0; j < N; j++) {
    for (ptrdiff_t i = 0; i < j; i++) {
      const double a = c->A[i + N * j];
      c->A[i + N * j] = c->A[j + N * i];
      c->A[j + N * i] = a;
    }
  }
}

void ms_contact_tangent_step(ms_contact *c) {
  ms_contact_tangent *t = c->tangent;
  const int N = (int)c->n_unknown, n = (int)t->n;
  const ptrdiff_t all = c->n_load * t->n;
  for (ptrdiff_t i = 0; i < all; i++) t->p[i] = t->from[i] + c->part * (t->to[i] - t->from[i]);
  if (N > 0) {
    ms_contact_assemble(c);
    fill_x(c);
    fill_right(c);
    turn(c);
    const int singular = LAPACKE_dgesv(LAPACK_ROW_MAJOR, N, n, c->A, N, c->pivot, t->right, n) != 0;
    if (!singular) add_changes(c);
    keep_z(c);
  }
  fill_moves(c);
}

/* The load that was aimed at is reached. */
void ms_contact_tangent_arrive(ms_contact *c) {
  ms_contact_tangent *t = c->tangent;
  memcpy(t->from, t->to, (size_t)(c->n_load * t->n) * sizeof *t->from);
}

/* ---- disturbances ---- */

/* What has derivatives from one step to the next: so many rows, `row` of y, z and the loads. */
static double *list_rows(const ms_contact *c, int part, ptrdiff_t *rows) {
  const ms_contact_tangent *t = c->tangent;
  *rows = part == 0 ? t->n_row : part == 1 ? 3 * c->n : c->n_load;
  return part == 0 ? t->y : part == 1 ? t->z : t->from;
}

void ms_contact_tangent_take(ms_contact *c, ptrdiff_t n, const double *dp) {
  const ptrdiff_t all = c->tangent->n, others = all - n;
  for (int part = 0; part < 3; part++) {
    ptrdiff_t rows;
    double *x = list_rows(c, part, &rows);
    if (rows == 0) continue;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)others, (int)n, 1.0,
                x + others, (int)all, dp, (int)n, 1.0, x, (int)all);
    for (ptrdiff_t i = 0; i < rows; i++) {
      memset(x + all * i + others, 0, (size_t)n * sizeof *x);
    }
  }
}

void ms_contact_tangent_combine(ms_contact *c, ptrdiff_t n, const double *S) {
  const ptrdiff_t all = c->tangent->n;
  double *was = c->tangent->right; /* workspace */
  for (int part = 0; part < 3; part++) {
    ptrdiff_t rows;
    double *x = list_rows(c, part, &rows);
    for (ptrdiff_t i = 0; i < rows; i++, x += all) {
      memcpy(was, x, (size_t)n * sizeof *x);
      cblas_dgemv(CblasColMajor, CblasTrans, (int)n, (int)n, 1.0, S, (int)n, was, 1, 0.0, x, 1);
    }
  }
}
