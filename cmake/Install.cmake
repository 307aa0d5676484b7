# What `make install` puts where: libraries, headers, pkg-config file, CMake package, man page.
# The command installs itself in app/cli.
include(CMakePackageConfigHelpers)

set(libraries microslip_static microslip_shared)
if(MICROSLIP_FEM)
  list(APPEND libraries microslip_fem)
else()
  set(no_fem PATTERN "fem*.h" EXCLUDE)
endif()
install(TARGETS ${libraries} EXPORT microslipTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(MICROSLIP_FEM)
  install(TARGETS microslip_fem_plugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/microslip)
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/microslip
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" ${no_fem})
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(EXISTS ${CMAKE_SOURCE_DIR}/docs/man/microslip.1)
  install(FILES ${CMAKE_SOURCE_DIR}/docs/man/microslip.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# pkg-config: the prefix is found from where the file lies, so an installed tree can be moved.
file(RELATIVE_PATH MICROSLIP_PC_PREFIX
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" MICROSLIP_PC_PREFIX ${MICROSLIP_PC_PREFIX})
# For the static library the rest is linked shared: Requires.private would ask for static Fortran and
# more, and for development files even where the shared library is used.
string(REPLACE ";" " " MICROSLIP_PC_PRIVATE "${MICROSLIP_DEPS_LDFLAGS}")
configure_file(${CMAKE_SOURCE_DIR}/cmake/microslip.pc.in ${CMAKE_BINARY_DIR}/microslip.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/microslip.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# CMake: find_package(microslip) gives microslip::static, microslip::shared, microslip::microslip, and
# microslip::fem with the finite elements.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/microslip)
install(EXPORT microslipTargets NAMESPACE microslip:: DESTINATION ${package_dir})
configure_package_config_file(
  ${CMAKE_SOURCE_DIR}/cmake/microslipConfig.cmake.in ${CMAKE_BINARY_DIR}/microslipConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may break its callers.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/microslipConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/microslipConfig.cmake ${CMAKE_BINARY_DIR}/microslipConfigVersion.cmake
  DESTINATION ${package_dir})
