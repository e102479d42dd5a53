"""A run that completes: its figures in the status, the kept report and the results volume are the same ones, and the
same manifest run without a cluster gives a report of the same shape."""
import base64
import gzip
import json
import pathlib
import statistics
import tempfile
import unittest

import fixture
import kube
import objects

RUN, RESULTS = "result", "results"
REPEATS = {"w1": "result-w1-1", "1": "result-1-1", "2": "result-2-1"}
# The operator adds these, from what only the cluster can tell.
OPERATORS_FIGURES = {"timeToFirstResultSeconds", "timeToResultsSeconds", "timeToAccuracySeconds", "cost"}
SPEC = {"measurement": {"repeats": 2, "warmupRuns": 1}, "storage": {"results": {"claimName": RESULTS}}}


def from_worker(figures):
    return {name: value for name, value in figures.items() if name not in OPERATORS_FIGURES}


def kept_report(job, namespace):
    """The report that the operator took from the pod's log."""
    config = kube.get("configmap", f"{job}-report", namespace)
    return json.loads(gzip.decompress(base64.b64decode(config["binaryData"]["report.json.gz"])))


def shape(value, path=""):
    """The paths of a document's members, whatever they hold."""
    if isinstance(value, dict):
        return {path} | {found for name, member in value.items() for found in shape(member, f"{path}.{name}")}
    if isinstance(value, list):
        return {path} | {found for member in value for found in shape(member, f"{path}[]")}
    return {path}


