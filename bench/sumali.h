/* Two bolted beams (Lacayo, Deaner and Allen 2017, section 3.2): 80 x 8 x 1 bricks each, four
   bolts, 49 coordinates after reduction; and the first run of its Table D.1, a half-sine on the
   slipped shape of mode 7. examples/sumali-beam has them as a study. */
#ifndef MS_BENCH_SUMALI_H
#define MS_BENCH_SUMALI_H

#include <microslip/fem_model.h>
#include <microslip/response.h>

#include "systems.h"

enum {
  SUMALI_SIZE = 49,
  SUMALI_BOUNDARY = 39,
  SUMALI_MODE = 6, /* the first elastic one, from 0 */
  SUMALI_STEPS = 200000,
};
#define SUMALI_STEP 1e-5 /* s */

/* Of each bolt ux uy uz rx ry rz above and ux uy rz below, which shares the rest; the tip; 10
   modes. */
ms_reduced *sumali_reduce(ms_context *ctx);
/* With springs, joints and damping, set up. */
ms_structure *sumali_make_structure(ms_context *ctx, const ms_reduced *reduced,
                                    bench_sliders sliders);
/* At rest before the run; the sign of the load is that which moves the tip up first. */
ms_transient *sumali_make_run(ms_context *ctx, ms_structure *structure);

#endif
