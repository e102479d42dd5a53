#!/usr/bin/env python3
"""What the chart renders, for several settings; no cluster is needed. install_test.py installs it."""
import pathlib
import re
import tempfile
import unittest

import tools

RULES = {
    ("fairlap.dev", "benchmarkruns"): {"list", "watch", "delete"},
    ("fairlap.dev", "benchmarkruns/status"): {"update"},
    ("fairlap.dev", "benchmarkruns/finalizers"): {"update"},
    ("batch", "jobs"): {"get", "list", "watch", "create", "delete"},
    ("", "pods"): {"list", "watch"},
    ("", "pods/log"): {"get"},
    ("", "configmaps"): {"get", "create"},
    ("", "persistentvolumeclaims"): {"get", "list", "watch", "create"},
    ("", "events"): {"list", "watch", "create"},
}
CLUSTER_RULES = {**RULES, ("", "nodes"): {"get"}}
TWO_NAMESPACES = ("--set", "watchNamespaces={team-a,team-b}")


def granted(role):
    """(API group, resource) -> verbs; fails on a rule with anything else in it."""
    found = {}
    for rule in role["rules"]:
        unknown = set(rule) - {"apiGroups", "resources", "verbs"}
        if unknown:
            raise AssertionError(f"a rule with {unknown}")
        for group in rule["apiGroups"]:
            for resource in rule["resources"]:
                found.setdefault((group, resource), set()).update(rule["verbs"])
    return found


def pod_template(objects):
    return tools.only(objects, "Deployment")["spec"]["template"]


