/* [report] Units in which people read results: Hz or rad/s; %, ratio or Q; modal amplitudes or the
   motion of a sensor; SI or the units of the study. Results are kept in SI; this converts what is
   shown. */
#ifndef MICROSLIP_DISPLAY_H
#define MICROSLIP_DISPLAY_H

#include <stdio.h>

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a number is, as far as the choice of units depends on it. */
typedef enum ms_display_quantity {
  MS_DISPLAY_PLAIN,              /* has its SI unit, or none */
  MS_DISPLAY_FREQUENCY,          /* rad/s or Hz */
  MS_DISPLAY_DAMPING,            /* a damping ratio */
  MS_DISPLAY_DAMPING_DIFFERENCE, /* of two damping ratios, or an error of one */
  MS_DISPLAY_MODAL,              /* amplitude of a modal coordinate, m sqrt(kg) */
  MS_DISPLAY_MODAL_VELOCITY,     /* m/s sqrt(kg) */
  MS_DISPLAY_MODAL_ACCELERATION, /* m/s^2 sqrt(kg) */
  MS_N_DISPLAY
} ms_display_quantity;

/* Of a column, by its name, unit and meaning; unit and meaning may be NULL. */
MS_API ms_display_quantity ms_display_find_quantity(const char *name, const char *unit,
                                                    const char *meaning);
/* "frequency", "modal velocity"; "" for a plain one. */
MS_API const char *ms_display_quantity_text(ms_display_quantity quantity);

/* ---- the choice ------------------------------------------------------------------------------ */

typedef struct ms_display ms_display;

/* Hz, %, modal amplitudes and SI at first. */
MS_API ms_status ms_display_create(ms_context *ctx, ms_display **out);
MS_API void ms_display_destroy(ms_display **display);

/* The units of the study: how many SI units are in each. Only those that have names can be shown.
 */
typedef struct ms_display_units {
  double length, mass, time, force;
} ms_display_units;
MS_API void ms_display_set_units(ms_display *display, const ms_display_units *units);
MS_API ms_display_units ms_display_get_units(const ms_display *display);
/* A sensor: shape[m] is the size of mode m + 1 there, in 1/sqrt(kg). The first that the study names
   makes displacements at it the choice. */
MS_API ms_status ms_display_add_sensor(ms_display *display, const char *name, int named,
                                       ptrdiff_t n_mode, const double *shape);
MS_API ptrdiff_t ms_display_count_sensors(const ms_display *display);
MS_API const char *ms_display_get_sensor(const ms_display *display, ptrdiff_t index);

/* Whose motion is shown; NULL for none. */
MS_API const char *ms_display_get_chosen_sensor(const ms_display *display);

/* Chooses by words, with commas between them: hz or rad; percent, ratio or q; modal, displacement,
   velocity, acceleration or g, the last four with a sensor or without ("g@u3"); si or study. What
   is not said stays. After a failure nothing has changed. */
MS_API ms_status ms_display_choose(ms_display *display, const char *words);
/* The choice as such words. Valid until the next choice. */
MS_API const char *ms_display_get_words(ms_display *display);

/* ---- converting ------------------------------------------------------------------------------ */

/* What the numbers of a column or an axis are, and what is known beside each. */
typedef struct ms_display_of {
  ms_display_quantity quantity;
  const char *unit; /* SI or Hz; NULL: none */
  int mode, omega;  /* 1: the number of the mode, its frequency */
} ms_display_of;

/* How they are shown. Velocities and accelerations need omega, motions of a sensor the mode; where
   these are not known, what can be had is shown, and unit says what it is. */
typedef struct ms_display_view {
  char unit[64]; /* "" for none */
  double factor;
  int shape, power, inverse; /* times |phi|; times omega^power; 1/(2 zeta) */
} ms_display_view;

MS_API ms_display_view ms_display_look(const ms_display *display, const ms_display_of *of);
/* The same of numbers whose unit stands beside them in a row, by the name of the row ("lap.zeta")
   and that unit ("-" or "": none). They have a factor and no more: a damping is never Q. */
MS_API ms_display_view ms_display_look_beside(const ms_display *display, const char *name,
                                              const char *unit);
/* A number as it is shown; mode from 1, omega in rad/s, both 0 where not known. NAN where there is
   none, such as Q without damping. */
MS_API double ms_display_map(const ms_display *display, const ms_display_view *view, double value,
                             int mode, double omega);
/* The choice, the sensors and the units as JSON, for the script of a page. */
MS_API ms_status ms_display_print(const ms_display *display, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
