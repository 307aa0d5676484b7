# The library, static and shared, from one set of objects, and the flags of every target.

# Flags that every target of the project gets: strict C11 with POSIX names, warnings. These are errors
# where CMAKE_COMPILE_WARNING_AS_ERROR says so (WERROR=ON with make); another compiler may warn of what is right.
add_library(microslip_flags INTERFACE)
target_compile_definitions(microslip_flags INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(microslip_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
  -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wundef -Wformat=2 -fno-math-errno
  -Wno-missing-field-initializers) # fields left out are zero, the usual choice, also when a struct grows
# Fused multiply-add would make results depend on the machine the library was built for.
target_compile_options(microslip_flags INTERFACE -ffp-contract=off)
# Sums marked `omp simd` may be taken in any order, and so become vectors; no threads, no OpenMP.
target_compile_options(microslip_flags INTERFACE -fopenmp-simd)
# Packing neighbouring scalars into vectors makes small records wait for each other between store and
# load; without it a joint's step takes two thirds of the time. Loops are vectorised all the same.
target_compile_options(microslip_flags INTERFACE -fno-tree-slp-vectorize)
if(MICROSLIP_SANITIZE)
  target_compile_options(microslip_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g
    # instrumented code makes gcc 12 see truncation where there is none
    $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>)
  target_link_options(microslip_flags INTERFACE -fsanitize=address,undefined)
endif()

if(MICROSLIP_FUZZER)
  target_compile_options(microslip_flags INTERFACE
    -fsanitize=fuzzer-no-link,address -fno-omit-frame-pointer -g)
  target_link_options(microslip_flags INTERFACE -fsanitize=address)
endif()

# What the library is built on (docs/decisions/0002): dense algebra, FFT, least squares, HDF5, YAML.
find_package(PkgConfig REQUIRED)
set(MICROSLIP_MODULES openblas lapacke fftw3 cminpack hdf5-serial libfyaml zlib)
pkg_check_modules(MICROSLIP_DEPS REQUIRED IMPORTED_TARGET ${MICROSLIP_MODULES})

file(GLOB_RECURSE MICROSLIP_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*.c)
list(FILTER MICROSLIP_SOURCES EXCLUDE REGEX "/src/fem/|/src/report/pdf/") # cmake/Fem.cmake, cmake/Pdf.cmake

# The style and script of a report page, as C.
set(page_source ${CMAKE_BINARY_DIR}/generated/page_embedded.c)
set(page_style ${CMAKE_SOURCE_DIR}/src/report/page.css)
set(display_script ${CMAKE_SOURCE_DIR}/src/report/display.js)
set(number_script ${CMAKE_SOURCE_DIR}/src/report/number.js)
set(plot_script ${CMAKE_SOURCE_DIR}/src/report/plot.js)
set(shape_script ${CMAKE_SOURCE_DIR}/src/report/shape.js)
set(choice_script ${CMAKE_SOURCE_DIR}/src/report/choice.js)
set(figure_script ${CMAKE_SOURCE_DIR}/src/report/figure.js)
set(page_script ${CMAKE_SOURCE_DIR}/src/report/page.js)
add_custom_command(OUTPUT ${page_source}
  COMMAND ${CMAKE_COMMAND} -DOUT=${page_source} -DHEADER=report/page.h
    -P ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake --
    ms_page_style=${page_style} ms_display_script=${display_script}
    ms_number_script=${number_script} ms_plot_script=${plot_script}
    ms_shape_script=${shape_script} ms_choice_script=${choice_script}
    ms_figure_script=${figure_script} ms_page_script=${page_script}
  DEPENDS ${page_style} ${display_script} ${number_script} ${plot_script} ${shape_script}
    ${choice_script} ${figure_script} ${page_script}
    ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
  COMMENT "Embedding the style and script of a report page" VERBATIM)

add_library(microslip_objects OBJECT ${MICROSLIP_SOURCES} ${page_source})
set_target_properties(microslip_objects PROPERTIES
  POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_compile_definitions(microslip_objects PRIVATE MS_VERSION="${PROJECT_VERSION}"
  MS_LIBDIR="${CMAKE_INSTALL_LIBDIR}")
target_include_directories(microslip_objects
  PUBLIC ${CMAKE_SOURCE_DIR}/include PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_include_directories(microslip_objects SYSTEM PRIVATE ${MICROSLIP_DEPS_INCLUDE_DIRS})
target_link_libraries(microslip_objects PRIVATE microslip_flags)

foreach(kind static shared)
  string(TOUPPER ${kind} KIND)
  add_library(microslip_${kind} ${KIND} $<TARGET_OBJECTS:microslip_objects>)
  set_target_properties(microslip_${kind} PROPERTIES
    OUTPUT_NAME microslip EXPORT_NAME ${kind}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(microslip_${kind} INTERFACE
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(microslip_${kind} PUBLIC m)
  target_link_libraries(microslip_${kind} PRIVATE PkgConfig::MICROSLIP_DEPS pthread ${CMAKE_DL_LIBS})
  if(MICROSLIP_SANITIZE)
    target_link_options(microslip_${kind} PUBLIC -fsanitize=address,undefined)
  endif()
endforeach()
