# fairlap_reuse_pch(<target> <pch target>): whose compiler flags must be the target's, so executables are compiled like
# libraries.
function(fairlap_reuse_pch target pch)
  target_precompile_headers(${target} REUSE_FROM ${pch})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()

# Parsing the JSON and test libraries' headers is a third of what a file costs under the sanitizers, so there they are
# precompiled once; a target that links libtorch takes that header instead (FairlapTorch.cmake). Not in the release
# build: GCC 12 warns of impossible lengths inside std::string when its headers come precompiled.
function(fairlap_use_pch target pch)
  if(FAIRLAP_SANITIZE)
    fairlap_reuse_pch(${target} ${pch})
  endif()
endfunction()

if(FAIRLAP_SANITIZE)
  add_library(fairlap_pch STATIC ${CMAKE_CURRENT_LIST_DIR}/precompiled.cc)
  target_link_libraries(fairlap_pch PRIVATE fairlap_options)
  target_precompile_headers(fairlap_pch PRIVATE <nlohmann/json.hpp>)
  add_library(fairlap_test_pch STATIC ${CMAKE_CURRENT_LIST_DIR}/precompiled.cc)
  target_link_libraries(fairlap_test_pch PRIVATE GTest::gmock fairlap_options)
  target_precompile_headers(fairlap_test_pch PRIVATE <nlohmann/json.hpp> <gmock/gmock.h>)
endif()

# Replaces malloc in a program that trains (docs/adr/0008). The sanitizers have allocators of their own.
function(fairlap_use_tcmalloc target)
  if(NOT FAIRLAP_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,--push-state,--no-as-needed -ltcmalloc_minimal -Wl,--pop-state)
  endif()
endfunction()

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
  fairlap_use_pch(fairlap_${name} fairlap_pch)
endfunction()

# fairlap_binary(<name> SOURCES main.cc ... DEPS target ...)
function(fairlap_binary name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} fairlap_options)
  fairlap_use_pch(${name} fairlap_pch)
endfunction()
