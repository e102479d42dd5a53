#!/usr/bin/env python3
"""The Grafana dashboard: valid for Grafana, and it asks only for what a worker serves. That each query is answered
with data is shown in tests/e2e."""
import json
import re
import tempfile
import unittest

import tools

HEADER = tools.ROOT / "worker" / "report" / "metric_names.h"
# Set by the scrape configuration, as the chart's PodMonitor does, and by Prometheus itself.
TARGET_LABELS = {"namespace", "pod", "node", "run", "repeat", "attempt"}
VARIABLES = {"$namespace": "bench", "$run": "resnet50", "$repeat": "1", "$__rate_interval": "15s"}


def read_dashboard():
    return json.loads(tools.DASHBOARD.read_text(encoding="utf-8"))


def queries():
    """(title, expression) of every target of every panel."""
    return [(panel["title"], target["expr"]) for panel in read_dashboard()["panels"] for target in panel["targets"]]


def fill_in(expression):
    for name, value in VARIABLES.items():
        expression = expression.replace(name, value)
    return expression


def served_metrics():
    names = re.findall(r'"(fairlap_\w+)"', HEADER.read_text(encoding="utf-8"))
    parts = [name + suffix for name in names if name.endswith("_duration_seconds")
             for suffix in ("_bucket", "_sum", "_count")]
    return set(names) | set(parts)


class Dashboard(unittest.TestCase):
    def test_is_valid_by_grafanas_own_types(self):
        tools.succeed(tools.fetched("dashboard-schema"), tools.DASHBOARD)

    def test_the_check_refuses_a_misspelt_option(self):
        text = tools.DASHBOARD.read_text(encoding="utf-8").replace('"drawStyle"', '"drawstyle"', 1)
        broken = self.enterContext(tempfile.NamedTemporaryFile("w", suffix=".json"))
        broken.write(text)
        broken.flush()
        done = tools.run(tools.fetched("dashboard-schema"), broken.name)
        self.assertEqual(done.returncode, 1)
        self.assertIn("unexpected field 'drawstyle'", done.stderr)

    def test_asks_only_for_metrics_that_a_worker_serves(self):
        served = served_metrics()
        for title, expression in queries():
            with self.subTest(panel=title):
                self.assertLessEqual(set(re.findall(r"\bfairlap_\w+", expression)), served)

    def test_every_query_is_limited_to_the_run_that_was_chosen(self):
        for title, expression in queries():
            with self.subTest(panel=title):
                for selector in re.findall(r"fairlap_\w+(\{[^}]*\})?", expression):
                    for wanted in ('namespace="$namespace"', 'run="$run"', 'repeat=~"$repeat"'):
                        self.assertIn(wanted, selector)

    def test_prometheus_parses_every_query(self):
        rules = {"groups": [{"name": "panels", "rules": [
            {"record": f"panel:{number}", "expr": fill_in(expression)}
            for number, (_, expression) in enumerate(queries())]}]}
        file = self.enterContext(tempfile.NamedTemporaryFile("w", suffix=".yaml"))
        json.dump(rules, file)  # JSON is YAML
        file.flush()
        done = tools.run("promtool", "check", "rules", file.name)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_panels_do_not_overlap_and_fit_the_grid(self):
        taken = set()
        for panel in read_dashboard()["panels"]:
            place = panel["gridPos"]
            self.assertLessEqual(place["x"] + place["w"], 24, panel["title"])
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                     for y in range(place["y"], place["y"] + place["h"])}
            self.assertFalse(cells & taken, panel["title"])
            taken |= cells

    def test_every_panel_says_what_it_shows(self):
        for panel in read_dashboard()["panels"]:
            self.assertTrue(panel.get("description"), panel["title"])
            self.assertIn("unit", panel["fieldConfig"]["defaults"], panel["title"])


class PodMonitor(unittest.TestCase):
    def test_sets_the_labels_that_the_dashboard_selects_by(self):
        monitor = tools.only(tools.render("--set", "monitoring.enabled=true"), "PodMonitor")
        relabelings = monitor["spec"]["podMetricsEndpoints"][0]["relabelings"]
        labels = {step["targetLabel"] for step in relabelings} | {"namespace", "pod"}  # the last two: its defaults
        self.assertEqual(labels, TARGET_LABELS)
        used = {label for _, expression in queries() for label in re.findall(r"[{,](\w+)=~?\"\$", expression)}
        self.assertLessEqual(used, labels)


if __name__ == "__main__":
    unittest.main(verbosity=2)