class Results(fixture.EndToEnd):
    """One run for all methods."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.addClassCleanup(kube.delete, "persistentvolumeclaim", RESULTS, cls.namespace)
        cls.addClassCleanup(kube.delete, "pod", "reader", cls.namespace)
        cls.addClassCleanup(kube.delete, "benchmarkrun", RUN, cls.namespace)
        kube.create(objects.make_claim(RESULTS, cls.namespace), objects.make_run(RUN, cls.namespace, **SPEC))
        kube.kubectl("wait", "--namespace", cls.namespace, "--for=condition=Complete", f"benchmarkrun/{RUN}",
                     f"--timeout={2 * fixture.PATIENCE}s")
        cls.finished = kube.get("benchmarkrun", RUN, cls.namespace)
        cls.volume = cls.read_results_volume()

    @classmethod
    def read_results_volume(cls):
        """Job -> report.json, as a pod of the user's would read it: one line each."""
        script = "cd /data && for file in */report.json; do echo \"${file%/*} $(tr -d '\\n' < $file)\"; done"
        kube.create(objects.make_pod("reader", cls.namespace, ["sh", "-c", script], RESULTS))
        kube.wait_for("the reader", lambda: kube.get("pod", "reader", cls.namespace)["status"]["phase"] == "Succeeded")
        lines = kube.kubectl("logs", "--namespace", cls.namespace, "reader").splitlines()
        return {job: json.loads(report) for job, report in (line.split(" ", 1) for line in lines)}

    def repeats(self):
        return {repeat["name"]: repeat for repeat in self.finished["status"]["repeats"]}

    def test_every_repeat_ran_once_and_succeeded(self):
        repeats = self.repeats()
        self.assertEqual({name: [attempt["job"] for attempt in repeat["attempts"]]
                          for name, repeat in repeats.items()}, {name: [job] for name, job in REPEATS.items()})
        self.assertEqual({repeat["outcome"] for repeat in repeats.values()}, {"succeeded"})
        self.assertEqual(len({repeat["seed"] for repeat in repeats.values()}), 3)
        self.assertFalse([attempt["lost"] for repeat in repeats.values() for attempt in repeat["attempts"]
                          if attempt.get("lost")])

    def test_the_repeats_followed_each_other_on_one_node(self):
        attempts = [self.repeats()[name]["attempts"][0] for name in REPEATS]
        self.assertEqual({tuple(attempt["nodes"]) for attempt in attempts}, {("node1",)})
        for before, after in zip(attempts, attempts[1:]):
            self.assertLessEqual(before["marks"]["finished"], after["marks"]["jobCreated"])

    def test_the_status_holds_the_figures_of_the_kept_reports(self):
        for name, job in REPEATS.items():
            repeat = self.repeats()[name]
            self.assertEqual(repeat["attempts"][0]["report"], f"configmap/{job}-report")
            reported = kept_report(job, self.namespace)["summary"]
            self.assertEqual(from_worker(repeat["figures"]), from_worker(reported["figures"]))
            self.assertEqual(repeat["seed"], reported["seed"])

    def test_the_status_holds_the_figures_of_the_results_volume(self):
        self.assertEqual(set(self.volume), set(REPEATS.values()))
        for name, job in REPEATS.items():
            self.assertEqual(from_worker(self.repeats()[name]["figures"]),
                             from_worker(self.volume[job]["summary"]["figures"]))

    def test_the_kept_report_says_what_the_full_one_does(self):
        for job in REPEATS.values():
            kept = kept_report(job, self.namespace)
            # Sixty steps are no reason to compact anything; the environment has the cluster's facts.
            self.assertEqual({**kept, "steps": None, "environment": None},
                             {**self.volume[job], "steps": None, "environment": None})
            seen, known = self.volume[job]["environment"], kept["environment"]
            self.assertLessEqual({name for name in known if known[name] != seen.get(name)},
                                 {"imageDigest", "cloudProvider", "instanceType", "region", "gpuSharing"})
            self.assertRegex(known["imageDigest"], "^sha256:")
            self.assertEqual(kept["steps"]["loss"], self.volume[job]["steps"]["loss"])

    def test_the_summary_is_over_the_counted_repeats(self):
        figures = [self.repeats()[name]["figures"] for name in ("1", "2")]
        summary = self.finished["status"]["summary"]
        for member, name in {"samplesPerSecond": "samplesPerSecond", "finalLoss": "finalLoss",
                             "timeToResultsSeconds": "timeToResultsSeconds"}.items():
            values = [figure[name] for figure in figures]
            self.assertEqual(summary[member]["values"], values)
            self.assertEqual((summary[member]["n"], summary[member]["succeeded"]), (2, 2))
            self.assertAlmostEqual(summary[member]["mean"] / statistics.mean(values), 1, places=5)

    def test_times_count_from_the_jobs_creation(self):
        for name in REPEATS:
            figures = self.repeats()[name]["figures"]
            self.assertGreater(figures["timeToFirstResultSeconds"], 0)
            self.assertGreater(figures["timeToResultsSeconds"], figures["timeToFirstResultSeconds"])

    def test_events_tell_the_story(self):
        events = kube.find("events", self.namespace)
        reasons = [event["reason"] for event in events if event["involvedObject"]["name"] == RUN]
        for reason in ("SpecAccepted", "JobCreated", "RepeatStarted", "RepeatSucceeded", "RepeatsSucceeded"):
            self.assertIn(reason, reasons)

    def test_the_same_manifest_without_a_cluster_gives_a_report_of_the_same_shape(self):
        """`fairlap run`, on the data of the same claim."""
        claim = kube.get("persistentvolumeclaim", objects.PHOTOS, self.namespace)
        volume = json.loads(kube.kubectl("get", "pv", claim["spec"]["volumeName"], "-o", "json"))
        folder = self.enterContext(tempfile.TemporaryDirectory())
        manifest = pathlib.Path(folder) / "run.json"
        manifest.write_text(json.dumps(objects.make_run(RUN, self.namespace, **objects.merge(
            SPEC, {"measurement": {"repeats": 1, "warmupRuns": 0}, "storage": {"results": None}}))), encoding="utf-8")
        kube.execute(kube.ROOT / "build" / "release" / "bin" / "fairlap", "run", "-f", manifest, "--volume",
                     f"{objects.PHOTOS}={volume['spec']['hostPath']['path']}", "--out", f"{folder}/out")
        local = next(pathlib.Path(folder, "out").glob(f"**/{REPEATS['1']}/report.json"))
        # What could not be observed is absent: limits of a container, marks of a scheduler.
        there, here = shape(self.volume[REPEATS["1"]]), shape(json.loads(local.read_text(encoding="utf-8")))
        differing = {path for path in there ^ here if not path.startswith((".environment", ".summary.marks"))}
        self.assertEqual(differing, set())

    def test_z_deleting_it_removes_every_child_and_leaves_the_users_claims(self):
        self.assertTrue(kube.children(RUN, self.namespace))
        self.delete_run(RUN)
        for claim in (objects.PHOTOS, RESULTS):
            self.assertIsNotNone(kube.get("persistentvolumeclaim", claim, self.namespace))


if __name__ == "__main__":
    unittest.main()
