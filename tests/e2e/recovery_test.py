"""The operator dies, and the API server goes away, while a run trains: the same job goes on, and nothing is doubled."""
import json
import time
import unittest

import fixture
import kube

STEPS = 300
# Of the same seeds and data, so that they depend on nothing but what was trained.
REPRODUCIBLE = ("steps", "samples", "epochs", "badFiles", "windowSteps", "windowSamples", "firstLoss")


def kill_operator():
    """SIGKILL to the operator's process, from the node it runs on."""
    pod = kube.wait_for_operator()
    container = pod["status"]["containerStatuses"][0]["containerID"].removeprefix("containerd://")
    process = json.loads(kube.on_node("crictl", "inspect", container))["info"]["pid"]
    kube.on_node("kill", "-KILL", process)
    before = pod["status"]["containerStatuses"][0]["restartCount"]
    kube.wait_for("the operator to be started again", lambda: kube.operator_pods()[0]["status"][
        "containerStatuses"][0]["restartCount"] > before)


def replace_operator():
    """The pod vanishes without a chance to drain; its Deployment makes another."""
    kube.kubectl("delete", "pods", "--namespace", kube.SYSTEM, "--selector", "app.kubernetes.io/name=fairlap-operator",
                 "--grace-period=0", "--force")
    kube.wait_for_operator()


def reproducible(run):
    return [(repeat["name"], repeat["seed"], repeat["outcome"], [attempt["job"] for attempt in repeat["attempts"]],
             {name: repeat["figures"].get(name) for name in REPRODUCIBLE}) for repeat in run["status"]["repeats"]]


class OperatorKilled(fixture.EndToEnd):
    def finish(self, name):
        run = self.wait_for_end(name)
        self.assertTrue(kube.is_true(run, "Complete"), kube.conditions(run))
        self.assert_one_job_per_attempt(name)
        return run

    def test_in_the_middle_of_a_run_the_same_job_goes_on_to_the_same_status(self):
        self.create_run("disturbed", steps=STEPS)
        self.wait_for_training("disturbed")
        job, = self.jobs("disturbed")
        kill_operator()
        after, = self.jobs("disturbed")
        self.assertEqual(after["metadata"]["uid"], job["metadata"]["uid"])
        disturbed = self.finish("disturbed")
        self.delete_run("disturbed")
        self.create_run("disturbed", steps=STEPS)
        undisturbed = self.finish("disturbed")
        self.assertEqual(reproducible(disturbed), reproducible(undisturbed))
        self.assertEqual({name: (item["status"], item["reason"]) for name, item in kube.conditions(disturbed).items()},
                         {name: (item["status"], item["reason"]) for name, item in kube.conditions(undisturbed).items()})

    def test_at_any_point_of_a_runs_life(self):
        name = "replaced"
        self.create_run(name, measurement={"repeats": 2})
        replace_operator()  # perhaps before it has seen the run
        kube.wait_for("the first job", lambda: kube.get("job", f"{name}-1-1", self.namespace))
        replace_operator()  # as the first job starts
        kube.wait_for("the end of the first job", lambda: kube.get("job", f"{name}-1-1", self.namespace)[
            "status"].get("succeeded"))
        replace_operator()  # between the two, perhaps before the report was kept
        run = self.finish(name)
        self.assertEqual([len(repeat["attempts"]) for repeat in run["status"]["repeats"]], [1, 1])
        for repeat in run["status"]["repeats"]:
            self.assertIsNotNone(repeat["figures"]["finalLoss"])
            self.assertIsNotNone(kube.get("configmap", f"{repeat['attempts'][0]['job']}-report", self.namespace))


class ApiServerAway(fixture.EndToEnd):
    def test_for_a_minute_doubles_and_loses_nothing(self):
        self.create_run("cut-off", measurement={"repeats": 2})
        self.wait_for_training("cut-off")
        kube.execute(kube.CLUSTER, "stop-api")
        try:
            end = time.monotonic() + 60
            kube.wait_for("a minute to pass", lambda: time.monotonic() >= end, seconds=70)
        finally:
            kube.execute(kube.CLUSTER, "start-api")
        kube.wait_for("the API server", lambda: kube.kubectl("get", "--raw", "/readyz") == "ok")
        run = self.wait_for_end("cut-off")
        self.assertTrue(kube.is_true(run, "Complete"), kube.conditions(run))
        self.assertEqual([len(repeat["attempts"]) for repeat in run["status"]["repeats"]], [1, 1])
        self.assert_one_job_per_attempt("cut-off")
        kube.wait_for_operator()


if __name__ == "__main__":
    unittest.main()
