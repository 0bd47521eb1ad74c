# What `cmake --install` puts where, and how others find it: find_package(inkread) or pkg-config.
#
#   inkread::inkread  libinkread.a         the engine: src/api and every folder below it in one archive
#   inkread::codec    libinkread_codec.a   image files to pixels and back; component codec
#   inkread::document libinkread_document.a  files with pages, PDF among them; component document
#   inkread::formats  libinkread_formats.a what was read as text, JSON, tables and images; component formats
#   inkread::models   libinkread_models.a  fetching and verifying models; component models
#   inkread::server   libinkread_server.a  the engine behind a port; component server, where the command is built
#   inkread::c        libinkread.so.0      inkread.h: engine and codec, for C and other languages; component c
# Components: `command` (the program, its manual and completions), `shared` (libinkread.so.0) and `development` (all
# else), which are packages of their own where cmake/package.cmake makes packages.
include(CMakePackageConfigHelpers)
set(INKREAD_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/inkread)

# The libraries that `root` depends on, itself included, and the third-party targets that they link.
function(inkread_closure root libraries_out externals_out)
  set(libraries)
  set(externals)
  set(waiting ${root})
  while(waiting)
    list(POP_FRONT waiting target)
    if(target IN_LIST libraries)
      continue()
    endif()
    list(APPEND libraries ${target})
    get_target_property(linked ${target} INTERFACE_LINK_LIBRARIES)
    foreach(library IN LISTS linked)
      string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" library "${library}")
      if(library MATCHES "^inkread_" AND TARGET ${library})
        list(APPEND waiting ${library})
      elseif(NOT library MATCHES "^\\$<BUILD_INTERFACE:" AND NOT library MATCHES "NOTFOUND$")
        list(APPEND externals ${library})
      endif()
    endforeach()
  endwhile()
  list(REMOVE_DUPLICATES externals)
  set(${libraries_out} ${libraries} PARENT_SCOPE)
  set(${externals_out} ${externals} PARENT_SCOPE)
endfunction()

# inkread_package(EXPORT_NAME OUTPUT_NAME LIBRARY [BELOW package ...])
# One installed archive of LIBRARY and those that it depends on, except what BELOW has already.
function(inkread_package export_name output_name library)
  cmake_parse_arguments(ARG "" "" "BELOW" ${ARGN})
  set(package inkread_package_${export_name})
  inkread_closure(${library} libraries externals)
  set(below_libraries)
  foreach(below IN LISTS ARG_BELOW)
    get_target_property(of_below inkread_package_${below} INKREAD_LIBRARIES)
    list(APPEND below_libraries ${of_below})
  endforeach()
  if(ARG_BELOW)
    list(REMOVE_ITEM libraries ${below_libraries})
  endif()
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_library(${package} STATIC ${objects})
  add_library(inkread::${export_name} ALIAS ${package})
  set_target_properties(${package} PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME ${output_name} EXPORT_NAME ${export_name}
    INKREAD_LIBRARIES "${libraries};${below_libraries}")
  target_compile_features(${package} INTERFACE cxx_std_20)
  target_include_directories(${package} INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  foreach(below IN LISTS ARG_BELOW)
    target_link_libraries(${package} INTERFACE inkread_package_${below})
  endforeach()
  # Third-party targets are known only in the folders that looked for them: in this build they come with the libraries.
  target_link_libraries(${package} INTERFACE "$<BUILD_INTERFACE:${library}>" "$<INSTALL_INTERFACE:${externals}>")
  install(TARGETS ${package} EXPORT inkread_${export_name} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT development)
  install(EXPORT inkread_${export_name} FILE inkread-${export_name}.cmake NAMESPACE inkread::
    DESTINATION ${INKREAD_PACKAGE_DIR} COMPONENT development)
endfunction()

inkread_package(inkread inkread inkread_api)
inkread_package(codec inkread_codec inkread_codec BELOW inkread)
inkread_package(document inkread_document inkread_document BELOW codec)
inkread_package(formats inkread_formats inkread_formats BELOW codec)
inkread_package(models inkread_models inkread_models BELOW inkread)
if(TARGET inkread_server)
  inkread_package(server inkread_server inkread_server BELOW document formats)
endif()

add_library(inkread_shared SHARED $<TARGET_OBJECTS:inkread_c_api>)
add_library(inkread::c ALIAS inkread_shared)
set(INKREAD_EXPORTED_SYMBOLS "${PROJECT_SOURCE_DIR}/src/c_api/exported.map")
set_target_properties(inkread_shared PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME inkread EXPORT_NAME c
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS "${INKREAD_EXPORTED_SYMBOLS}")
target_include_directories(inkread_shared INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_link_libraries(inkread_shared PRIVATE inkread_options inkread_c_api)
if(NOT APPLE)
  target_link_options(inkread_shared PRIVATE "LINKER:--version-script=${INKREAD_EXPORTED_SYMBOLS}")
endif()
install(TARGETS inkread_shared EXPORT inkread_c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT shared
  NAMELINK_COMPONENT development)
install(EXPORT inkread_c FILE inkread-c.cmake NAMESPACE inkread:: DESTINATION ${INKREAD_PACKAGE_DIR}
  COMPONENT development)

if(TARGET inkread)
  install(TARGETS inkread RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICE" DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT licence)

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/inkreadConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/inkreadConfig.cmake" INSTALL_DESTINATION ${INKREAD_PACKAGE_DIR})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/inkreadConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/inkreadConfig.cmake" "${PROJECT_BINARY_DIR}/inkreadConfigVersion.cmake"
  DESTINATION ${INKREAD_PACKAGE_DIR} COMPONENT development)

# inkread_pkg_config(NAME DESCRIPTION REQUIRES LIBS)
# The archives are static, so what they link stands in Requires and Libs, not in their private forms.
function(inkread_pkg_config name description requires libs)
  file(RELATIVE_PATH to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/inkread.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
endfunction()
# libinkread.so, which exports C only, stands beside libinkread.a: -linkread would take it.
if(APPLE)
  set(INKREAD_ARCHIVE "\${libdir}/libinkread.a")
else()
  set(INKREAD_ARCHIVE "-l:libinkread.a")
endif()
inkread_pkg_config(inkread "Reads text out of images" "libhwy" "${INKREAD_ARCHIVE} -pthread")
inkread_pkg_config(inkread-codec "Image files to pixels and back, for inkread"
  "inkread libjpeg libpng libtiff-4 libwebp libwebpdemux libopenjp2" "-linkread_codec -lgif")
inkread_pkg_config(inkread-document "Files with pages, PDF among them, for inkread" "inkread-codec libqpdf"
  "-linkread_document")
inkread_pkg_config(inkread-formats "What inkread read as text, JSON, tables and images" "inkread-codec libutf8proc libqpdf"
  "-linkread_formats")
inkread_pkg_config(inkread-models "Fetches and verifies the models of inkread"
  "inkread libcurl libcrypto libzip yaml-cpp" "-linkread_models")
if(TARGET inkread_server)
  inkread_pkg_config(inkread-server "An engine behind a port, for inkread" "inkread-document inkread-formats"
    "-linkread_server -pthread")
endif()
inkread_pkg_config(inkread-c "Reads text out of images, for C" "" "-linkread")