class Templates(unittest.TestCase):
    def test_lint_finds_nothing(self):
        done = tools.run("helm", "lint", "--strict", "--kube-version", "1.36", tools.CHART)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_default_installation_has_these_objects_and_no_others(self):
        kinds = sorted(item["kind"] for item in tools.render())
        self.assertEqual(kinds, ["ClusterRole", "ClusterRoleBinding", "Deployment", "Service", "ServiceAccount"])

    def test_everything_on_adds_monitors_and_dashboard(self):
        kinds = {item["kind"] for item in tools.render(
            "--set", "monitoring.enabled=true,dashboard.enabled=true")}
        self.assertLessEqual({"PodMonitor", "ServiceMonitor", "ConfigMap"}, kinds)

    def test_the_crd_is_the_repositorys(self):
        shown = tools.run("helm", "show", "crds", tools.CHART).stdout
        file = tools.ROOT / "crds" / "fairlap.dev_benchmarkruns.yaml"
        self.assertTrue(file.samefile(tools.CHART / "crds" / file.name), "there is to be one file, linked to")
        self.assertIn(file.read_text(encoding="utf-8").strip(), shown)

    def test_a_package_holds_the_crd_and_the_dashboard(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        tools.succeed("helm", "package", tools.CHART, "--destination", folder)
        package = next(pathlib.Path(folder).glob("fairlap-*.tgz"))
        self.assertIn("benchmarkruns.fairlap.dev", tools.succeed("helm", "show", "crds", package))
        listing = tools.succeed("tar", "-tzf", package)
        self.assertIn("fairlap/dashboards/fairlap-run.json", listing)

    def test_the_dashboard_arrives_unchanged(self):
        objects = tools.render("--set", "dashboard.enabled=true,dashboard.annotations.grafana_folder=Runs")
        config = tools.only(objects, "ConfigMap")
        self.assertEqual(config["data"]["fairlap-run.json"],
                         tools.DASHBOARD.read_text(encoding="utf-8").strip())
        self.assertEqual(config["metadata"]["labels"]["grafana_dashboard"], "1")
        self.assertEqual(config["metadata"]["annotations"]["grafana_folder"], "Runs")

    def test_monitors_carry_the_labels_by_which_a_prometheus_finds_them(self):
        objects = tools.render("--set", "monitoring.enabled=true,monitoring.labels.release=stack")
        for kind in ("PodMonitor", "ServiceMonitor"):
            self.assertEqual(tools.only(objects, kind)["metadata"]["labels"]["release"], "stack")

    def test_the_pod_monitor_looks_where_the_operator_does(self):
        everywhere = tools.only(tools.render("--set", "monitoring.enabled=true"), "PodMonitor")
        self.assertEqual(everywhere["spec"]["namespaceSelector"], {"any": True})
        two = tools.only(tools.render("--set", "monitoring.enabled=true", *TWO_NAMESPACES), "PodMonitor")
        self.assertEqual(two["spec"]["namespaceSelector"], {"matchNames": ["team-a", "team-b"]})

    def test_the_service_and_its_monitor_find_the_operators_pod(self):
        objects = tools.render("--set", "monitoring.enabled=true")
        labels = pod_template(objects)["metadata"]["labels"]
        service = tools.only(objects, "Service")
        self.assertLessEqual(service["spec"]["selector"].items(), labels.items())
        chosen = tools.only(objects, "ServiceMonitor")["spec"]["selector"]["matchLabels"]
        self.assertLessEqual(chosen.items(), service["metadata"]["labels"].items())


class Access(unittest.TestCase):
    def test_a_cluster_role_grants_exactly_what_the_operator_needs(self):
        objects = tools.render()
        self.assertEqual(granted(tools.only(objects, "ClusterRole")), CLUSTER_RULES)
        self.assertEqual(tools.of_kind(objects, "Role"), [])

    def test_named_namespaces_get_a_role_each_and_nothing_is_cluster_wide(self):
        objects = tools.render(*TWO_NAMESPACES)
        roles = tools.of_kind(objects, "Role")
        self.assertEqual([role["metadata"]["namespace"] for role in roles], ["team-a", "team-b"])
        for role in roles:
            self.assertEqual(granted(role), RULES)
        for kind in ("ClusterRole", "ClusterRoleBinding"):
            self.assertEqual(tools.of_kind(objects, kind), [])
        args = pod_template(objects)["spec"]["containers"][0]["args"]
        self.assertEqual([arg for arg in args if arg.startswith("--namespace")],
                         ["--namespace=team-a", "--namespace=team-b"])

    def test_every_binding_names_the_account_of_the_pod(self):
        for options in ((), TWO_NAMESPACES, ("--set", "serviceAccount.create=false,serviceAccount.name=given")):
            objects = tools.render(*options)
            account = pod_template(objects)["spec"]["serviceAccountName"]
            bindings = tools.of_kind(objects, "RoleBinding") + tools.of_kind(objects, "ClusterRoleBinding")
            self.assertTrue(bindings)
            for binding in bindings:
                self.assertEqual(binding["subjects"],
                                 [{"kind": "ServiceAccount", "name": account, "namespace": "fairlap-system"}])

    def test_nothing_is_granted_where_somebody_else_does(self):
        kinds = {item["kind"] for item in tools.render("--set", "rbac.create=false")}
        self.assertFalse({kind for kind in kinds if "Role" in kind})

    def test_two_releases_share_no_cluster_wide_name(self):
        names = [tools.only(tools.render(namespace=place), "ClusterRole")["metadata"]["name"] for place in ("a", "b")]
        self.assertNotEqual(*names)


class Operator(unittest.TestCase):
    def setUp(self):
        self.deployment = tools.only(tools.render(), "Deployment")
        self.pod = self.deployment["spec"]["template"]["spec"]
        self.container = self.pod["containers"][0]

    def test_one_replica_that_ends_before_the_next_starts(self):
        self.assertEqual(self.deployment["spec"]["replicas"], 1)
        self.assertEqual(self.deployment["spec"]["strategy"], {"type": "Recreate"})
        self.assertGreater(self.pod["terminationGracePeriodSeconds"], 30)

    def test_keeps_to_the_restricted_profile(self):
        security = self.pod["securityContext"]
        self.assertTrue(security["runAsNonRoot"])
        self.assertEqual(security["runAsUser"], 65532)
        self.assertEqual(security["seccompProfile"], {"type": "RuntimeDefault"})
        self.assertEqual(self.container["securityContext"], {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}})
        for member in ("hostNetwork", "hostPID", "hostIPC", "volumes"):
            self.assertNotIn(member, self.pod)

    def test_is_probed_and_bounded(self):
        self.assertEqual(self.container["livenessProbe"]["httpGet"], {"path": "/healthz", "port": "metrics"})
        self.assertEqual(self.container["readinessProbe"]["httpGet"], {"path": "/readyz", "port": "metrics"})
        self.assertIn("memory", self.container["resources"]["limits"])
        self.assertEqual(self.container["ports"][0]["name"], "metrics")

    def test_settings_reach_the_command_line(self):
        objects = tools.render("--set", "worker.image=r.example/w:7,worker.port=9500,operator.workers=4,"
                               "operator.logLevel=debug")
        args = pod_template(objects)["spec"]["containers"][0]["args"]
        self.assertEqual(args, ["--worker-image=r.example/w:7", "--worker-port=9500", "--workers=4",
                                "--log-level=debug", "--listen=0.0.0.0:8080"])

    def test_images_take_the_versions_tag_unless_another_is_given(self):
        self.assertEqual(self.container["image"], "fairlap-operator:0.1.0")
        objects = tools.render("--set", "image.registry=r.example:5000/bench,image.tag=abc")
        given = pod_template(objects)["spec"]["containers"][0]
        self.assertEqual(given["image"], "r.example:5000/bench/fairlap-operator:abc")
        self.assertIn("--worker-image=r.example:5000/bench/fairlap-worker:abc", given["args"])

    def test_pull_secrets_are_named(self):
        objects = tools.render("--set", "image.pullSecrets={one,two}")
        self.assertEqual(pod_template(objects)["spec"]["imagePullSecrets"], [{"name": "one"}, {"name": "two"}])


