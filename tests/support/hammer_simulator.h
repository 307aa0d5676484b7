/* A hammer test, simulated by nothing of the library: a structure with a joint of sliders in
   parallel, Newmark steps, anti-alias filter, sensors, converter, and random numbers for them. */
#ifndef MS_TEST_HAMMER_SIMULATOR_H
#define MS_TEST_HAMMER_SIMULATOR_H

enum { SIM_DOFS = 14, SIM_SENSORS = 5, SIM_SLIDERS = 160, SIM_FINEST = 16 };
#define SIM_PI 3.14159265358979323846

/* ---- random numbers ---- */

void sim_seed(unsigned long long seed);
double sim_uniform(double low, double high);
double sim_spread(double low, double high); /* uniform in its logarithm */
int sim_pick(int n);                        /* 0 to n - 1 */

/* ---- the structure ---- */

typedef struct sim_plant {
  int n, n_point, n_sensor;
  char name[SIM_DOFS][16];
  int point[SIM_DOFS]; /* where it may be hit */
  int sensor[SIM_SENSORS];
  /* K without the joint, which viscous damping may have in C */
  double M[SIM_DOFS][SIM_DOFS], C[SIM_DOFS][SIM_DOFS], K[SIM_DOFS][SIM_DOFS];
  int from, to;                              /* of the joint; from -1: the ground */
  double stiffness, slip;                    /* of the joint, stuck; a force of its order */
  int n_slider;                              /* k of all of them is the stiffness */
  double k[SIM_SLIDERS], slips[SIM_SLIDERS]; /* N/m; N, at which one slips */
  double rate, peak;                         /* Hz; N, of a middle hit */
  double width;                              /* s, of a middle pulse */
  int finer;                                 /* steps in a sample, SIM_FINEST at most */
} sim_plant;

/* Between two degrees of freedom; -1 is the ground. */
void sim_spring(sim_plant *p, int i, int j, double k);

/* ---- a hit ---- */

typedef struct sim_blow {
  int at;
  double peak, width, start;   /* N, s */
  double second, second_start; /* of the first peak; 0: none */
  double gap_start, gap;       /* s, where the force is lost before the filter */
} sim_blow;

/* Force and accelerations of the sensors in n steps, finer to a sample; acc[k + n*sensor]. Returns
   the largest force that the joint would have had if nothing slipped. */
double sim_run(const sim_plant *p, const sim_blow *b, int n, double *force, double *acc);

/* ---- the acquisition ---- */

/* n samples out of finer times as many: windowed sinc below 0.42 of the rate. */
void sim_filter(int n, int finer, const double *fine, double *out);
/* One channel: gain, offset, noise, hum, 16 bits of a range. */
void sim_convert(int n, double rate, double gain, double range, double *x);

#endif
