# The room src/fem, a library of its own beside microslip (docs/decisions/0008). Static: it uses what
# the core keeps to itself, and whoever links it links the core once.
file(GLOB_RECURSE FEM_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/fem/*.c)
add_library(microslip_fem STATIC ${FEM_SOURCES})
set_target_properties(microslip_fem PROPERTIES
  EXPORT_NAME fem POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_include_directories(microslip_fem PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(microslip_fem PUBLIC microslip_static)
target_link_libraries(microslip_fem PRIVATE $<BUILD_INTERFACE:microslip_flags>)
