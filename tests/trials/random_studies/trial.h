/* Random studies: what the parts of the program share. A trial is one study made from a seed; it
   runs in a process of its own and ends in a verdict. */
#ifndef MS_TRIAL_H
#define MS_TRIAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <microslip/microslip.h>

enum { TRIAL_MAX_DOF = 64, TRIAL_NAME = 24, TRIAL_PATH = 512, TRIAL_REASON = 400 };

/* How a trial ended. What is refused was bad input by the program's own word; what is flagged
   differs, but the program says so; what is explained differs for a cause that was shown; what is
   apart has a jump or no unique answer. */
typedef enum trial_verdict {
  TRIAL_AGREES,
  TRIAL_REFUSED,
  TRIAL_FLAGGED,
  TRIAL_EXPLAINED,
  TRIAL_APART,
  TRIAL_FAILED,
  TRIAL_VERDICTS
} trial_verdict;

typedef struct trial_dimension {
  double length, mass, time;
} trial_dimension;

typedef struct trial {
  uint64_t seed;
  ms_random random;
  ms_context *ctx;
  const char *command; /* the program that is tried */
  char folder[TRIAL_PATH];

  FILE *stream; /* text of the study, its numbers marked with their dimension: see trial_render */
  char *text;
  size_t length;
  double nudge; /* relative changes of the numbers that are rendered */
  int nudged;   /* runs with such changes, in the folders nudged1, nudged2, ... */

  struct {       /* what the pair of methods needs */
    int modal;   /* damping by modes, or none */
    int settles; /* held, with so much modal damping that it settles soon */
    int masing;  /* joints, all of them with Masing's rules */
  } want;

  double mass, omega, displacement; /* scales: kg, rad/s, m */
  double stiffness, force;          /* that follow: N/m, N */
  int extreme;                      /* values far from everyday life */
  int n;                            /* coordinates that joints, loads and sensors may take */
  char name[TRIAL_MAX_DOF][TRIAL_NAME];
  int held, line; /* no rigid-body modes; all coordinates along one line */
  int fe, bolt;   /* finite elements; in two sub-structures */
  int free_damping, modal_damping;
  int n_joint;
  int fractional; /* a parameter has a unit that the readers do not convert */
  /* A parameter of joint j1 that analyses may vary; no name where it has none of that kind. */
  char knob[TRIAL_NAME];
  double knob_value;
  trial_dimension knob_dimension;
  int jumps;  /* a law whose force jumps */
  int unique; /* every law is one of dry friction or linear: the steady state is unique */
  int masing; /* every law follows Masing's rules and knows no time */
  int n_load;
  char hit[TRIAL_NAME]; /* the coordinate that load l1 hits, if it does */
  double drive;         /* Hz of the load `drive`, a sine; 0 if there is none */
  int measured;         /* there is record.csv, with force and all accelerations */

  int n_mode; /* of the structure with its joints stuck */
  double frequency[TRIAL_MAX_DOF], zeta[TRIAL_MAX_DOF];
  int first; /* elastic mode, from 0; n_mode where there is none */

  trial_verdict verdict;
  char reason[TRIAL_REASON];
} trial;

