"""A run that brings its own claim: made, filled once, read by every repeat, removed with the run."""
import unittest

import fixture
import kube

RUN = "own-claim"
CLAIM, POPULATE = f"{RUN}-data", f"{RUN}-populate"
DATA = {"claimName": None,
        "claimTemplate": {"storageClassName": "shared", "size": "1Gi", "accessModes": ["ReadWriteMany"]},
        "populate": {"generate": {"classes": 2, "images": 48, "seed": 3}}}


class OwnClaim(fixture.EndToEnd):
    def test_is_made_filled_once_used_by_every_repeat_and_removed(self):
        self.create_run(RUN, storage={"data": DATA}, measurement={"repeats": 2})
        self.wait_for_condition(RUN, "DataReady", "Populated")
        volume = self.check_that_it_was_filled_first()
        run = self.wait_for_end(RUN)
        self.assertTrue(kube.is_true(run, "Complete"), kube.conditions(run))
        self.check_that_every_repeat_read_it()
        self.delete_run(RUN)
        kube.wait_for("the volume to go", lambda: not kube.kubectl("get", "pv", volume, "--ignore-not-found"))

    def check_that_it_was_filled_first(self):
        claim = kube.get("persistentvolumeclaim", CLAIM, self.namespace)
        owner, = claim["metadata"]["ownerReferences"]
        self.assertEqual((owner["kind"], owner["name"], owner["controller"]), ("BenchmarkRun", RUN, True))
        job = kube.get("job", POPULATE, self.namespace)
        filled = job["status"]["completionTime"]
        first = kube.wait_for("the first repeat", lambda: kube.get("job", f"{RUN}-1-1", self.namespace))
        self.assertGreaterEqual(first["metadata"]["creationTimestamp"], filled)
        return claim["spec"]["volumeName"]

    def check_that_every_repeat_read_it(self):
        pods = [pod for pod in self.pods(RUN) if "fairlap.dev/repeat" in pod["metadata"]["labels"]]
        self.assertEqual(len(pods), 2)
        for pod in pods:
            claims = {volume["persistentVolumeClaim"]["claimName"]: volume["persistentVolumeClaim"].get("readOnly")
                      for volume in pod["spec"]["volumes"] if "persistentVolumeClaim" in volume}
            self.assertEqual(claims, {CLAIM: True})
        self.assertEqual(len([job for job in self.jobs(RUN) if job["metadata"]["name"] == POPULATE]), 1)

    def test_that_cannot_be_filled_says_why_and_goes_with_the_run(self):
        template = {**DATA["claimTemplate"], "storageClassName": "no-such-class"}
        self.create_run("no-class", storage={"data": {**DATA, "claimTemplate": template}})
        self.wait_for_message("no-class", "unbound immediate PersistentVolumeClaims", seconds=60)
        self.delete_run("no-class")


if __name__ == "__main__":
    unittest.main()
