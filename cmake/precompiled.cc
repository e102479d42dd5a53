// The one file of the targets that precompile headers; see cmake/FairlapTargets.cmake.
