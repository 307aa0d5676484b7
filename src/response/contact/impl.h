/* Contact of condensed bodies: what its files share. Letters, beside those of microslip/contact.h:

     z       3 n: relative displacement, z_n less the gap
     x, y    what the bodies answer and what is imposed on them: x = b + M y

   The equations refer to a base state, in which each point is closed and sticks or is open:

     rigid, closed   y = z,               x = lambda
     rigid, open     y = lambda,          x = z
     layer, closed   y = lambda - K z,    x = z       K = (K_t, K_t, K_n)
     layer, open     y = lambda,          x = z
     held            y = lambda,          x = z       both stay: supports keep it from moving

   As long as a point is what it is in the base state, y does not change: only points that slip,
   open or close are unknowns of a step. A glued point is closed and sticks in every base state. */
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

typedef struct ms_contact_tangent ms_contact_tangent;
struct ms_contact {
  ms_context *ctx;
  ms_contact_setting setting;
  ptrdiff_t n, n_load; /* points, loads */
  int n_group;
  ms_contact_point *point;
  char **group; /* names; NULL: none */
  double *H, *S_0, *z_load, *load_load;
  double *r;                    /* 3 n, N/m: augmentation of rigid points */
  double *offset;               /* 3 n, m: what dead forces of earlier stages add to z */
  double *v_0;                  /* n_load: v where the state was taken over */
  int started;                  /* a step was taken, here or before the state was taken over */
  unsigned char *held;          /* 3 n: components without flexibility */
  unsigned char *glued;         /* n: ms_contact_glue */
  unsigned char *marked_closed; /* the base state when the state was marked, */
  double marked_spent;          /* and what it had spent */

  unsigned char *closed; /* in the base state */
  double *M;             /* 3 n x 3 n */
  double *b;             /* 3 n x (n_load + 1): of each load, and of the gaps */
  double spent;          /* cubes of unknowns that another base state would have saved */

  ms_contact_values now, kept, marked;
  double *store; /* of all three */
  unsigned char *status_store;

  /* a step */
  unsigned char *trial;     /* status */
  double *x, *dy, *zt, *lt; /* 3 n: x, change of y, z and lambda under trial */
  double *b_p;              /* 3 n: b at the load of the step */
  double *limit;            /* n, N: limits of friction where these are imposed */
  int limited;              /* they are, and slip is damped: see iterate_limits */
  unsigned char *left;      /* trial of the last attempt without limits, for messages */
  ptrdiff_t *unknown;       /* components of y */
  ptrdiff_t n_unknown;
  double *A, *right; /* the linear system, as large as it was so far */
  ptrdiff_t capacity;
  int *pivot;
  ms_contact_count count;
  int step_iterations;
  double tried; /* residual that the last step was left with */
  int singular; /* the last linear system was: a motion of the bodies is free */

  /* the last accepted step: the next one goes on like it, if the loads do */
  double *dp, *dz, *dl; /* n_load, 3 n, 3 n: changes */
  int moves;            /* these are known */

  ms_contact_tangent *tangent; /* tangent.c; NULL: no derivatives */
  double part;                 /* of the way to the load, behind the step */
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
/* A base state of `closed` points, whatever the present state is. */
ms_status ms_contact_change_base(ms_contact *c, const unsigned char *closed);
/* The present state becomes the base state once its lack has cost as much as making it does. */
ms_status ms_contact_follow(ms_contact *c);

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

/* step.c: one step to the loads p, committed; MS_NOT_CONVERGED leaves the state. careful: where
   Newton's method fails, limits of friction are found by fixed-point iteration. */
ms_status ms_contact_step(ms_contact *c, const double *p, int careful);
/* The laws at the trial state: A dy = right, dy in units of its own; behind `right` how each row
   follows x and y of its point, three numbers each. */
void ms_contact_assemble(ms_contact *c);
double ms_contact_unit(const ms_contact *c, ptrdiff_t j);
/* law.c: what `right` of the tangential rows of point i is of l_0 - K_t z_0, or of -r z_0 where it
   is rigid: 2 x 2, column-major. */
void ms_contact_recall(const ms_contact *c, ptrdiff_t i, double *W);

/* tangent.c: derivatives by n_dir directions from the present state on, whose base state stays as
   long as they are carried; closed with the contact. In each load step the loads have the
   derivatives that were written (n_load rows of n_dir); those of their displacements v are behind
   it. */
ms_status ms_contact_tangent_open(ms_contact *c, ptrdiff_t n_dir);
void ms_contact_tangent_close(ms_contact *c);
void ms_contact_tangent_begin(ms_contact *c); /* nothing has derivatives */
double *ms_contact_tangent_loads(ms_contact *c);
const double *ms_contact_tangent_moves(const ms_contact *c);
/* n_load square: v by the loads where all that is closed in the base state sticks. */
const double *ms_contact_tangent_stuck(const ms_contact *c);
/* A second set of directions beside the first, which swap puts in its place and back. Close it
   before the contact. */
ms_status ms_contact_tangent_open_second(ms_contact *c, ptrdiff_t n_dir, ms_contact_tangent **out);
void ms_contact_tangent_close_second(ms_context *ctx, ms_contact_tangent **second);
void ms_contact_tangent_swap(ms_contact *c, ms_contact_tangent **second);
/* Of directions whose loads are known only behind a step: in the step these stand still, and the
   last n directions move one load each. Then dp (n x the others, column by direction) is what those
   loads move by in the others, and the last n have no derivative any more. */
void ms_contact_tangent_take(ms_contact *c, ptrdiff_t n, const double *dp);
/* The first n directions become combinations S (n x n, column by direction) of themselves. */
void ms_contact_tangent_combine(ms_contact *c, ptrdiff_t n, const double *S);
/* For step.c and contact.c: within a step that converged, and when the loads are reached. */
void ms_contact_tangent_step(ms_contact *c);
void ms_contact_tangent_arrive(ms_contact *c);

/* The values copied from one set to another. */
void ms_contact_copy_values(const ms_contact *c, const ms_contact_values *from,
                            ms_contact_values *to);

#endif
