# One static library per directory, with an explicit source list. A target sees only the headers of
# the targets that it links: each library's headers are reached through an include folder of its own
# that holds one link to its directory, so an include that the link graph forbids does not compile.

# fairlap_library(<name> SOURCES a.cc ... [DEPS target ...])
# Call it in the library's own directory; lib/base is "lib_base", and is included as "lib/base/x.h".
function(fairlap_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(fairlap_${name} STATIC ${ARG_SOURCES})
  add_library(fairlap::${name} ALIAS fairlap_${name})
  file(RELATIVE_PATH directory ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  cmake_path(GET directory PARENT_PATH parent)
  set(include_root ${CMAKE_BINARY_DIR}/headers/${name})
  file(MAKE_DIRECTORY ${include_root}/${parent})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${include_root}/${directory} SYMBOLIC)
  target_include_directories(fairlap_${name} PUBLIC ${include_root})
  target_link_libraries(fairlap_${name} PUBLIC ${ARG_DEPS} PRIVATE fairlap_options)
endfunction()

# fairlap_binary(<name> SOURCES main.cc ... DEPS target ...)
function(fairlap_binary name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} fairlap_options)
endfunction()
