/* Every room of the library. */
#ifndef MICROSLIP_MICROSLIP_H
#define MICROSLIP_MICROSLIP_H

#include <microslip/backbone.h>
#include <microslip/beam.h>
#include <microslip/calibrate.h>
#include <microslip/calibrate_methods.h>
#include <microslip/compare.h>
#include <microslip/contact.h>
#include <microslip/context.h>
#include <microslip/curves.h>
#include <microslip/density.h>
#include <microslip/density_estimate.h>
#include <microslip/display.h>
#include <microslip/distribution.h>
#include <microslip/experiment.h>
#include <microslip/fit.h>
#include <microslip/force_state.h>
#include <microslip/hammer.h>
#include <microslip/harmonic.h>
#include <microslip/hertz.h>
#include <microslip/identify.h>
#include <microslip/io.h>
#include <microslip/joint.h>
#include <microslip/param.h>
#include <microslip/pareto.h>
#include <microslip/posterior.h>
#include <microslip/propagate.h>
#include <microslip/quasistatic.h>
#include <microslip/recording.h>
#include <microslip/reduced.h>
#include <microslip/report.h>
#include <microslip/response.h>
#include <microslip/result.h>
#include <microslip/rod.h>
#include <microslip/scatter.h>
#include <microslip/signal.h>
#include <microslip/sketch.h>
#include <microslip/sobol.h>
#include <microslip/som.h>
#include <microslip/status.h>
#include <microslip/structure.h>
#include <microslip/study.h>
#include <microslip/tolerance.h>
#include <microslip/update.h>

#endif
