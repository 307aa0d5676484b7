/* [joint] Hertz contact along a line: a cylinder pressed on a plane of the same material. SI units.
 */
#ifndef MICROSLIP_HERTZ_H
#define MICROSLIP_HERTZ_H

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_hertz_line {
  double radius, length; /* m, of the cylinder */
  double E, nu;          /* Pa, -: both bodies */
} ms_hertz_line;

/* At a load P. The approach of a line contact grows a little less than in proportion to the load.
 */
typedef struct ms_hertz_answer {
  double half_width; /* m, of the strip of contact */
  double approach;   /* m, of the cylinder's axis to the strip */
  double secant;     /* N/m, load over approach */
  double tangent;    /* N/m, dP/d(approach) */
  double fitted; /* N/m, slope of the line through the origin that is nearest to the load, in the
                    least-squares sense over all loads from 0 to P */
} ms_hertz_answer;

/* Needs load > 0, and the half width must be below the radius: the theory is for narrow strips. */
MS_API ms_status ms_hertz_line_at(ms_context *ctx, const ms_hertz_line *line, double load,
                                  ms_hertz_answer *out);

#ifdef __cplusplus
}
#endif
#endif
