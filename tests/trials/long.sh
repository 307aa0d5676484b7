#!/bin/bash
# Tests that `make test-all` leaves out because they take long (tests/CMakeLists.txt).
set -u
exec ctest --test-dir "${BUILD_DIR:?}" --no-tests=error --output-on-failure --parallel "$(nproc)" -L '^long$'
