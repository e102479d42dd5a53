#!/usr/bin/env python3
"""The chart on a real API server without nodes: what it installs is accepted, may do exactly what it must, keeps the
restricted profile, survives an upgrade, and leaves nothing but the CRD."""
import json
import re
import subprocess
import tempfile
import unittest

import chart_test
import tools

CONTROL_PLANE = tools.CLUSTER / "control_plane.sh"
NAMESPACE = "fairlap-system"
SAMPLES = tools.ROOT / "crds" / "samples"
# Granted to everybody who has logged in, by Kubernetes itself.
EVERYBODYS = {("authentication.k8s.io", "selfsubjectreviews"), ("authorization.k8s.io", "selfsubjectaccessreviews"),
              ("authorization.k8s.io", "selfsubjectrulesreviews"), ("certificates.k8s.io", "clustertrustbundles")}


def setUpModule():
    folder = tempfile.mkdtemp(prefix="fairlap-chart-")
    unittest.addModuleCleanup(subprocess.run, [CONTROL_PLANE, "down", folder], check=True)
    subprocess.run([CONTROL_PLANE, "up", folder], check=True)
    Cluster.kubeconfig = f"{folder}/kubeconfig"


class Cluster(unittest.TestCase):
    kubeconfig = None

    def kubectl(self, *arguments, as_user=None, **more):
        impersonation = [f"--as={as_user}"] if as_user else []
        return tools.succeed("kubectl", *impersonation, *arguments, kubeconfig=self.kubeconfig, **more)

    def helm(self, *arguments):
        return tools.succeed("helm", "--namespace", NAMESPACE, *arguments, kubeconfig=self.kubeconfig)

    def get(self, *arguments):
        return json.loads(self.kubectl("get", "-o", "json", *arguments))

    def names(self, *kinds):
        lines = self.kubectl("get", ",".join(kinds), "--all-namespaces", "-o", "name").splitlines()
        return [line for line in lines if "fairlap" in line]


class Installation(Cluster):
    """One life of a release, in the order of the methods' names."""

    @classmethod
    def setUpClass(cls):
        # With the Prometheus operator's CRDs the API server checks the monitors as that operator's users see them.
        tools.succeed("kubectl", "apply", "--server-side", "-f", tools.fetched("crds"), kubeconfig=cls.kubeconfig)
        for crd in ("podmonitors", "servicemonitors"):
            tools.wait_for_crd(f"{crd}.monitoring.coreos.com", cls.kubeconfig)

    def test_0_the_notes_give_the_next_three_commands(self):
        shown = self.helm("install", "fairlap", tools.CHART, "--create-namespace", "--dry-run=server")
        commands = re.findall(r"^  (kubectl .*)$", shown.split("NOTES:")[1], re.MULTILINE)
        self.assertGreaterEqual(len(commands), 3)
        for file in re.findall(r"-f (\S+)", "\n".join(commands)):
            self.assertTrue((tools.ROOT / file).exists(), file)

    def test_1_everything_is_accepted(self):
        self.helm("install", "fairlap", tools.CHART, "--create-namespace",
                  "--set", "monitoring.enabled=true,dashboard.enabled=true")
        tools.wait_for_crd("benchmarkruns.fairlap.dev", self.kubeconfig)
        # Helm does not ask for strict field validation, so that a misspelt field would vanish silently.
        manifest = self.helm("get", "manifest", "fairlap")
        self.kubectl("apply", "--server-side", "--dry-run=server", "--validate=strict", "--force-conflicts",
                     "--field-manager=test", "-f", "-", text=manifest)

    def test_2_the_samples_are_accepted(self):
        for sample in sorted(SAMPLES.glob("*.yaml")):
            self.kubectl("apply", "--dry-run=server", "--validate=strict", "-f", sample)

    def test_2_the_account_may_do_what_it_must_and_nothing_more(self):
        review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectRulesReview",
                  "spec": {"namespace": "default"}}
        answer = self.kubectl("create", "--validate=false", "-f", "-", "-o", "json", text=json.dumps(review),
                              as_user=f"system:serviceaccount:{NAMESPACE}:fairlap")
        found = {}
        for rule in json.loads(answer)["status"]["resourceRules"]:
            for group in rule["apiGroups"]:
                for resource in rule["resources"]:
                    found.setdefault((group, resource), set()).update(rule["verbs"])
        for everybodys in EVERYBODYS:
            found.pop(everybodys, None)
        self.assertEqual(found, chart_test.CLUSTER_RULES)

    def test_2_the_operators_pod_is_let_into_a_restricted_namespace(self):
        self.kubectl("create", "namespace", "strict")
        self.kubectl("label", "namespace", "strict", "pod-security.kubernetes.io/enforce=restricted")
        template = self.get("deployment", "fairlap", "--namespace", NAMESPACE)["spec"]["template"]
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "operator", "namespace": "strict"},
               "spec": template["spec"]}
        self.kubectl("create", "--dry-run=server", "-f", "-", text=json.dumps(pod))
        pod["spec"]["containers"][0]["securityContext"]["allowPrivilegeEscalation"] = True
        refused = tools.run("kubectl", "create", "--dry-run=server", "-f", "-", kubeconfig=self.kubeconfig,
                            text=json.dumps(pod))
        self.assertIn("violates PodSecurity", refused.stderr)

    def test_3_an_upgrade_narrows_it_to_a_namespace(self):
        self.kubectl("create", "namespace", "team-a")
        self.helm("upgrade", "fairlap", tools.CHART, "--set", "watchNamespaces={team-a}")
        self.assertEqual(self.names("clusterrole", "clusterrolebinding"), [])
        self.assertEqual(self.names("role"), ["role.rbac.authorization.k8s.io/fairlap"])

    def test_4_uninstalling_keeps_the_runs(self):
        self.kubectl("apply", "-f", SAMPLES / "synthetic.yaml")
        self.helm("uninstall", "fairlap")
        self.assertEqual(self.names("deployment", "service", "serviceaccount", "role", "rolebinding", "clusterrole",
                                    "clusterrolebinding", "configmap", "secret", "podmonitors", "servicemonitors"), [])
        self.assertEqual(self.names("crd"), ["customresourcedefinition.apiextensions.k8s.io/benchmarkruns.fairlap.dev"])
        self.assertEqual(len(self.get("benchmarkruns")["items"]), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
