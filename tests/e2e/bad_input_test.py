"""What a user or an administrator gets wrong: the cluster's own words in a condition, no GPU held, and recovery or a
clean deletion from there."""
import json
import unittest

import fixture
import kube
import objects

POLICY = "no-workers"


def free_gpus():
    """Of the node's two, those that no pod holds."""
    pods = json.loads(kube.kubectl("get", "pods", "--all-namespaces", "-o", "json",
                                        "--field-selector", "spec.nodeName=node1"))["items"]
    held = sum(int(container.get("resources", {}).get("limits", {}).get("nvidia.com/gpu", 0)) for pod in pods
               if pod["status"]["phase"] in ("Pending", "Running") for container in pod["spec"]["containers"])
    return 2 - held


class NeverStarts(fixture.EndToEnd):
    def check_that_both_gpus_are_free(self):
        kube.wait_for("both GPUs to be free", lambda: free_gpus() == 2, seconds=60)

    def test_a_claim_that_does_not_exist(self):
        self.create_run("no-claim", storage={"data": {"claimName": "nowhere"}})
        self.wait_for_message("no-claim", 'persistentvolumeclaim "nowhere" not found', seconds=60)
        self.check_that_both_gpus_are_free()
        self.delete_run("no-claim")

    def test_a_claim_that_comes_later(self):
        self.create_run("late-claim", storage={"data": {"claimName": "late"}})
        self.wait_for_message("late-claim", 'persistentvolumeclaim "late" not found', seconds=60)
        # The data are there before the claim is: it is bound by hand to a second volume on the photos' folder.
        self.addCleanup(kube.kubectl, "delete", "pv", "late", "--ignore-not-found")
        self.addCleanup(kube.delete, "persistentvolumeclaim", "late", self.namespace)
        kube.create(*make_second_claim("late", objects.PHOTOS, self.namespace))
        self.assertTrue(kube.is_true(self.wait_for_end("late-claim"), "Complete"))
        self.delete_run("late-claim")  # a claim goes only after the pods that use it

    def test_a_node_that_does_not_exist(self):
        self.create_run("no-node", compute={"nodeSelector": {"kubernetes.io/hostname": "nowhere"}})
        self.wait_for_message("no-node", "didn't match Pod's node affinity/selector", seconds=60)
        self.wait_for_condition("no-node", "Running", "Queued", "False")
        self.delete_run("no-node")

    def test_an_image_that_cannot_be_pulled(self):
        image = "localhost/no-such-image:test"
        self.create_run("no-image", software={"image": image}, startDeadlineSeconds=10)
        self.wait_for_message("no-image", image, seconds=30)
        run = self.wait_for_end("no-image")
        self.assertTrue(kube.is_true(run, "Failed"), kube.conditions(run))
        attempts = run["status"]["repeats"][0]["attempts"]
        self.assertEqual({attempt["outcome"] for attempt in attempts}, {"notStarted"})
        self.assertIn("StartDeadlineExceeded", {attempt["reason"] for attempt in attempts})
        self.check_that_both_gpus_are_free()

    def test_a_worker_that_crashes_at_start(self):
        """Another program's image, which knows none of the worker's options."""
        self.create_run("crash", software={"image": "localhost/fairlap-operator:test"})
        run = self.wait_for_end("crash")
        failed = kube.conditions(run)["Failed"]
        self.assertEqual(failed["reason"], "RepeatsFailed")
        self.assertIn("exit code", failed["message"])
        self.assertIn("exit code", run["status"]["repeats"][0]["attempts"][0]["message"])
        self.check_that_both_gpus_are_free()

    def test_data_that_are_not_there(self):
        self.create_run("no-data", problem={"dataset": {"trainPath": "nowhere"}})
        run = self.wait_for_end("no-data")
        self.assertTrue(kube.is_true(run, "Failed"), kube.conditions(run))
        self.assertIn("nowhere", run["status"]["repeats"][0]["attempts"][0]["message"])


