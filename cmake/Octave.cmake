# The MEX function microslip for Octave, in the folder octave/ of the build: target `octave`, built with the tests. Where
# mkoctfile (Debian: octave-dev) is; not under sanitizers, which would have to be loaded before the interpreter.
find_program(MICROSLIP_MKOCTFILE mkoctfile)
if(MICROSLIP_MKOCTFILE AND NOT MICROSLIP_SANITIZE)
  get_target_property(mex_flags microslip_flags INTERFACE_COMPILE_OPTIONS)
  if(CMAKE_COMPILE_WARNING_AS_ERROR)
    list(APPEND mex_flags -Werror)
  endif()
  list(JOIN mex_flags " " mex_flags)
  set(mex_all)
  if(MICROSLIP_TESTS)
    set(mex_all ALL)
  endif()
  set(mex_folder ${CMAKE_BINARY_DIR}/octave)
  file(GLOB mex_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/octave/microslip.* ${CMAKE_SOURCE_DIR}/include/microslip/*.h)
  add_custom_command(OUTPUT ${mex_folder}/microslip.mex
    COMMAND ${CMAKE_COMMAND} -E make_directory ${mex_folder}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/octave/microslip.m ${mex_folder}
    COMMAND ${CMAKE_COMMAND} -E env CC=${CMAKE_C_COMPILER} "CFLAGS=-std=c11 -O2 ${mex_flags}"
      ${MICROSLIP_MKOCTFILE} --mex -I${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/octave/microslip.c
      -o ${mex_folder}/microslip.mex -L${CMAKE_BINARY_DIR} -lmicroslip -Wl,-rpath,${CMAKE_BINARY_DIR}
    DEPENDS ${mex_sources} microslip_shared
    COMMENT "Building the MEX function for Octave" VERBATIM)
  add_custom_target(octave ${mex_all} DEPENDS ${mex_folder}/microslip.mex)
endif()
