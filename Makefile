# A thin front door: the work is in scripts/ and CMake.
.DEFAULT_GOAL := help
.PHONY: help setup build demo test lint bench cuda clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install what building and testing need (Debian packages, libtorch in the cache)
	@scripts/setup.sh build test

build: ## Build the release binaries into build/release/bin
	@scripts/setup.sh build
	@scripts/build.sh release -- fairlap fairlap-worker

demo: build ## Train on photographs, three times over, and print the result table
	@scripts/demo.sh

test: ## Run every test that needs no GPU, under the sanitizers too
	@scripts/setup.sh build test
	@scripts/build.sh tsan dev release
	@scripts/test.sh tsan dev release

lint: ## Check formatting and run clang-tidy
	@scripts/setup.sh build test lint
	@scripts/build.sh tsan
	@scripts/lint.sh

bench: build ## Measure the input pipeline and the training step against their peers
	@scripts/build.sh release -- pipeline_bench
	@scripts/bench.sh

cuda: ## Compile the CUDA code paths (needs no GPU)
	@scripts/setup.sh build
	@scripts/build.sh cuda

clean: ## Remove build results; the caches in ~/.cache/fairlap stay
	rm -rf build out
