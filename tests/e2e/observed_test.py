"""A run that is watched while it trains: the node it is put on, kubectl, Prometheus, the dashboard; and then deleted."""
import math
import unittest

import fixture
import kube
import prometheus

RUN = "observed"
STAGES = ("read", "decode", "transform", "wait", "forward", "backward", "update")


class Observed(fixture.EndToEnd):
    """One run for all methods. It learns too slowly to reach its target, so that it trains, and evaluates after every
    epoch, until it is deleted."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.addClassCleanup(kube.delete, "benchmarkrun", RUN, cls.namespace)
        problem = {"optimizer": {"learningRate": "0.000001"},
                   "stop": {"steps": None, "accuracy": {"metric": "top1", "target": "1", "maxEpochs": 100000}}}
        kube.create(fixture.objects.make_run(RUN, cls.namespace, problem=problem))

    def setUp(self):
        self.wait_for_training(RUN)

    def test_1_the_pod_holds_the_gpu_that_it_was_scheduled_by(self):
        pod, = self.pods(RUN)
        self.assertEqual(pod["spec"]["nodeName"], "node1")
        self.assertEqual(pod["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"], "1")
        seen = kube.kubectl("exec", "--namespace", self.namespace, pod["metadata"]["name"], "--", "printenv",
                            "NVIDIA_VISIBLE_DEVICES")
        self.assertTrue(seen.strip())

    def test_1_the_pod_runs_under_the_restricted_profile_without_a_token(self):
        pod, = self.pods(RUN)
        ids = kube.kubectl("exec", "--namespace", self.namespace, pod["metadata"]["name"], "--", "sh", "-c",
                           "id -u; ls /var/run/secrets 2> /dev/null; touch /written 2> /dev/null && echo written; true")
        self.assertEqual(ids.split(), ["65532"])

    def test_1_the_conditions_say_that_it_runs(self):
        run = self.run_now(RUN)
        for condition in ("Accepted", "Running", "ProgressAvailable"):
            found = self.wait_for_condition(RUN, condition)
            self.assertEqual(found["observedGeneration"], run["metadata"]["generation"])
        self.assertFalse(kube.is_true(run, "Complete") or kube.is_true(run, "Failed"))

    def test_2_kubectl_shows_how_far_it_is(self):
        def shown():
            line = kube.kubectl("get", "bmr", RUN, "--namespace", self.namespace, "--no-headers").split()
            return f"{line[2]} {line[3]}" if line[1] == "Running" and line[3].endswith("%") else None
        first = kube.wait_for("a percentage", shown)
        self.assertRegex(first, r"^1/1 \d+%$")
        steps = self.run_now(RUN)["status"]["progress"]["worker"]["step"]
        kube.wait_for("a later step", lambda: self.run_now(RUN)["status"]["progress"]["worker"]["step"] > steps)

    def test_3_prometheus_knows_its_rate(self):
        expression = f'rate(fairlap_samples_total{{run="{RUN}",namespace="{self.namespace}",phase="train"}}[15s])'
        kube.wait_for(f"data for {expression}",
                      lambda: [value for _, value in prometheus.query(expression) if value > 0])

    def test_3_prometheus_knows_every_stage(self):
        for stage in STAGES:
            expression = f'fairlap_stage_seconds_total{{run="{RUN}",stage="{stage}"}}'
            series = kube.wait_for(f"data for {expression}", lambda e=expression: prometheus.query(e))
            self.assertGreater(series[0][1], 0, stage)
            self.assertEqual(series[0][0]["namespace"], self.namespace)

    def test_3_prometheus_finds_the_operator_too(self):
        for metric in ("controller_runtime_reconcile_total", "workqueue_depth", "rest_client_requests_total"):
            kube.wait_for(f"data for {metric}", lambda m=metric: prometheus.query(m))
        kube.wait_for("the run among fairlap_runs",
                      lambda: any(value >= 1 for _, value in prometheus.query('fairlap_runs{state="Running"}')))

    def test_4_every_query_of_the_dashboard_is_answered_with_data(self):
        """But those on decibels, which a classifier has not; program.convergence_test sees them of a denoiser."""
        for panel, expression in prometheus.panel_queries(self.namespace, RUN):
            if "psnr_decibels" in expression:
                continue
            with self.subTest(panel=panel, query=expression):
                kube.wait_for(f"data for {expression}", lambda e=expression: [
                    value for _, value in prometheus.query(e) if not math.isnan(value)])

    def test_5_deleting_it_in_the_middle_removes_every_child(self):
        self.assertTrue(kube.children(RUN, self.namespace))
        self.delete_run(RUN)
        self.assertIsNone(kube.get("benchmarkrun", RUN, self.namespace))
        held = f'sum(fairlap_samples_total{{run="{RUN}"}})'
        kube.wait_for("its series to end", lambda: not prometheus.query(held), seconds=60)


if __name__ == "__main__":
    unittest.main()
