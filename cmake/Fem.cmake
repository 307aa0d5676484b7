# The room src/fem, a library of its own beside microslip (docs/decisions/0008, 0009). Static: it uses
# what the core keeps to itself, and whoever links it links the core once. It is the only one that sees
# PETSc, SLEPc and MPI; the command finds it as a plugin, libmicroslip_fem.so, when a study needs it.
file(GLOB_RECURSE FEM_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/fem/*.c)
list(FILTER FEM_SOURCES EXCLUDE REGEX "/src/fem/plugin\\.c$")
add_library(microslip_fem STATIC ${FEM_SOURCES})
set_target_properties(microslip_fem PROPERTIES
  EXPORT_NAME fem POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_include_directories(microslip_fem PRIVATE ${CMAKE_SOURCE_DIR}/src)
# The compiler sees the folders alone: the rest of what pkg-config says is Debian's build of PETSc.
target_include_directories(microslip_fem SYSTEM PRIVATE ${MICROSLIP_PETSC_INCLUDE_DIRS})
target_link_libraries(microslip_fem PUBLIC microslip_static)
target_link_libraries(microslip_fem PRIVATE $<BUILD_INTERFACE:microslip_flags>)
# A program that only makes meshes shall not load MPI.
target_link_options(microslip_fem INTERFACE -Wl,--as-needed)
target_link_libraries(microslip_fem PRIVATE PkgConfig::MICROSLIP_PETSC)

# The plugin shows one name, the table of src/fem/plugin.c.
add_library(microslip_fem_plugin MODULE ${CMAKE_SOURCE_DIR}/src/fem/plugin.c)
set_target_properties(microslip_fem_plugin PROPERTIES
  OUTPUT_NAME microslip_fem C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
target_include_directories(microslip_fem_plugin PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_include_directories(microslip_fem_plugin SYSTEM PRIVATE ${MICROSLIP_PETSC_INCLUDE_DIRS})
target_compile_definitions(microslip_fem_plugin PRIVATE MS_VERSION="${PROJECT_VERSION}")
target_link_libraries(microslip_fem_plugin PRIVATE microslip_fem microslip_flags)
target_link_options(microslip_fem_plugin PRIVATE -Wl,--exclude-libs,ALL)
