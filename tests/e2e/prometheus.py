"""Queries to the test cluster's Prometheus, as a user or a dashboard would ask them."""
import json
import urllib.parse
import urllib.request

import kube

SERVER = "http://10.99.0.1:9090"  # tests/cluster/README.md
DASHBOARD = kube.ROOT / "charts" / "fairlap" / "dashboards" / "fairlap-run.json"


def query(expression):
    """The series of an instant query, as [(labels, value)]."""
    url = f"{SERVER}/api/v1/query?query={urllib.parse.quote(expression)}"
    with urllib.request.urlopen(url, timeout=10) as answer:
        result = json.load(answer)["data"]["result"]
    return [(series["metric"], float(series["value"][1])) for series in result]


def panel_queries(namespace, run):
    """(panel, expression) of the dashboard, with its variables set as a person looking at this run would."""
    variables = {"$namespace": namespace, "$run": run, "$repeat": ".*", "$__rate_interval": "15s"}
    board = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    for panel in board["panels"]:
        for target in panel["targets"]:
            expression = target["expr"]
            for name, value in variables.items():
                expression = expression.replace(name, value)
            yield panel["title"], expression
