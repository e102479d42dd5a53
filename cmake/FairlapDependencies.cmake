# Third-party libraries; why each: docs/dependencies.md.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(yaml-cpp 0.7 REQUIRED)
find_package(OpenSSL 3 REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(spdlog REQUIRED)
find_package(prometheus-cpp REQUIRED)
find_package(cpprestsdk REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(libjpeg REQUIRED IMPORTED_TARGET libjpeg)
pkg_check_modules(libpng REQUIRED IMPORTED_TARGET libpng)
# 4.5 is the first whose messages can be kept from stderr for one image at a time.
pkg_check_modules(libtiff REQUIRED IMPORTED_TARGET libtiff-4>=4.5)

# yaml-cpp 0.7 exports a plain target name; give it a namespaced one so that a typo is an error.
if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()

if(FAIRLAP_TESTS)
  find_package(GTest REQUIRED)
endif()
if(FAIRLAP_WORKER)
  include(FairlapTorch)
endif()
