#!/bin/bash
# What the commands print, on standard output and standard error, and their exit codes, as tests/data/commands has it (see record.sh).
source "$(dirname "$0")/record.sh"
compare_commands "$source_dir/tests/data/commands" "$@"
finish
