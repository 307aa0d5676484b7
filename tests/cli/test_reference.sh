#!/bin/bash
# Results on record of studies without finite elements (see reference.sh). Between them and those in studies/fem, every key of the
# study file has a value that is not its default.
source "$(dirname "$0")/reference.sh"
compare_studies "$source_dir/tests/data/studies" "$@"
finish