/* The worst verdict stays. Returns whether it is a failure. */
int trial_judge(trial *t, trial_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- random numbers ---- */
double trial_uniform(trial *t, double low, double high);
double trial_log(trial *t, double low, double high); /* evenly in the logarithm */
int trial_pick(trial *t, int n);                     /* 0 to n - 1 */
int trial_chance(trial *t, double probability);
const char *trial_word(trial *t, int n, const char *const *words);
/* A coordinate, or with some chance the ground. */
const char *trial_coordinate(trial *t);

/* ---- text ---- */
extern const trial_dimension TRIAL_NONE, TRIAL_LENGTH, TRIAL_MASS, TRIAL_TIME, TRIAL_FORCE,
    TRIAL_STIFFNESS, TRIAL_VELOCITY, TRIAL_ACCELERATION, TRIAL_DAMPING, TRIAL_MODAL,
    TRIAL_MODAL_FORCE;

typedef struct trial_units {
  const char *text; /* what stands behind `units:` */
  double length, mass, time;
} trial_units;

extern const trial_units trial_si;
const trial_units *trial_other_units(trial *t);

void trial_put(trial *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The number as it has to stand among what trial_put writes; 32 can be in use at a time. */
const char *trial_number(double value, trial_dimension dimension);
/* Forgets the text. */
void trial_begin(trial *t);
/* Writes the text with its numbers in these units to a file of the trial's folder. */
int trial_render(trial *t, const trial_units *units, const char *file);

/* Takes back what was written since the mark. */
size_t trial_mark(trial *t);
void trial_rewind(trial *t, size_t mark);

/* ---- parts of a study ---- */
void trial_write_structure(trial *t);
void trial_write_bricks(trial *t);
void trial_write_bolt(trial *t); /* the joint of two sub-structures */
void trial_write_joints(trial *t);
/* Opens structure and joints with the library to learn the modes. 0: they were refused. */
int trial_learn_modes(trial *t);
void trial_write_loads(trial *t);
void trial_write_analyses(trial *t);
/* Those that vary a parameter, read another analysis or need no structure. */
void trial_write_second_analyses(trial *t);
/* Simulates a hit and writes record.csv, as a measurement would; and what reads it. */
int trial_make_record(trial *t);
void trial_write_measured(trial *t);
void trial_write_hammer(trial *t); /* of the record, or of a transient of its own */
/* {law: NAME, parameters} of a law that fits into the structure; its flags are noted. */
void trial_write_law(trial *t, const ms_law_info *law, int among_others);
const ms_law_info *trial_pick_law(trial *t, int n_axis);
/* A joint of the law with random parameters on the trial's scale; NULL if none was accepted. */
ms_joint *trial_random_joint(trial *t, const ms_law_info *law);

/* ---- runs of the command ---- */
typedef struct trial_run {
  int code;                /* exit code; -1 after a signal */
  int signal;              /* that ended it */
  int timeout;             /* was stopped for the time it took */
  char text[TRIAL_REASON]; /* beginning of what it said on stderr */
} trial_run;

/* microslip run FILE --out OUT [--threads N] [--resume], in the trial's folder. `interrupt` > 0: is
   stopped by this signal as soon as something can be resumed. */
trial_run trial_run_study(trial *t, const char *file, const char *out, int threads, int resume,
                          int interrupt);
/* Runs and looks at everything that must hold for any study: 1 if there is a result to compare. */
int trial_run_checked(trial *t, const char *file, const char *out, int threads);

/* ---- results ---- */
/* Status of an analysis in summary.json, of the study for NULL; "" if there is none. */
const char *trial_status(trial *t, const char *out, const char *name);
/* One of the tables, NULL if there is none; to be destroyed. */
ms_table *trial_table(trial *t, const char *out, const char *name);
/* Non-finite numbers, energies, exit code against status. */
void trial_check_results(trial *t, const char *out, const trial_run *run);
/* Every file the same, byte by byte. */
void trial_compare_bytes(trial *t, const char *what, const char *one, const char *other);
/* Every column to 1e-9 of its largest value, or not much further apart than the runs with nudged
   numbers. Returns whether such runs are wanted, there being none yet. */
int trial_compare_units(trial *t, const char *one, const char *other);
char *trial_read(const char *path, size_t *length); /* to be freed; NULL if it cannot be read */

/* ---- kinds of trials ---- */
void trial_kind_study(trial *t);       /* any study, and threads, units or a resumed run */
void trial_kind_integrators(trial *t); /* Newmark and exponential */
void trial_kind_steady(trial *t);      /* harmonic balance and time */
void trial_kind_small(trial *t);       /* qsma and epmc at small amplitude */
void trial_kind_cycle(trial *t);       /* a law alone over closed cycles */

#endif