class Denied(fixture.EndToEnd):
    """In a namespace of its own, whose rules change under the run."""
    namespace = "denied"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        fixture.make_photos(cls.namespace)

    def quota(self, **hard):
        limits = {name.replace("_", "/"): value for name, value in hard.items()}
        self.addCleanup(kube.delete, "resourcequota", "tight", self.namespace)
        kube.create({"apiVersion": "v1", "kind": "ResourceQuota",
                     "metadata": {"name": "tight", "namespace": self.namespace}, "spec": {"hard": limits}})
        kube.wait_for("the quota to be counted", lambda: kube.get("resourcequota", "tight", self.namespace)[
            "status"].get("used"))

    def lift_and_finish(self, name):
        kube.delete("resourcequota", "tight", self.namespace)
        run = self.wait_for_end(name)
        self.assertTrue(kube.is_true(run, "Complete"), kube.conditions(run))
        self.assert_one_job_per_attempt(name)

    def test_jobs_by_a_quota_until_it_is_lifted(self):
        self.quota(**{"count_jobs.batch": "0"})
        self.create_run("no-jobs")
        said = self.wait_for_message("no-jobs", "exceeded quota: tight", seconds=60)
        self.assertEqual(said.get("reason"), "CreateRefused")
        self.lift_and_finish("no-jobs")

    def test_pods_by_a_quota_until_it_is_lifted(self):
        self.quota(pods="0")
        self.create_run("no-pods")
        self.wait_for_message("no-pods", "exceeded quota: tight", seconds=60)
        self.assertEqual(self.pods("no-pods"), [])
        self.lift_and_finish("no-pods")

    def test_pods_by_a_policy(self):
        """Pod security itself lets the worker's pods in at every level; another rule of admission takes its place."""
        for kind in ("validatingadmissionpolicybinding", "validatingadmissionpolicy"):
            self.addCleanup(kube.kubectl, "delete", kind, POLICY, "--ignore-not-found")
        kube.create(*make_policy(self.namespace))
        kube.wait_for("the API server to apply the policy", self.is_refused)
        self.create_run("refused")
        self.wait_for_message("refused", "workers are not welcome here", seconds=90)
        self.delete_run("refused")

    def is_refused(self):
        spec = objects.make_photos_job("probe", self.namespace)["spec"]["template"]["spec"]
        probe = {"apiVersion": "v1", "kind": "Pod", "spec": spec, "metadata": {
            "name": "probe", "namespace": self.namespace, "labels": {"fairlap.dev/repeat": "1"}}}
        done = kube.execute("kubectl", "create", "--dry-run=server", "-f", "-", text=json.dumps(probe), check=False)
        return "workers are not welcome here" in done.stderr


def make_second_claim(name, first, namespace):
    """A claim and a volume on the folder of another claim's volume."""
    claim = kube.get("persistentvolumeclaim", first, namespace)
    volume = json.loads(kube.kubectl("get", "pv", claim["spec"]["volumeName"], "-o", "json"))
    second = objects.make_claim(name, namespace, storage_class="by-hand")
    second["spec"]["volumeName"] = name
    spec = {member: volume["spec"][member] for member in ("hostPath", "accessModes", "capacity")}
    return second, {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name},
                    "spec": {**spec, "storageClassName": "by-hand", "persistentVolumeReclaimPolicy": "Retain"}}


def make_policy(namespace):
    kind, group = "ValidatingAdmissionPolicy", "admissionregistration.k8s.io/v1"
    pods = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
    rule = {"expression": "!has(object.metadata.labels) || !('fairlap.dev/repeat' in object.metadata.labels)",
            "message": "workers are not welcome here"}
    policy = {"apiVersion": group, "kind": kind, "metadata": {"name": POLICY},
              "spec": {"failurePolicy": "Fail", "matchConstraints": {"resourceRules": [pods]}, "validations": [rule]}}
    binding = {"apiVersion": group, "kind": f"{kind}Binding", "metadata": {"name": POLICY}, "spec": {
        "policyName": POLICY, "validationActions": ["Deny"], "matchResources": {"namespaceSelector": {
            "matchLabels": {"kubernetes.io/metadata.name": namespace}}}}}
    return policy, binding


if __name__ == "__main__":
    unittest.main()
