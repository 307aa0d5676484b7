#!/bin/sh
# Every benchmark, one after the other: each checks its answers, then times itself beside a baseline.
# All of them run, whatever one of them finds.
set -u
: "${BUILD_DIR:=build-bench}"
status=0
"$BUILD_DIR/bench_joint" bench/octave_sliders.m || status=1
echo
"$BUILD_DIR/bench_contact" || status=1
echo
"$BUILD_DIR/bench_rod" || status=1
echo
"$BUILD_DIR/bench_transient" bench/octave_transient.m "$BUILD_DIR/convergence.svg" || status=1
echo
"$BUILD_DIR/bench_response" bench/octave_response.m "$BUILD_DIR/handover.txt" || status=1
echo
"$BUILD_DIR/bench_quasistatic" bench/octave_qsma.m "$BUILD_DIR/handover.txt" || status=1
echo
"$BUILD_DIR/bench_harmonic" bench/octave_hb.m bench/octave_epmc.m "$BUILD_DIR/handover.txt" ||
  status=1
echo
"$BUILD_DIR/bench_calibrate" bench/octave_calibrate.m "$BUILD_DIR/handover.txt" || status=1
echo
(cd python && MICROSLIP_BUILD=$(realpath "../$BUILD_DIR") "${PYTHON:-/usr/bin/python3}" -W ignore setup.py --quiet build_py \
  --build-lib "../$BUILD_DIR/python") &&
  PYTHONPATH=$BUILD_DIR/python "${PYTHON:-/usr/bin/python3}" bench/bench_python.py "$(realpath "$BUILD_DIR")/libbench_python.so" ||
  status=1
if [ -x "$BUILD_DIR/bench_sumali" ]; then # with the finite elements only
  echo
  "$BUILD_DIR/bench_sumali" bench/octave_sumali.m || status=1
  echo
  "$BUILD_DIR/bench_coverage" || status=1
  echo
  "$BUILD_DIR/microslip" run examples/ministack/study.yaml --out "$BUILD_DIR/ministack" \
    --set 'analyses=[{modes: {full: 0}}]' >/dev/null &&
    "$BUILD_DIR/bench_ministack" "$BUILD_DIR/ministack/reduced.h5" || status=1
  echo
  "$BUILD_DIR/bench_contact_solids" || status=1
  echo
  MICROSLIP=$BUILD_DIR/microslip bench/contact_runs.sh || status=1
  echo
  "$BUILD_DIR/bench_fem" bar || status=1
  # One thread to a process; containers run as root.
  export OPENBLAS_NUM_THREADS=1
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_btl_vader_single_copy_mechanism=none
  "$BUILD_DIR/bench_fem" alone "$BUILD_DIR/alone.txt" || status=1
  mpirun -n 2 "$BUILD_DIR/bench_fem" together "$BUILD_DIR/alone.txt" || status=1
  mpirun -n 2 "$BUILD_DIR/bench_fem" ministack || status=1
fi
exit $status
