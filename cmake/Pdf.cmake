# Figures as PDF (docs/decisions/0017): a plugin, libmicroslip_pdf.so, that has librsvg and cairo. The command finds it
# when figures are to be written as PDF; nothing else needs it.
add_library(microslip_pdf MODULE ${CMAKE_SOURCE_DIR}/src/report/pdf/plugin.c)
set_target_properties(microslip_pdf PROPERTIES
  C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
target_include_directories(microslip_pdf PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_include_directories(microslip_pdf SYSTEM PRIVATE ${MICROSLIP_RSVG_INCLUDE_DIRS})
target_compile_definitions(microslip_pdf PRIVATE MS_VERSION="${PROJECT_VERSION}")
target_link_libraries(microslip_pdf PRIVATE PkgConfig::MICROSLIP_RSVG microslip_flags)
install(TARGETS microslip_pdf LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/microslip)
