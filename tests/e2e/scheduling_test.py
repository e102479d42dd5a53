"""Runs share a node of two GPUs: two proceed together, a third waits for one of them."""
import time
import unittest

import fixture
import kube
import objects

LONG = 100_000  # steps: until it is deleted


class TwoGpus(fixture.EndToEnd):
    def test_two_runs_proceed_together_and_a_third_waits_until_one_ends(self):
        for name in ("first", "second"):
            self.create_run(name, steps=LONG)
        for name in ("first", "second"):
            self.wait_for_training(name)
        self.check_that_they_share_the_claim_and_hold_a_gpu_each()
        self.create_run("third", startDeadlineSeconds=5)
        self.wait_for_condition("third", "Running", "Queued", "False", seconds=30)
        said = self.wait_for_message("third", "Insufficient nvidia.com/gpu", seconds=30)
        self.check_that_waiting_is_outside_the_start_deadline(said)
        self.delete_run("first")
        run = self.wait_for_end("third")
        self.assertTrue(kube.is_true(run, "Complete"), kube.conditions(run))
        self.assertEqual(len(run["status"]["repeats"][0]["attempts"]), 1)
        self.assertFalse(kube.is_true(self.run_now("second"), "Failed"))

    def check_that_they_share_the_claim_and_hold_a_gpu_each(self):
        pods = self.pods("first") + self.pods("second")
        for pod in pods:
            self.assertEqual(pod["status"]["phase"], "Running")
            self.assertIn(objects.PHOTOS, [volume["persistentVolumeClaim"]["claimName"] for volume in
                                           pod["spec"]["volumes"] if "persistentVolumeClaim" in volume])
        gpus = {kube.kubectl("exec", "--namespace", self.namespace, pod["metadata"]["name"], "--", "printenv",
                             "NVIDIA_VISIBLE_DEVICES") for pod in pods}
        self.assertEqual(len(gpus), 2)

    def check_that_waiting_is_outside_the_start_deadline(self, said):
        """The deadline of five seconds passes, counted from when the run was said to wait, and nothing happens."""
        end = time.monotonic() + 8
        kube.wait_for("the start deadline to pass", lambda: time.monotonic() >= end, seconds=10)
        now = kube.conditions(self.run_now("third"))["Running"]
        self.assertEqual((now["status"], now["reason"]), ("False", "Queued"), said)


if __name__ == "__main__":
    unittest.main()
