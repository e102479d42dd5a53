#!/usr/bin/env python3
"""The operator against a real API server, controller manager and scheduler; the kubelet's part is played here."""
import json
import unittest

from cluster import ControlPlane, Operator, now, run_manifest, wait_until, worker_summary

PLANE = None


def setUpModule():
    global PLANE
    PLANE = ControlPlane("--controllers")
    unittest.addModuleCleanup(PLANE.down)
    PLANE.make_node()


class OperatorCase(unittest.TestCase):
    namespaces = 0

    def setUp(self):
        OperatorCase.namespaces += 1
        self.ns = f"bench-{OperatorCase.namespaces}"
        PLANE.kubectl("create", "namespace", self.ns)
        wait_until(lambda: PLANE.get("serviceaccount", "default", self.ns), "the service account")
        self.operator = None

    def tearDown(self):
        if self.operator:
            if self._outcome and any(error for _, error in getattr(self._outcome, "errors", [])):
                print(self.operator.log()[-4000:])
            self.operator.kill()

    def start(self, *options):
        self.operator = Operator(PLANE, "--namespace", self.ns, *options)
        return self.operator

    def run_object(self, name="demo"):
        return PLANE.get("bmr", name, self.ns) or {}

    def status(self, name="demo"):
        return self.run_object(name).get("status", {})

    def condition(self, kind, name="demo"):
        return next((c for c in self.status(name).get("conditions", []) if c["type"] == kind), {})

    def wait_for(self, kind, reason, name="demo"):
        return wait_until(lambda: (c := self.condition(kind, name)).get("reason") == reason and c,
                          lambda: f"{kind} {reason}: {json.dumps(self.status(name), indent=1)}")

    def jobs(self):
        return sorted(job["metadata"]["name"] for job in PLANE.list("jobs", self.ns))

    def pod_of(self, job):
        def find():
            pods = [p for p in PLANE.list("pods", self.ns)
                    if p["metadata"]["labels"].get("batch.kubernetes.io/job-name") == job]
            return pods[0] if pods and pods[0]["spec"].get("nodeName") else None
        return wait_until(find, lambda: f"a scheduled pod of {job}: {self.status()}")

    def start_worker(self, job):
        pod = self.pod_of(job)["metadata"]["name"]
        PLANE.patch_status("pod", pod, self.ns, {"phase": "Running", "startTime": now(),
            "containerStatuses": [self.container({"running": {"startedAt": now()}})]})
        return pod

    def end_worker(self, job, rate=100.0):
        pod = self.pod_of(job)["metadata"]["name"]
        ended = {"exitCode": 0, "reason": "Completed", "startedAt": now(), "finishedAt": now(),
                 "message": worker_summary(rate)}
        PLANE.patch_status("pod", pod, self.ns, {"phase": "Succeeded",
            "containerStatuses": [self.container({"terminated": ended})]})

    @staticmethod
    def container(state):
        return {"name": "worker", "image": "x", "imageID": "x", "ready": "running" in state,
                "restartCount": 0, "state": state}

    def run_to_end(self):
        for repeat, rate in (("1", 100.0), ("2", 110.0)):
            self.start_worker(f"demo-{repeat}-1")
            self.end_worker(f"demo-{repeat}-1", rate)
        self.wait_for("Complete", "RepeatsSucceeded")


