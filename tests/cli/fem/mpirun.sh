# The head of tests that call mpirun, instead of checks.sh.
# shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
# Containers run as root, and have fewer processors than a test has processes.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1 OPENBLAS_NUM_THREADS=1

# kill_first BYTES FOLDER: two processes run study.yaml; once so much is kept the first is killed, and mpirun ends the other.
kill_first() {
  mpirun -n 2 "$microslip" run study.yaml --out "$2" --threads 1 >words 2>error &
  local launcher=$!
  while kill -0 $launcher 2>/dev/null && (($(stat -c %s "$2/.resume/jobs" 2>/dev/null || echo 0) < $1)); do sleep 0.005; done
  kill -KILL "$(pgrep -P $launcher | sort -n | head -n 1)" 2>/dev/null
  { wait $launcher; } 2>/dev/null
  report "killed at $1 bytes" "$([[ -s $2/.resume/jobs && ! -e $2/summary.json ]] || echo "it was not: $(cat error)")"
}
