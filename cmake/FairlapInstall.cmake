# What a container image gets: cmake --install BUILD --strip --component operator|worker --prefix DIR.
# The worker's image holds `fairlap` too: it generates data sets on a claim.
function(fairlap_install component)
  foreach(program IN LISTS ARGN)
    if(TARGET ${program})
      install(TARGETS ${program} RUNTIME DESTINATION bin COMPONENT ${component})
      # Installed programs look for libraries where the system does, not in the build machine's folders. Of those CMake
      # takes out only what it put in itself.
      install(CODE "file(RPATH_REMOVE FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/${program}\")"
        COMPONENT ${component})
    endif()
  endforeach()
endfunction()

fairlap_install(operator fairlap-operator)
fairlap_install(worker fairlap-worker fairlap)
