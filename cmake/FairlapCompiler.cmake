# Compiler flags, in one place: warnings are errors, hardening in every build, sanitizers on request.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(fairlap_options INTERFACE)
target_compile_options(fairlap_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Werror -fstack-protector-strong -fdiagnostics-color=auto)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of overlapping copies inside std::string's own operator+ (GCC bug 105651).
  target_compile_options(fairlap_options INTERFACE -Wno-restrict)
endif()
target_compile_definitions(fairlap_options INTERFACE _GLIBCXX_ASSERTIONS)
target_link_options(fairlap_options INTERFACE -Wl,-z,relro,-z,now)

if(FAIRLAP_SANITIZE)
  # Everywhere, the precompiled header and the tests included.
  add_compile_options(-fsanitize=${FAIRLAP_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FAIRLAP_SANITIZE})
  # Instrumented code confuses this analysis; the release build has it on.
  target_compile_options(fairlap_options INTERFACE -Wno-maybe-uninitialized)
else()
  target_compile_options(fairlap_options INTERFACE
    $<$<CONFIG:Release,RelWithDebInfo>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>)
endif()