class ARun(OperatorCase):
    def test_goes_through_its_repeats_to_a_summary(self):
        self.start()
        PLANE.apply(run_manifest(self.ns))
        self.start_worker("demo-1-1")
        self.wait_for("Running", "RepeatRunning")
        self.assertEqual(self.jobs(), ["demo-1-1"], "repeats run one after the other")
        self.end_worker("demo-1-1", 100.0)
        self.start_worker("demo-2-1")
        self.end_worker("demo-2-1", 110.0)
        self.wait_for("Complete", "RepeatsSucceeded")
        status = self.status()
        self.assertEqual(status["state"], "Complete")
        self.assertEqual([r["figures"]["samplesPerSecond"] for r in status["repeats"]], [100, 110])
        self.assertEqual(status["summary"]["samplesPerSecond"]["mean"], 105)
        self.assertEqual(status["observedGeneration"], 1)
        PLANE.kubectl("wait", "--for=condition=Complete", "bmr/demo", "-n", self.ns, "--timeout=5s")
        events = {e["reason"] for e in PLANE.list("events", self.ns)
                  if e["involvedObject"]["kind"] == "BenchmarkRun"}
        self.assertLessEqual({"SpecAccepted", "JobCreated", "RepeatStarted", "RepeatSucceeded",
                              "RepeatsSucceeded"}, events)
        self.assertIn('fairlap_runs{state="Complete"} 1', self.operator.metrics())

    def test_is_pinned_to_the_first_repeats_node(self):
        self.start()
        PLANE.apply(run_manifest(self.ns))
        self.start_worker("demo-1-1")
        self.end_worker("demo-1-1")
        terms = self.pod_of("demo-2-1")["spec"]["affinity"]["nodeAffinity"][
            "requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
        self.assertEqual(terms[0]["matchExpressions"],
                         [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["node1"]}])

    def test_takes_its_children_with_it(self):
        self.start()
        PLANE.apply(run_manifest(self.ns))
        self.start_worker("demo-1-1")
        PLANE.kubectl("delete", "bmr", "demo", "-n", self.ns, "--wait=true")
        wait_until(lambda: not self.jobs() and not [
            c for c in PLANE.list("configmaps", self.ns) if c["metadata"]["name"].startswith("demo")
        ], "the children to go")

    def test_that_is_suspended_frees_its_job_and_resumes_with_another(self):
        self.start()
        PLANE.apply(run_manifest(self.ns))
        self.start_worker("demo-1-1")
        PLANE.kubectl("patch", "bmr", "demo", "-n", self.ns, "--type=merge", "-p",
                      '{"spec":{"suspend":true}}')
        self.wait_for("Running", "Suspended")
        wait_until(lambda: not self.jobs(), "the job to go")
        PLANE.kubectl("patch", "bmr", "demo", "-n", self.ns, "--type=merge", "-p",
                      '{"spec":{"suspend":false}}')
        self.start_worker("demo-1-2")
        outcomes = [a["outcome"] for a in self.status()["repeats"][0]["attempts"]]
        self.assertEqual(outcomes[0], "interrupted")

    def test_goes_when_its_time_to_live_is_over(self):
        self.start()
        PLANE.apply(run_manifest(self.ns, ttlSecondsAfterFinished=1, measurement={"repeats": 1}))
        self.start_worker("demo-1-1")
        self.end_worker("demo-1-1")
        wait_until(lambda: not self.run_object(), "the run to go")


class ARestart(OperatorCase):
    def test_in_the_middle_changes_nothing(self):
        self.start()
        PLANE.apply(run_manifest(self.ns))
        self.start_worker("demo-1-1")
        self.wait_for("Running", "RepeatRunning")
        before = PLANE.get("job", "demo-1-1", self.ns)["metadata"]["uid"]
        self.operator.kill()
        self.end_worker("demo-1-1", 100.0)
        self.start()
        self.start_worker("demo-2-1")
        self.operator.kill()
        self.start()
        self.end_worker("demo-2-1", 110.0)
        self.wait_for("Complete", "RepeatsSucceeded")
        self.assertEqual(self.jobs(), ["demo-1-1", "demo-2-1"])
        self.assertEqual(PLANE.get("job", "demo-1-1", self.ns)["metadata"]["uid"], before)
        self.assertEqual(self.status()["summary"]["samplesPerSecond"]["mean"], 105)

    def test_by_sigterm_takes_less_than_30_seconds(self):
        self.start()
        PLANE.apply(run_manifest(self.ns))
        self.start_worker("demo-1-1")
        self.assertLess(self.operator.stop(), 30)
        self.assertEqual(self.operator.process.returncode, 0)

    def test_of_the_api_server_loses_nothing(self):
        self.start()
        PLANE.apply(run_manifest(self.ns))
        self.start_worker("demo-1-1")
        PLANE.script("stop-api")
        wait_until(lambda: 'fairlap_watch_ends_total{cause="io"' in self.operator.metrics(),
                   "the operator to notice")
        PLANE.script("start-api")
        self.end_worker("demo-1-1", 100.0)
        self.start_worker("demo-2-1")
        self.end_worker("demo-2-1", 110.0)
        self.wait_for("Complete", "RepeatsSucceeded")
        self.assertEqual(self.jobs(), ["demo-1-1", "demo-2-1"])


