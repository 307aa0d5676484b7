/* Contact of condensed bodies: what its files share. Letters, beside those of microslip/contact.h:

     z       3 n: relative displacement, z_n less the gap
     x, y    what the bodies answer and what is imposed on them: x = b + M y

   The equations refer to a base state, in which each point is closed and sticks or is open:

     rigid, closed   y = z,               x = lambda
     rigid, open     y = lambda,          x = z
     layer, closed   y = lambda - K z,    x = z       K = (K_t, K_t, K_n)
     layer, open     y = lambda,          x = z
     held            y = lambda = 0,      x = z = 0   a component that supports keep from moving

   As long as a point is what it is in the base state, y does not change: only points that slip,
   open or close are unknowns of a step. */
#ifndef MS_RESPONSE_CONTACT_IMPL_H
#define MS_RESPONSE_CONTACT_IMPL_H

#include <microslip/contact.h>

/* What a load step changes, and what is restored where it fails. */
typedef struct ms_contact_values {
  double *p, *v;              /* n_load */
  double *z, *lambda, *y, *m; /* 3 n; m: M y */
  double *dissipated, *slip;
  unsigned char *status;
  double work, residual;
} ms_contact_values;

struct ms_contact {
  ms_context *ctx;
  ms_contact_setting setting;
  ptrdiff_t n, n_load; /* points, loads */
  int n_group;
  ms_contact_point *point;
  double *H, *S_0, *z_load, *load_load;
  double *r;           /* 3 n, N/m: augmentation of rigid points */
  double *offset;      /* 3 n, m: what dead forces of earlier stages add to z */
  double *v_0;         /* n_load: v where the state was taken over */
  int started;         /* a step was taken, here or before the state was taken over */
  unsigned char *held; /* 3 n: components without flexibility */

  unsigned char *closed; /* in the base state */
  double *M;             /* 3 n x 3 n */
  double *b;             /* 3 n x (n_load + 1): of each load, and of the gaps */

  ms_contact_values now, kept, marked;
  double *store; /* of all three */
  unsigned char *status_store;

  /* a step */
  unsigned char *trial;     /* status */
  double *x, *dy, *zt, *lt; /* 3 n: x, change of y, z and lambda under trial */
  double *b_p;              /* 3 n: b at the load of the step */
  ptrdiff_t *unknown;       /* components of y */
  ptrdiff_t n_unknown;
  double *A, *right; /* the linear system, as large as it was so far */
  ptrdiff_t capacity;
  int *pivot;
  ms_contact_count count;
  int step_iterations;
  int singular; /* the last linear system was: a motion of the bodies is free */
};

/* z and lambda of component i by x and y. */
typedef struct ms_contact_pair {
  double z_x, z_y, l_x, l_y;
} ms_contact_pair;

static inline int ms_contact_is_rigid(const ms_contact_point *p) {
  return p->K_n == 0.0 && p->K_t == 0.0;
}

static inline ms_contact_pair ms_contact_pair_of(const ms_contact *c, ptrdiff_t i) {
  const ms_contact_point *p = &c->point[i / 3];
  const int closed = c->closed[i / 3];
  if (c->held[i]) return (ms_contact_pair) { 1.0, 0.0, 0.0, 1.0 };
  if (ms_contact_is_rigid(p)) {
    return closed ? (ms_contact_pair) { 0.0, 1.0, 1.0, 0.0 }
                  : (ms_contact_pair) { 1.0, 0.0, 0.0, 1.0 };
  }
  const double K = !closed ? 0.0 : i % 3 == 2 ? p->K_n : p->K_t;
  return (ms_contact_pair) { 1.0, 0.0, K, 1.0 };
}

/* Open at the beginning of the step; in the first one no point is. */
static inline int ms_contact_was_open(const ms_contact *c, ptrdiff_t i) {
  return c->started && c->now.status[i] == MS_CONTACT_OPEN;
}

/* base.c: M and b for `closed`. */
ms_status ms_contact_make_base(ms_contact *c);
/* y and M y of the present state. */
void ms_contact_refer(ms_contact *c);

/* law.c: the law of point i linearised at the trial state, with its trial status:
     C_z z + C_l lambda = right,    3 x 3 column-major */
typedef struct ms_contact_rows {
  double C_z[9], C_l[9], right[3];
} ms_contact_rows;
void ms_contact_linearise(const ms_contact *c, ptrdiff_t i, ms_contact_rows *rows);
/* The status of point i that the trial state asks for; less than `floor` (N) changes nothing. */
ms_contact_status ms_contact_judge(const ms_contact *c, ptrdiff_t i, double floor);
/* How far the trial state of point i is from its law, N. */
double ms_contact_miss(const ms_contact *c, ptrdiff_t i);

/* step.c: one step to the loads p, committed; MS_NOT_CONVERGED leaves the state. */
ms_status ms_contact_step(ms_contact *c, const double *p);
/* The values copied from one set to another. */
void ms_contact_copy_values(const ms_contact *c, const ms_contact_values *from,
                            ms_contact_values *to);

#endif
