# Debian packages, by `cpack` in the build folder of preset package:
#
#   inkread         the command, its manual page and completions
#   libinkread0     libinkread.so.0, for programs in C and other languages
#   libinkread-dev  headers, archives, find_package(inkread) and pkg-config
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME inkread)
set(CPACK_PACKAGE_VENDOR "the inkread authors")
# The project has no address of its own.
set(CPACK_PACKAGE_CONTACT "the inkread authors <authors@inkread.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL command shared development)
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_SOURCE_DIR}/build/packages")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(about "It finds and reads the text in images, scans and PDF files with the PP-OCRv6\nnetworks, on CPUs and GPUs.\n\nThis package has")
set(version "(= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME inkread)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "read the text of images\n${about} the command `inkread`.")
# Pages of a PDF that are drawn, models by pip or curl, GPUs.
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "ca-certificates, libvulkan1, poppler-utils, python3-pip")

set(CPACK_DEBIAN_SHARED_PACKAGE_NAME libinkread${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_SHARED_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_SHARED_DESCRIPTION
  "read the text of images - C library\n${about} the shared library, whose interface is C.")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_SHARED_PACKAGE_CONTROL_EXTRA "${CMAKE_CURRENT_LIST_DIR}/triggers")

# The archives need the headers and links of what they call.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libinkread-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
  "read the text of images - development files\n${about} the headers for C++ and C and the C++ libraries.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
string(CONCAT CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libinkread${PROJECT_VERSION_MAJOR} ${version}, libcurl4-openssl-dev | libcurl4-gnutls-dev, libgif-dev, libhwy-dev, "
  "libjpeg-dev, libopenjp2-7-dev, libpng-dev, libqpdf-dev, libssl-dev, libtiff-dev, libutf8proc-dev, libwebp-dev, "
  "libyaml-cpp-dev, libzip-dev, nlohmann-json3-dev, pkgconf | pkg-config")

# Debian's rules: the licence as `copyright`, and a changelog.
execute_process(COMMAND git -C "${PROJECT_SOURCE_DIR}" log -1 --format=%cD OUTPUT_VARIABLE date
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT date)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
set(notes "${PROJECT_BINARY_DIR}/debian")
file(WRITE "${notes}/changelog"
  "inkread (${PROJECT_VERSION}) unstable; urgency=low\n\n  * Built from its sources.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
file(WRITE "${notes}/copyright" "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: inkread

Files: *
Copyright: 2026 the inkread authors
License: Apache-2.0
 On Debian systems the text of the Apache License, Version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
")
find_program(INKREAD_GZIP gzip REQUIRED)
execute_process(COMMAND "${INKREAD_GZIP}" -9nf "${notes}/changelog" COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  install(FILES "${notes}/changelog.gz" "${notes}/copyright"
    DESTINATION share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} COMPONENT ${component})
endforeach()
include(CPack)
