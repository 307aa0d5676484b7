# What mpirun wants to be told in tests, which source this.
# shellcheck shell=bash
# Containers run as root, and have fewer processors than a test has processes.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1 OPENBLAS_NUM_THREADS=1
# What MPI keeps until the end is not ours to free.
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