class Values(unittest.TestCase):
    def check_refusal(self, setting, named):
        done = tools.template("--set", setting)
        self.assertNotEqual(done.returncode, 0, f"{setting} is accepted")
        self.assertIn(named, done.stderr.replace("/", "."))

    def test_what_the_schema_refuses_is_named(self):
        for setting, named in {
                "operater.workers=2": "operater",
                "operator.worker=2": "worker",
                "operator.workers=0": "operator.workers",
                "operator.workers=many": "operator.workers",
                "operator.logLevel=loud": "operator.logLevel",
                "image.pullPolicy=Sometimes": "image.pullPolicy",
                "operator.image=two words": "operator.image",
                "image.tag=a/b": "image.tag",
                "worker.port=70000": "worker.port",
                "watchNamespaces=all": "watchNamespaces",
                "watchNamespaces={Team_A}": "watchNamespaces.0",
                "watchNamespaces={a,a}": "watchNamespaces",
                "monitoring.enabled=perhaps": "monitoring.enabled",
                "monitoring.workerInterval=5": "monitoring.workerInterval",
                "serviceAccount.create=false": "serviceAccount.name",
                "dashboard.labels=x": "dashboard.labels",
                "image.pullSecrets={UPPER}": "image.pullSecrets.0",
        }.items():
            with self.subTest(setting):
                self.check_refusal(setting, named)

    def test_every_value_is_explained(self):
        lines = (tools.CHART / "values.yaml").read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            has_value = re.match(r"\s*\w+: *\S", line) or re.match(r"^\w+:$", line) and \
                not re.match(r"^(image|operator|worker|serviceAccount|rbac):$", line)
            if has_value and not lines[number - 1].strip().startswith("#") and "requests" not in line \
                    and "limits" not in line:
                self.fail(f"values.yaml:{number + 1} has no comment: {line}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
