"""fairlap-worker and the storage that it reads from: staging, and the state of the page cache."""
import pathlib
import shutil
import tempfile
import unittest

from harness import AS_ORDINARY_USER, fairlap, large_hole, tiny_volume
from worker_case import run_config, metric_values, write_cifar, WorkerCase


class Staging(WorkerCase):
    def setUp(self):
        super().setUp()
        self.data = self.folder / "data"
        self.scratch = self.folder / "scratch"
        write_cifar(self.data, train=64, test=8)

    def start_with(self, staging, *arguments, steps=6):
        config = run_config(problem={"dataset": {"format": "cifar10"}, "stop": {"steps": steps}})
        config["staging"] = staging
        self.start(config, f"--data={self.data}", f"--scratch={self.scratch}", *arguments)

    def assert_failed(self, reason, *words):
        self.assertEqual(self.end(), 1, self.said())
        for summary in (self.summary(), self.rank_report()["summary"]):
            self.assertEqual((summary["outcome"], summary["reason"]), ("failed", reason))
            for word in words:
                self.assertIn(word, summary["message"])
            self.assertNotIn("stagingDone", summary["marks"])

    def test_a_copy_trains_as_the_original_and_says_what_it_cost(self):
        reports = {}
        for staging in ("direct", "copy"):
            self.scratch.mkdir(exist_ok=True)
            self.start_with(staging)
            self.assertEqual(self.end(), 0, self.said())
            self.stop()
            reports[staging] = self.rank_report()
        direct, copy = reports["direct"], reports["copy"]
        self.assertEqual(copy["steps"]["loss"], direct["steps"]["loss"])
        self.assertEqual(copy["data"]["identity"], direct["data"]["identity"])
        self.assertNotIn("stagingDone", direct["summary"]["marks"])
        self.assertNotIn("staging", direct["data"])
        marks = copy["summary"]["marks"]
        self.assertLess(marks["containerStarted"], marks["stagingDone"])
        self.assertLess(marks["stagingDone"], marks["dataIndexed"])
        staging = copy["data"]["staging"]
        size = (64 + 8) * 3073
        self.assertEqual((staging["files"], staging["totalFiles"], staging["keptFiles"]), (2, 2, 0))
        self.assertEqual((staging["bytes"], staging["totalBytes"]), (size, size))
        self.assertGreater(staging["seconds"], 0)
        stage = copy["summary"]["figures"]["stageSeconds"]["stageIn"]
        self.assertEqual(stage, staging["seconds"])
        self.assertEqual(sorted(path.name for path in self.scratch.iterdir()),
                         ["data_batch_1.bin", "test_batch.bin"])

    def test_is_in_the_metrics_and_in_the_progress(self):
        self.scratch.mkdir()
        self.start_with("copy", "--linger=120")
        progress = self.wait_for_progress(lambda now: now["phase"] == "finished", "the end")
        metrics = metric_values(self.get("/metrics"))
        self.assertEqual(self.end(), 0, self.said())
        staging = self.rank_report()["data"]["staging"]
        self.assertEqual(progress["staging"], staging)
        self.assertEqual(metrics["fairlap_staged_bytes_total"], staging["bytes"])
        self.assertAlmostEqual(metrics['fairlap_stage_seconds_total{stage="stage_in"}'],
                               staging["seconds"], delta=1e-5 * staging["seconds"])

    def test_a_scratch_that_is_too_small_is_said_before_anything_is_copied(self):
        tiny_volume(self, self.scratch, "64k")
        self.start_with("copy")
        self.assert_failed("Unavailable", f"{self.scratch}: copying the data set needs 229376 bytes",
                           "this volume has 65536 bytes free", "use staging direct")
        self.assertEqual(list(self.scratch.iterdir()), [])
        self.assertEqual(self.rank_report()["data"]["staging"]["totalFiles"], 2)

    def test_data_that_cannot_be_read_is_named(self):
        self.scratch.mkdir()
        (self.data / "data_batch_1.bin").chmod(0)
        config = run_config(problem={"dataset": {"format": "cifar10"}})
        config["staging"] = "copy"
        self.start(config, f"--data={self.data}", f"--scratch={self.scratch}",
                   before=AS_ORDINARY_USER)
        self.assert_failed("Io", "data_batch_1.bin: cannot open: Permission denied")

    def test_is_interrupted_with_what_was_copied_by_then(self):
        self.scratch.mkdir()
        large_hole(self, self.data / "large")
        self.start_with("copy")
        self.wait_for_progress(lambda now: now.get("staging", {"bytes": 0})["bytes"] > 0, "a copy")
        report = self.assert_interrupted()
        self.assertGreater(report["data"]["staging"]["bytes"], 0)
        self.assertGreater(report["summary"]["figures"]["stageSeconds"]["stageIn"], 0)

    def test_needs_a_scratch_folder(self):
        config = run_config(problem={"dataset": {"format": "cifar10"}})
        config["staging"] = "copy"
        self.start(config, f"--data={self.data}")
        self.assertEqual(self.end(), 2)
        self.assertIn("--scratch is needed", self.said())


