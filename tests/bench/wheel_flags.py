"""Prints what g++ needs to build against this Python's torch wheel, one line each: compiler flags, linker flags.

    PYTHON tests/bench/wheel_flags.py [--cuda]

The CUDA runtime's headers come from the nvidia packages beside torch, from CUDA_HOME or from /usr/local/cuda.
"""
import os
import pathlib
import sys

import torch


def cuda_roots(site_packages):
    """Folders that may hold include/ and lib/ of the CUDA toolkit, the wheel's own first."""
    named = [pathlib.Path(p) for p in (os.environ.get("CUDA_HOME"), "/usr/local/cuda") if p]
    return [*sorted((site_packages / "nvidia").glob("*")), *named]


def compiler_flags(torch_folder, roots, cuda):
    folders = [torch_folder / "include", torch_folder / "include/torch/csrc/api/include"]
    flags = [f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}"]
    if cuda:
        folders += [root / "include" for root in roots if (root / "include").is_dir()]
        if not any((folder / "cuda_runtime_api.h").exists() for folder in folders):
            sys.exit("no cuda_runtime_api.h beside torch, in CUDA_HOME or in /usr/local/cuda")
        flags.append("-DFAIRLAP_CUDA=1")
    return flags + [text for folder in folders for text in ("-isystem", str(folder))]


def linker_flags(torch_folder, roots, cuda):
    library_folders = [torch_folder / "lib", *(
        folder for root in roots for folder in (root / "lib", root / "lib64") if folder.is_dir())]
    flags = [f"-L{torch_folder / 'lib'}", "-Wl,--allow-shlib-undefined", "-ltorch_cpu", "-lc10"]
    if cuda:
        runtime = [found for folder in library_folders for found in sorted(folder.glob("libcudart.so*"))]
        flags += ["-Wl,--no-as-needed", "-ltorch_cuda", "-lc10_cuda", "-Wl,--as-needed",
                  *map(str, runtime[:1])]
    return flags + [f"-Wl,-rpath,{folder}" for folder in library_folders]


def main():
    torch_folder = pathlib.Path(torch.__file__).parent
    roots = cuda_roots(torch_folder.parent)
    cuda = "--cuda" in sys.argv
    print(" ".join(compiler_flags(torch_folder, roots, cuda)))
    print(" ".join(linker_flags(torch_folder, roots, cuda)))


if __name__ == "__main__":
    main()
