# libtorch from a PyPI wheel, without its CMake package: that one insists on a CUDA compiler even for
# CPU use. Linked against torch_cpu and c10 alone, so the worker runs on machines without a GPU.
if(NOT FAIRLAP_TORCH_ROOT)
  set(FAIRLAP_TORCH_ROOT $ENV{FAIRLAP_TORCH_ROOT})
endif()
find_path(TORCH_INCLUDE torch/csrc/api/include/torch/torch.h
  PATHS ${FAIRLAP_TORCH_ROOT}/include NO_DEFAULT_PATH)
if(NOT TORCH_INCLUDE)
  message(FATAL_ERROR "libtorch was not found in FAIRLAP_TORCH_ROOT='${FAIRLAP_TORCH_ROOT}'. "
    "Run 'make setup', or configure with -DFAIRLAP_WORKER=OFF to build operator and CLI alone.")
endif()

set(torch_lib ${FAIRLAP_TORCH_ROOT}/lib)
cmake_path(GET FAIRLAP_TORCH_ROOT PARENT_PATH site_packages)
set(cuda_lib ${site_packages}/nvidia/cu13/lib)

add_library(fairlap_torch INTERFACE)
target_include_directories(fairlap_torch SYSTEM INTERFACE
  ${TORCH_INCLUDE} ${TORCH_INCLUDE}/torch/csrc/api/include)
target_link_libraries(fairlap_torch INTERFACE
  ${torch_lib}/libtorch_cpu.so ${torch_lib}/libc10.so)
# libtorch_cpu needs libcudart and libcupti, which the linker is not to look for.
target_link_options(fairlap_torch INTERFACE
  -Wl,--allow-shlib-undefined -Wl,-rpath,${torch_lib} -Wl,-rpath,${cuda_lib})

if(FAIRLAP_CUDA)
  # The runtime's headers alone: what uses no libtorch must not see libtorch's own copy of fmt.
  find_path(CUDA_INCLUDE NAMES cuda_runtime_api.h
    PATHS ${site_packages}/nvidia/cu13/include NO_DEFAULT_PATH REQUIRED)
  if(NOT EXISTS ${CUDA_INCLUDE}/crt/host_defines.h)
    message(FATAL_ERROR "${CUDA_INCLUDE} lacks crt/: install nvidia-cuda-crt beside nvidia-cuda-runtime")
  endif()
  add_library(fairlap_cuda INTERFACE)
  target_compile_definitions(fairlap_cuda INTERFACE FAIRLAP_CUDA=1)
  target_include_directories(fairlap_cuda SYSTEM INTERFACE ${CUDA_INCLUDE})
  target_link_libraries(fairlap_cuda INTERFACE ${cuda_lib}/libcudart.so.13)
  target_link_libraries(fairlap_torch INTERFACE fairlap_cuda
    -Wl,--no-as-needed ${torch_lib}/libtorch_cuda.so ${torch_lib}/libc10_cuda.so -Wl,--as-needed)
endif()

# A translation unit that includes torch takes half a minute, so torch/torch.h is precompiled once,
# by this target, and every user of libtorch reuses it.
add_library(fairlap_torch_pch STATIC ${CMAKE_SOURCE_DIR}/worker/torch_pch.cc)
target_link_libraries(fairlap_torch_pch PUBLIC fairlap_torch PRIVATE fairlap_options)
target_include_directories(fairlap_torch_pch PRIVATE ${CMAKE_SOURCE_DIR})
target_precompile_headers(fairlap_torch_pch PRIVATE ${CMAKE_SOURCE_DIR}/worker/torch_pch.h)

# fairlap_use_torch(<target> [PUBLIC|PRIVATE]): links libtorch and reuses the precompiled header.
function(fairlap_use_torch target scope)
  target_link_libraries(${target} ${scope} fairlap_torch)
  fairlap_reuse_pch(${target} fairlap_torch_pch)
endfunction()