class CacheState(WorkerCase):
    """storage.cache on some MB of photographs: what is claimed is what was verified."""

    def train(self, cache, folder=None, stop=None):
        """The figures of a short training; its data set lies in a folder of its own."""
        data = pathlib.Path(tempfile.mkdtemp(prefix="fairlap-data-", dir=folder))
        self.addCleanup(shutil.rmtree, data, ignore_errors=True)
        made = fairlap("dataset", "generate", "--format", "imageFolder", "--classes", "2",
                       "--images", "60", "--out", data / "photographs")
        self.assertEqual(made.returncode, 0, made.stderr)
        config = run_config(problem={"dataset": {"format": "imageFolder", "imageSize": 32},
                                     "batchSize": 8, "stop": stop or {"epochs": 2}})
        config["cache"] = cache
        self.start(config, f"--data={data / 'photographs'}")
        self.assertEqual(self.end(), 0, self.said())
        report = self.rank_report()
        if folder is None and report["environment"]["dataFileSystem"] not in ("ext4", "xfs"):
            self.skipTest(f"{data} is neither on ext4 nor on xfs: nothing can be verified there")
        self.assertEqual(self.summary(), report["summary"])
        return report["summary"]["figures"], report["summary"]["marks"]

    def assert_prepared(self, figures, marks):
        self.assertGreater(figures["stageSeconds"]["cachePrepare"], 0)
        self.assertLess(marks["dataIndexed"], marks["cachePrepared"])
        self.assertLess(marks["cachePrepared"], marks["modelReady"])

    def test_cold_is_what_was_read_from_the_disk_once(self):
        figures, marks = self.train("cold")
        self.assertEqual(figures["cacheState"], "cold", figures["cacheStateReason"])
        self.assertIn("sampled pages", figures["cacheStateReason"])
        self.assert_prepared(figures, marks)

    def test_cold_is_verified_for_less_than_an_epoch_too(self):
        figures, _ = self.train("cold", stop={"steps": 4})
        self.assertEqual(figures["cacheState"], "cold", figures["cacheStateReason"])

    def test_warm_is_what_came_from_memory(self):
        figures, marks = self.train("warm")
        self.assertEqual(figures["cacheState"], "warm", figures["cacheStateReason"])
        self.assert_prepared(figures, marks)

    def test_as_is_claims_nothing_and_touches_nothing(self):
        figures, marks = self.train("asIs")
        self.assertEqual(figures["cacheState"], "asIs")
        self.assertNotIn("cacheStateReason", figures)
        self.assertNotIn("cachePrepare", figures["stageSeconds"])
        self.assertNotIn("cachePrepared", marks)

    def test_nothing_is_verified_in_memory(self):
        for cache in ("cold", "warm"):
            with self.subTest(cache):
                figures, marks = self.train(cache, folder="/dev/shm")
                self.assertEqual(figures["cacheState"], "unverified")
                self.assertIn("tmpfs", figures["cacheStateReason"])
                self.assert_prepared(figures, marks)

    def test_nothing_is_verified_of_samples_that_are_held_in_memory(self):
        data = self.folder / "data"
        write_cifar(data, train=16, test=8)
        config = run_config(problem={"dataset": {"format": "cifar10"}})
        config["cache"] = "cold"
        self.start(config, f"--data={data}")
        self.assertEqual(self.end(), 0, self.said())
        figures = self.summary()["figures"]
        self.assertEqual(figures["cacheState"], "unverified")
        self.assertIn("held in memory", figures["cacheStateReason"])


if __name__ == "__main__":
    unittest.main()
