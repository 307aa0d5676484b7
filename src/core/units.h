/* Units by name, and the factors from a set of them to SI. */
#ifndef MS_CORE_UNITS_H
#define MS_CORE_UNITS_H

#include <stddef.h>

#define MS_GRAVITY 9.80665 /* m/s^2, standard */

typedef enum ms_dimension {
  MS_UNIT_LENGTH,
  MS_UNIT_MASS,
  MS_UNIT_TIME,
  MS_UNIT_FORCE,
  MS_UNIT_ACCELERATION
} ms_dimension;

/* SI units in the unit that the first `length` letters of `name` say; 0: there is no such unit. */
double ms_unit_find(ms_dimension dimension, const char *name, size_t length);

/* Factors from units to SI. */
typedef struct ms_units {
  double length, mass, time, force;
  double acceleration; /* of a moving ground */
  char text[128];
  int about; /* 1: of a joint about an axis, length for an angle and force for a moment */
} ms_units;

/* The factor to SI of a unit such as "N s/m" or "N/m^2"; 0 if it cannot be told. */
double ms_units_factor(const ms_units *units, const char *unit);
/* A unit of `units` in place of an SI one, into text: "N/mm^2" for "N/m^2" where lengths are in mm,
   "N mm" for "J". Returns how many SI units are in it; 0, and nothing in text, where a unit has no
   name. */
double ms_units_name(const ms_units *units, const char *si, char *text, size_t size);
/* For a joint about an axis, whose displacement is an angle and whose force is a moment. */
ms_units ms_units_about(const ms_units *units);
/* Whether numbers in `unit` are those that `units` have for `si` where the factor to SI is 1: about
   an axis rad for m, N m for N. */
int ms_units_is_si(const ms_units *units, const char *unit, const char *si);
/* That unit. */
const char *ms_units_name_si(const ms_units *units, const char *si);

#endif
