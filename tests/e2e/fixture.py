"""What the tests share: the operator, a namespace with a claim full of JPEGs, and the steps of a run's life."""
import unittest

import kube
import objects

BENCH = "bench"
# A repeat on two busy cores; a run that is stuck is noticed by then.
PATIENCE = 300


def install_chart():
    """As the README says, for a test that is run without the newcomer's."""
    if "fairlap" in kube.helm("list", "--deployed", "--short").split():
        return
    kube.make_namespace(kube.SYSTEM)
    kube.helm("install", "fairlap", "charts/fairlap", "--set-string", "image.registry=localhost,image.tag=test")


class EndToEnd(unittest.TestCase):
    """Runs go away with the test that made them, so that they hold no GPU in the next one."""
    namespace = BENCH

    @classmethod
    def setUpClass(cls):
        install_chart()
        kube.wait_for_operator()
        kube.make_namespace(cls.namespace)
        if cls.namespace == BENCH:
            make_photos(BENCH)

    def create_run(self, name, **spec):
        self.addCleanup(self.delete_run, name)
        kube.create(objects.make_run(name, self.namespace, **spec))

    def delete_run(self, name):
        kube.delete("benchmarkrun", name, self.namespace)
        kube.wait_for(f"the children of {name} to go", lambda: not kube.children(name, self.namespace))

    def run_now(self, name):
        found = kube.get("benchmarkrun", name, self.namespace)
        if found is None:
            raise AssertionError(f"no run {name}")
        return found

    def jobs(self, name):
        return kube.find("jobs", self.namespace, **{"fairlap.dev_run": name})

    def pods(self, name):
        return kube.find("pods", self.namespace, **{"fairlap.dev_run": name})

    def wait_for_condition(self, name, condition, reason=None, status="True", seconds=PATIENCE):
        """The condition, once it has this status and reason."""
        def probe():
            found = kube.conditions(self.run_now(name)).get(condition, {})
            return found if found.get("status") == status and reason in (None, found.get("reason")) else None
        try:
            return kube.wait_for(f"{condition}={status} {reason or ''} of {name}", probe, seconds)
        except AssertionError as error:
            raise AssertionError(f"{error}; conditions: {kube.conditions(self.run_now(name))}") from None

    def wait_for_message(self, name, words, seconds=PATIENCE):
        """The first condition, or attempt, whose message holds these words of the cluster's."""
        def probe():
            run = self.run_now(name)
            attempts = [attempt for repeat in run.get("status", {}).get("repeats", [])
                        for attempt in repeat.get("attempts", [])]
            said = [item for item in [*kube.conditions(run).values(), *attempts] if words in item.get("message", "")]
            return said[0] if said else None
        return kube.wait_for(f"'{words}' in the status of {name}", probe, seconds)

    def wait_for_training(self, name):
        """The run, once its worker has done some steps."""
        def probe():
            run = self.run_now(name)
            worker = run.get("status", {}).get("progress", {}).get("worker") or {}
            return run if worker.get("step", 0) > 0 else None
        return kube.wait_for(f"progress of {name}", probe, PATIENCE)

    def wait_for_end(self, name):
        """The finished run, Complete or Failed."""
        return kube.wait_for(f"the end of {name}", lambda: (
            kube.is_true(self.run_now(name), "Complete") or kube.is_true(self.run_now(name), "Failed"))
            and self.run_now(name), PATIENCE)

    def assert_one_job_per_attempt(self, name):
        """Whatever happened to the operator, nothing is doubled."""
        attempts = [attempt["job"] for repeat in self.run_now(name)["status"]["repeats"]
                    for attempt in repeat["attempts"]]
        self.assertEqual(len(set(attempts)), len(attempts))
        self.assertLessEqual({job["metadata"]["name"] for job in self.jobs(name)}, set(attempts))
        pods = [pod["metadata"]["labels"]["job-name"] for pod in self.pods(name)]
        self.assertEqual(len(set(pods)), len(pods), "a job with two pods")


def make_photos(namespace):
    """A claim that many pods may share, filled once by a job of the worker's image."""
    if kube.get("job", "make-photos", namespace) is None:
        kube.create(objects.make_claim(objects.PHOTOS, namespace), objects.make_photos_job("make-photos", namespace))
    kube.kubectl("wait", "--namespace", namespace, "--for=condition=Complete", "job/make-photos",
                 f"--timeout={PATIENCE}s")
