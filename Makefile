# A thin front door: the work is in scripts/ and CMake.
.DEFAULT_GOAL := help
.PHONY: help setup build demo test chart e2e images cluster-up cluster-down lint bench cuda clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install what building and testing need (Debian packages, libtorch and Kubernetes in the cache)
	@scripts/setup.sh build test cluster

build: ## Build the release binaries into build/release/bin
	@scripts/setup.sh build
	@scripts/build.sh release -- fairlap fairlap-worker fairlap-operator

demo: build ## Train on photographs, three times over, and print the result table
	@scripts/demo.sh

test: ## Run every test that needs no GPU, under the sanitizers and on a real cluster too
	@scripts/setup.sh build test cluster
	@scripts/build.sh tsan dev release
	@scripts/test.sh tsan dev release
	@tests/chart/test.sh
	@tests/e2e/e2e.py

e2e: build ## Test everything end to end, on a real node on this machine (needs root)
	@scripts/setup.sh cluster
	@tests/e2e/e2e.py

images: build ## Build the container images of the operator and the worker
	@images/build.sh operator worker

cluster-up: ## Start a real Kubernetes with Prometheus here (NODES=2: two nodes)
	@scripts/setup.sh test cluster
	@tests/cluster/cluster.sh up

cluster-down: ## Stop it and leave nothing
	@tests/cluster/cluster.sh down

chart: ## Test the Helm chart and the dashboard, on a real API server without nodes
	@scripts/setup.sh test cluster
	@tests/chart/test.sh

lint: ## Check formatting and run clang-tidy
	@scripts/setup.sh build test lint
	@scripts/build.sh tsan
	@scripts/lint.sh

bench: build ## Measure ours against its peers into out/bench/bench.json (ONLY=REGEX, ROUNDS=n)
	@scripts/build.sh release -- pipeline_bench training_bench
	@scripts/bench.sh '$(ONLY)' $(ROUNDS)

cuda: ## Compile the CUDA code paths (needs no GPU)
	@scripts/setup.sh build
	@scripts/build.sh cuda

clean: ## Remove build results; the caches in ~/.cache/fairlap stay
	rm -rf build out
