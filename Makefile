# Thin front to CMake: every target here is a line or two of ordinary cmake and ctest.
#   make            build the library and the command (build/microslip)
#   make help       what else there is

PREFIX  ?= /usr/local
DESTDIR ?=
PYTHON_TARGET ?= $(BUILD)/site

ifeq ($(SANITIZE),1)
BUILD    := build-asan
SANITIZED = ON
else
BUILD    := build
SANITIZED = OFF
endif

# FEM=OFF leaves the finite elements out, FEM=ON insists on them; otherwise they are built where PETSc is.
FEM_OPTION := $(if $(FEM),-DMICROSLIP_FEM=$(FEM),-UMICROSLIP_FEM)

# WERROR=ON makes warnings errors, as continuous integration does.
WERROR_OPTION := -DCMAKE_COMPILE_WARNING_AS_ERROR=$(if $(WERROR),$(WERROR),OFF)

JOBS := $(shell nproc 2>/dev/null || echo 2)

# The flags and variables of this make are not for the makefiles that CMake writes, nor for tests.
OUTSIDE := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES

# CMake takes a compiler given by hand (it reads CC) only into a new folder; the folder remembers it.
ifneq ($(origin CC),default)
fresh    = $(shell [ "$$(cat $(1)/compiler 2>/dev/null)" = "$(CC)" ] || echo --fresh)
remember = && echo "$(CC)" >$(1)/compiler
endif

# $(call configure,folder,options), $(call build,folder)
configure = $(OUTSIDE) cmake $(fresh) -S . -B $(1) $(FEM_OPTION) $(WERROR_OPTION) $(2) >/dev/null $(remember)
build     = $(OUTSIDE) cmake --build $(1) --parallel $(JOBS)
# $(call tests,which): the tests that ctest's options choose
tests     = $(OUTSIDE) ctest --test-dir $(BUILD) --no-tests=error --output-on-failure --parallel $(JOBS) $(1)

.PHONY: all run check test test-slow test-all build-tests trials bench install python octave format manual clean help
.NOTPARALLEL:

all:
	@scripts/setup.sh run
	@$(call configure,$(BUILD),-DMICROSLIP_SANITIZE=$(SANITIZED))
	@$(call build,$(BUILD))

run: all
	@$(OUTSIDE) BUILD_DIR=$(BUILD) MICROSLIP=$(BUILD)/microslip scripts/run-default.sh

# Tiers of tests, by label. check: for every edit. test: everything that is not labelled slow or long. test-slow: what
# is slow, and the tests again under sanitizers. test-all: both. What is labelled long is left to the trials.
check: build-tests
	@$(call tests,-L '^(unit|conformance|check)$$' -LE '^(slow|long)$$')

test: build-tests
	@$(call tests,-LE '^(slow|long)$$')

test-slow: build-tests
	@$(call tests,-L '^slow$$')
ifneq ($(SANITIZE),1)
	@$(MAKE) --no-print-directory test SANITIZE=1
endif

test-all: test test-slow

build-tests:
	@FEM=$(FEM) scripts/setup.sh test
	@$(call configure,$(BUILD),-DMICROSLIP_SANITIZE=$(SANITIZED) -DMICROSLIP_TESTS=ON)
	@$(call build,$(BUILD))

trials: build-tests
	@$(OUTSIDE) BUILD_DIR=$(BUILD) tests/trials/run.sh $(TRIALS)

bench:
	@FEM=$(FEM) scripts/setup.sh bench
	@$(call configure,build-bench,-DMICROSLIP_BENCH=ON)
	@$(call build,build-bench)
	@$(OUTSIDE) BUILD_DIR=build-bench MICROSLIP=build-bench/microslip scripts/bench.sh

# The MEX function of octave/, into build/octave.
octave:
	@scripts/setup.sh octave
	@$(call configure,$(BUILD),-DMICROSLIP_SANITIZE=$(SANITIZED))
	@$(call build,$(BUILD)) --target octave
	@echo "in Octave: addpath('$(CURDIR)/$(BUILD)/octave'), help microslip"

install: all
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

# The Python package, as a wheel that is installed into a folder.
python: all
	@scripts/setup.sh python
	@$(OUTSIDE) scripts/python.sh $(BUILD) "$(PYTHON_TARGET)"

format:
	@scripts/check-format.sh --fix

# The generated parts of the manual, from the tables of keys, the templates and a run of each.
manual: build-tests
	@$(OUTSIDE) scripts/manual.sh $(BUILD)

clean:
	rm -rf build build-asan build-bench build-fuzz build-tsan

help:
	@echo "make            build the library and the command, build/microslip"
	@echo "make run        build, run the default study, say where its report is"
	@echo "make check      build and run the fastest tests: unit, conformance, rules about the source"
	@echo "make test       build and run the tests"
	@echo "make test-all   these, the slow ones, and the tests under sanitizers"
	@echo "make trials     build and run the trials, which take hours; TRIALS=\"random_studies\" for some"
	@echo "make bench      build and run the benchmarks"
	@echo "make install    install to PREFIX ($(PREFIX)), under DESTDIR if given"
	@echo "make python     the Python package, installed into PYTHON_TARGET ($(PYTHON_TARGET))"
	@echo "make octave     build the function microslip for Octave, in build/octave"
	@echo "make format     bring every C file into the house format"
	@echo "make manual     write the generated parts of docs/guide/study.md and docs/analyses anew"
	@echo "make clean      remove what was built"
	@echo
	@echo "SANITIZE=1      with AddressSanitizer and UndefinedBehaviorSanitizer, in build-asan"
	@echo "FEM=OFF         without the finite elements, which need PETSc; ON insists on them"
	@echo "WERROR=ON       warnings are errors"
	@echo "CC=clang        another compiler, kept until make clean"
	@echo
	@echo "make installs the Debian packages that are missing (scripts/setup.sh)."
