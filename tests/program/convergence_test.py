"""Networks learn what they should, stop where they were told to, and tell Prometheus the curve that the report has;
and what a machine cannot give (memory) ends a repeat with everything that was measured."""
import time
import unittest

from harness import fairlap
from worker_case import WorkerCase, metric_values, run_config

LONG_SECONDS = 900
SERIES = {"top1": 'fairlap_accuracy_ratio{metric="top1"}', "psnrDecibels": "fairlap_psnr_decibels"}


def without_repetitions(values):
    return [value for i, value in enumerate(values) if i == 0 or value != values[i - 1]]


class Learning(WorkerCase):
    def generate(self, data_format, *arguments):
        data = self.folder / "data"
        done = fairlap("dataset", "generate", "--format", data_format, "--out", data, "--seed", "5", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return data

    def train(self, config, data):
        """The report, and what was scraped meanwhile: each series' values in their order."""
        self.start(config, f"--data={data}", "--linger=60")
        scraped = {name: [] for name in SERIES}
        end = time.monotonic() + LONG_SECONDS
        while self.worker.poll() is None:
            self.assertLess(time.monotonic(), end, "it does not end")
            values = metric_values(self.get("/metrics") or "")
            for name, series in SERIES.items():
                if series in values:
                    scraped[name].append(values[series])
            time.sleep(0.02)
        self.assertEqual(self.worker.returncode, 0, self.said())
        return self.rank_report(), scraped

    def assert_learnt(self, report, scraped, metric, target, most_epochs):
        curve = [row[metric] for row in report["epochs"]]
        self.assertGreaterEqual(curve[-1], target)
        self.assertTrue(all(value < target for value in curve[:-1]), f"it went on after the target: {curve}")
        self.assertLess(len(curve), most_epochs)
        self.assertEqual(report["summary"]["figures"]["epochs"], len(curve))
        self.assertIn("targetReached", report["summary"]["marks"])
        self.assertGreater(report["summary"]["figures"]["timeToAccuracySeconds"], 0)
        self.assertEqual(without_repetitions([float(f"{value:.6g}") for value in scraped[metric]]),
                         without_repetitions(curve))
        for check, holds in report["checks"].items():
            self.assertTrue(holds, check)

    def classify(self, model, target, most_epochs, **optimizer):
        data = self.generate("cifar10", "--classes", "4", "--images", "800")
        config = run_config(
            software={"model": model, "input": {"threads": 1, "prefetchBatches": 2}},
            problem={"dataset": {"format": "cifar10"}, "batchSize": 32, "optimizer": optimizer,
                     "stop": {"accuracy": {"metric": "top1", "target": target, "maxEpochs": most_epochs}}})
        report, scraped = self.train(config, data)
        self.assert_learnt(report, scraped, "top1", float(target), most_epochs)

    def test_resnet20_reaches_the_accuracy_and_stops_there(self):
        self.classify("resnet20v1", "0.8", 20, learningRate="0.05")

    def test_resnet56v2_reaches_the_accuracy_and_stops_there(self):
        self.classify("resnet56v2", "0.8", 20, learningRate="0.05")

    def test_care_gains_three_decibels_over_the_noisy_images(self):
        data = self.generate("carePairs", "--images", "40")
        config = run_config(
            software={"model": "care2d", "input": {"threads": 1, "prefetchBatches": 2}},
            problem={"dataset": {"format": "carePairs", "imageSize": 64}, "batchSize": 8,
                     "optimizer": {"name": "adam", "learningRate": "0.001"},
                     "stop": {"accuracy": {"metric": "psnr", "target": "25", "maxEpochs": 60}}})
        report, scraped = self.train(config, data)
        self.assert_learnt(report, scraped, "psnrDecibels", 25, 60)
        last = report["epochs"][-1]
        self.assertGreaterEqual(last["psnrDecibels"], last["inputPsnrDecibels"] + 3)


class Memory(WorkerCase):
    def test_too_little_memory_is_a_result_with_the_figures_so_far(self):
        config = run_config(problem={
            "dataset": {"format": "synthetic", "imageSize": 64,
                        "synthetic": {"samples": 40_000, "validationSamples": 0, "classes": 10}},
            "batchSize": 8192, "stop": {"steps": 3}})
        config["problem"]["warmupSteps"] = 0
        # 8192 images of 64 pixels are 400 MB, and the first layer's output 2 GB.
        self.start(config, before=["prlimit", f"--data={3 << 30}:{3 << 30}"])
        self.assertEqual(self.end(), 1, self.said())
        for summary in (self.summary(), self.rank_report()["summary"]):
            self.assertEqual((summary["outcome"], summary["reason"]), ("failed", "OutOfMemory"))
            self.assertRegex(summary["message"], "out of memory.*batchSize")
            self.assertIn("modelReady", summary["marks"])


if __name__ == "__main__":
    unittest.main()
