"""The end of an installation: an upgrade with a run in flight, and removal. Runs last; nothing is installed then."""
import json
import unittest

import fixture
import kube

LEFTOVERS = ("deployments,replicasets,pods,services,serviceaccounts,roles,rolebindings,clusterroles,"
             "clusterrolebindings,configmaps,secrets")


class Lifecycle(fixture.EndToEnd):
    def test_1_an_upgrade_leaves_the_run_in_flight_alone(self):
        self.create_run("in-flight", steps=600)
        self.wait_for_training("in-flight")
        job, = self.jobs("in-flight")
        before = kube.wait_for_operator()["metadata"]["uid"]
        kube.helm("upgrade", "fairlap", "charts/fairlap", "--reuse-values", "--set", "operator.logLevel=debug", "--wait")
        after = kube.wait_for_operator()
        self.assertNotEqual(after["metadata"]["uid"], before)
        self.assertIn("--log-level=debug", after["spec"]["containers"][0]["args"])
        same, = self.jobs("in-flight")
        self.assertEqual(same["metadata"]["uid"], job["metadata"]["uid"])
        run = self.wait_for_end("in-flight")
        self.assertTrue(kube.is_true(run, "Complete"), kube.conditions(run))
        self.assert_one_job_per_attempt("in-flight")

    def test_2_uninstalling_leaves_the_runs_and_nothing_else(self):
        kube.create(fixture.objects.make_run("kept", self.namespace))
        self.wait_for_end("kept")
        kube.helm("uninstall", "fairlap", "--wait")
        kube.wait_for("everything of the release to go", lambda: self.left_of_the_release() == [])
        run = self.run_now("kept")
        self.assertTrue(kube.is_true(run, "Complete"))
        self.assertIsNotNone(kube.get("configmap", "kept-1-1-report", self.namespace))

    def left_of_the_release(self):
        text = kube.kubectl("get", LEFTOVERS, "--all-namespaces", "-o", "json",
                            "--selector", "app.kubernetes.io/instance=fairlap")
        named = [f"{item['kind']}/{item['metadata']['name']}" for item in json.loads(text)["items"]]
        helms = kube.kubectl("get", "secrets", "--namespace", kube.SYSTEM, "-o", "name").split()
        return named + helms

    def test_3_deleting_the_crd_removes_the_runs_and_their_children(self):
        kube.kubectl("delete", "crd", "benchmarkruns.fairlap.dev")
        kube.wait_for("the children to go", lambda: not kube.children("kept", self.namespace))


if __name__ == "__main__":
    unittest.main()
