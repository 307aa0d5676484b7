#!/bin/sh
# Every benchmark, one after the other: each checks its answers, then times itself beside a baseline.
set -eu
: "${BUILD_DIR:=build-bench}"
"$BUILD_DIR/bench_joint" bench/octave_sliders.m