class InTheWay(OperatorCase):
    def test_somebody_elses_job_of_that_name(self):
        PLANE.apply({"apiVersion": "batch/v1", "kind": "Job",
                     "metadata": {"name": "demo-1-1", "namespace": self.ns},
                     "spec": {"suspend": True, "template": {"spec": {
                         "restartPolicy": "Never", "containers": [{"name": "x", "image": "x"}]}}}})
        self.start()
        PLANE.apply(run_manifest(self.ns))
        failed = self.wait_for("Failed", "NameConflict")
        self.assertIn("demo-1-1 exists and does not belong to this run", failed["message"])
        self.assertNotIn("ownerReferences", PLANE.get("job", "demo-1-1", self.ns)["metadata"])

    def forbid(self, resource):
        """By a quota of none."""
        PLANE.apply({"apiVersion": "v1", "kind": "ResourceQuota",
                     "metadata": {"name": "none", "namespace": self.ns},
                     "spec": {"hard": {resource: "0"}}})
        wait_until(lambda: (PLANE.get("quota", "none", self.ns) or {}).get("status", {}).get("hard"),
                   "the quota to count")

    def test_a_quota_on_jobs(self):
        self.forbid("count/jobs.batch")
        self.start()
        PLANE.apply(run_manifest(self.ns))
        running = self.wait_for("Running", "CreateRefused")
        self.assertIn("exceeded quota: none", running["message"])
        PLANE.kubectl("delete", "quota", "none", "-n", self.ns)
        self.start_worker("demo-1-1")

    def test_a_quota_on_pods(self):
        self.forbid("pods")
        self.start()
        PLANE.apply(run_manifest(self.ns))
        wait_until(lambda: "exceeded quota" in self.condition("Running").get("message", ""),
                   lambda: f"the quota's message: {self.status()}")
        self.assertEqual(self.condition("Running")["reason"], "Queued")

    def test_a_node_that_never_fits(self):
        self.start()
        PLANE.apply(run_manifest(self.ns, compute={"nodeSelector": {"zone": "nowhere"}}))
        running = self.wait_for("Running", "Queued")
        wait_until(lambda: "Unschedulable" in self.condition("Running")["message"],
                   lambda: f"Unschedulable: {running}")

    def test_a_missing_claim(self):
        self.start()
        PLANE.apply(run_manifest(self.ns, problem={"dataset": {"format": "imageFolder"}},
                                 storage={"data": {"claimName": "nobodys"}}))
        wait_until(lambda: 'persistentvolumeclaim "nobodys" not found'
                   in self.condition("Running").get("message", ""), lambda: str(self.status()))

    def test_an_image_that_cannot_be_pulled(self):
        self.start()
        PLANE.apply(run_manifest(self.ns, startDeadlineSeconds=3, measurement={"repeats": 1}))
        pod = self.pod_of("demo-1-1")["metadata"]["name"]
        PLANE.patch_status("pod", pod, self.ns, {"containerStatuses": [self.container(
            {"waiting": {"reason": "ImagePullBackOff", "message": "Back-off pulling image x"}})]})
        wait_until(lambda: "ImagePullBackOff: Back-off pulling image x"
                   in self.condition("Running").get("message", ""), lambda: str(self.status()))
        wait_until(lambda: self.status()["repeats"][0]["attempts"][0].get("reason")
                   == "StartDeadlineExceeded", lambda: str(self.status()))

    def test_a_worker_that_crashes_at_the_start(self):
        self.start()
        PLANE.apply(run_manifest(self.ns, measurement={"repeats": 1}))
        pod = self.pod_of("demo-1-1")["metadata"]["name"]
        PLANE.patch_status("pod", pod, self.ns, {"phase": "Failed", "containerStatuses": [
            self.container({"terminated": {"exitCode": 127, "reason": "StartError",
                                           "message": "no such file", "startedAt": now(),
                                           "finishedAt": now()}})]})
        self.wait_for("Failed", "RepeatsFailed")
        attempt = self.status()["repeats"][0]["attempts"][0]
        self.assertEqual((attempt["outcome"], attempt["reason"]), ("failed", "StartError"))
        self.assertIn("no such file", attempt["message"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
