# cmake -D SOURCE_DIR= -D OUTPUT= -D VERSION= -D BUILD_TYPE= -D COMPILER= -D SANITIZERS= -P this
# Runs with every build; touches OUTPUT only if what it says has changed.
set(revision unknown)
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE described RESULT_VARIABLE failed
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(revision ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [=[
#define FAIRLAP_VERSION "@VERSION@"
#define FAIRLAP_GIT_REVISION "@revision@"
#define FAIRLAP_BUILD_TYPE "@BUILD_TYPE@"
#define FAIRLAP_COMPILER "@COMPILER@"
#define FAIRLAP_SANITIZERS "@SANITIZERS@"
]=])
