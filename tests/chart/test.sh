#!/usr/bin/env bash
# Runs the chart's tests: what it renders, the dashboard, and an installation on a real API server.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

export PATH=$cache/bin:$PATH # promtool
cd "$root/tests/chart"
exec env PYTHONDONTWRITEBYTECODE=1 python3 -m unittest "$@" chart_test dashboard_test install_test
