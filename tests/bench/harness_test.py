"""The benchmarks' statistics, verdicts and processes; standard library alone."""
import io
import json
import math
import pathlib
import random
import statistics
import sys
import tempfile
import unittest

from harness import alternation, intervals, results, running, stepping, table
from harness.benchmarks import BENCHMARKS, Settings, matching
from harness.training import TrainingSpeed, Work

FAKE = str(pathlib.Path(__file__).with_name("fake_stepper.py"))


class StudentT(unittest.TestCase):
    def test_with_one_degree_of_freedom_is_cauchys(self):
        for p in (0.6, 0.9, 0.975, 0.995):
            self.assertAlmostEqual(intervals.student_t_quantile(p, 1) / math.tan(math.pi * (p - 0.5)), 1)

    def test_with_two_degrees_of_freedom_has_a_closed_form(self):
        for p in (0.6, 0.9, 0.975, 0.995):
            exact = (2 * p - 1) * math.sqrt(2 / (4 * p * (1 - p)))
            self.assertAlmostEqual(intervals.student_t_quantile(p, 2) / exact, 1)

    def test_with_four_degrees_of_freedom_has_one_too(self):
        for p in (0.6, 0.9, 0.975, 0.995):
            a = 4 * p * (1 - p)
            exact = 2 * math.sqrt(math.cos(math.acos(math.sqrt(a)) / 3) / math.sqrt(a) - 1)
            self.assertAlmostEqual(intervals.student_t_quantile(p, 4) / exact, 1)

    def test_equals_the_printed_table(self):
        for freedom, quantile in ((5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)):
            self.assertAlmostEqual(intervals.student_t_quantile(0.975, freedom), quantile, places=3)

    def test_approaches_the_normal_distribution(self):
        normal = statistics.NormalDist().inv_cdf(0.975)
        self.assertAlmostEqual(intervals.student_t_quantile(0.975, 1e7), normal, places=6)

    def test_between_whole_degrees_of_freedom_integrates_the_density(self):
        for freedom in (1.3, 3.7, 17.25):
            t = intervals.student_t_quantile(0.975, freedom)
            self.assertAlmostEqual(0.5 + self.integral(t, freedom), 0.975, places=7)

    @staticmethod
    def integral(t, freedom, parts=2000):
        """Of the density from 0 to t, by Simpson's rule."""
        scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
        scale /= math.sqrt(freedom * math.pi)
        weights = [1 if i in (0, parts) else 4 if i % 2 else 2 for i in range(parts + 1)]
        return scale * t / parts / 3 * sum(
            weight * (1 + (t * i / parts) ** 2 / freedom) ** (-(freedom + 1) / 2)
            for i, weight in enumerate(weights))


class Ratio(unittest.TestCase):
    def test_is_that_of_geometric_means(self):
        self.assertAlmostEqual(intervals.ratio([1, 4, 2], [1, 1, 1]).value, 2)

    def test_of_equal_spreads_has_students_interval(self):
        a, b = [math.exp(x) for x in (1, 2, 3)], [math.exp(x) for x in (0, 1, 2)]
        half = 2.776445 * math.sqrt(2 / 3)  # 4 degrees of freedom
        found = intervals.ratio(a, b)
        self.assertAlmostEqual(math.log(found.low), 1 - half, places=5)
        self.assertAlmostEqual(math.log(found.high), 1 + half, places=5)

    def test_of_unequal_spreads_has_welchs_degrees_of_freedom(self):
        a, b = [1.0, 2.0, 6.0], [0.0, 1.0, 1.0, 2.0]
        va, vb = 7.0 / 3, (2.0 / 3) / 4
        freedom = (va + vb) ** 2 / (va**2 / 2 + vb**2 / 3)
        half = intervals.student_t_quantile(0.975, freedom) * math.sqrt(va + vb)
        found = intervals.welch(a, b)
        self.assertAlmostEqual(found.value, 2)
        self.assertAlmostEqual(found.high - found.value, half)

    def test_covers_the_truth_in_95_of_100(self):
        draw = random.Random(1)
        covered = 0
        for _ in range(2000):
            a = [math.exp(draw.gauss(0.05, 0.02)) for _ in range(6)]
            b = [math.exp(draw.gauss(0.0, 0.05)) for _ in range(6)]
            found = intervals.ratio(a, b)
            covered += found.low <= math.exp(0.05) <= found.high
        self.assertTrue(0.935 <= covered / 2000 <= 0.965, covered)

    def test_of_values_that_do_not_vary_is_exact(self):
        self.assertEqual(intervals.ratio([4, 4], [2, 2]), intervals.Interval(2.0, 2.0, 2.0))

    def test_of_one_value_each_is_open(self):
        found = intervals.ratio([4], [2])
        self.assertEqual((found.low, found.high), (0.0, math.inf))


class Mean(unittest.TestCase):
    def test_has_students_interval(self):
        found = intervals.mean([1.0, 2.0, 3.0])
        self.assertAlmostEqual(found.high, 2 + 4.302653 / math.sqrt(3), places=5)


class Verdict(unittest.TestCase):
    def compare(self, ours, theirs, **options):
        return results.comparison("train/x", "peer", "images/s", ours, theirs, 1.0, **options)

    def test_allows_two_hundredths_below_the_target(self):
        self.assertTrue(self.compare([98.5, 98.5], [100, 100])["pass"])
        self.assertFalse(self.compare([97.5, 97.5], [100, 100])["pass"])

    def test_judges_the_lower_end(self):
        result = self.compare([90, 130, 110], [100, 100, 100])
        self.assertGreater(result["ratio"], 1)
        self.assertFalse(result["pass"])

    def test_of_seconds_and_bytes_is_turned_round(self):
        result = self.compare([1, 1], [2, 2], higher_is_better=False)
        self.assertEqual((result["ratio"], result["pass"]), (2.0, True))
        self.assertEqual((result["ours"], result["theirs"]), (1.0, 2.0))

    def test_of_a_limit_is_at_its_upper_end_without_tolerance(self):
        interval = intervals.Interval(0.9, 0.8, 1.001)
        self.assertFalse(results.limit("train/overhead", "%", interval, 1.0)["pass"])
        self.assertTrue(results.limit("train/overhead", "%", interval, 1.001)["pass"])

    def test_without_an_interval_fails_and_is_json(self):
        result = self.compare([4], [2])
        self.assertFalse(result["pass"])
        self.assertIsNone(json.loads(json.dumps(result, allow_nan=False))["high"])


class Alternation(unittest.TestCase):
    def test_goes_ab_ba(self):
        order = []
        alternation.rounds(3, lambda: order.append("a"), lambda: order.append("b"))
        self.assertEqual("".join(order), "abbaab")


class Stepping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = pathlib.Path(folder.name, "log")

    def fake(self, name, seconds, parameters=7):
        return [sys.executable, FAKE, name, str(seconds), str(parameters), str(self.log)]

    def test_takes_turns_of_as_many_steps_on_both_sides(self):
        plan = stepping.Plan(rounds=5, pairs=2, turn_seconds=1.0, warmup_seconds=0.5)
        measured = stepping.measure(self.fake("a", 0.1), self.fake("b", 0.2), plan)
        self.assertEqual([len(side) for side in measured.seconds_per_step], [5, 5])
        self.assertAlmostEqual(statistics.fmean(measured.seconds_per_step[0]), 0.1)
        self.assertEqual(measured.peak_bytes, ([1000, 1000], [1000, 1000]))
        turns = [line for line in self.log.read_text().split("\n") if line.endswith(" 5")]
        self.assertEqual("".join(turn[0] for turn in turns), "abbaab" + "abba")

    def test_alternates_two_kinds_of_steps_inside_of_one_process(self):
        plan = stepping.Plan(rounds=3, pairs=2, turn_seconds=1.0, warmup_seconds=0.5)
        means = stepping.inside_one(self.fake("a", 0.1), ("", "bare"), plan)
        self.assertEqual([round(math.exp(-mean), 9) for mean in means], [1.1, 1.1])
        turns = [line for line in self.log.read_text().splitlines() if line.startswith("a 9")]
        self.assertEqual(turns, 2 * ["a 9", "a 9 bare", "a 9 bare", "a 9", "a 9", "a 9 bare"])

    def test_refuses_two_networks(self):
        plan = stepping.Plan(rounds=2, pairs=1, turn_seconds=1, warmup_seconds=0.1)
        with self.assertRaisesRegex(RuntimeError, "same network"):
            stepping.measure(self.fake("a", 1), self.fake("b", 1, parameters=8), plan)

    def test_refuses_a_loss_that_is_no_number(self):
        plan = stepping.Plan(rounds=2, pairs=1, turn_seconds=1, warmup_seconds=0.0005)
        with self.assertRaisesRegex(RuntimeError, "wrongly"):
            stepping.measure(self.fake("a", 0.001), self.fake("b", 0.001), plan)

    def test_says_which_process_ended(self):
        plan = stepping.Plan(rounds=2, pairs=1)
        with self.assertRaisesRegex(RuntimeError, "ended with status 3"):
            stepping.measure([sys.executable, "-c", "raise SystemExit(3)"], self.fake("b", 1), plan)


class Running(unittest.TestCase):
    def test_what_cannot_run_fails_and_is_written_down(self):
        speed = TrainingSpeed("train/x", Work("resnet20v1", 1, 32, 10), 1.0)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "new/bench.json")
            settings = Settings(pathlib.Path(folder), pathlib.Path(folder))
            running.run([speed], settings, path, out=io.StringIO())
            known = json.loads(path.read_text())
        self.assertEqual([result["name"] for result in known],
                         ["train/x", "train/peak-memory-x"])
        self.assertFalse(any(result["pass"] for result in known))
        self.assertIn("training_bench", known[0]["error"])
        self.assertIn("FAILED", table.table(known))

    def test_every_name_is_of_a_known_kind_and_there_once(self):
        names = [name for benchmark in BENCHMARKS for name in benchmark.names()]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual({name.split("/")[0] for name in names}, set(results.KINDS))

    def test_a_benchmark_is_chosen_by_any_of_its_results(self):
        self.assertEqual([b.name for b in matching("peak-memory-care", BENCHMARKS)],
                         ["train/care-b32"])


class Table(unittest.TestCase):
    def test_has_a_line_for_comparisons_and_limits(self):
        known = [results.comparison("train/x", "peer", "images/s", [12, 13], [10, 10], 1.0),
                 results.limit("train/overhead", "%", intervals.Interval(0.5, 0.25, 0.75), 1.0)]
        lines = table.table(known).splitlines()
        self.assertEqual(len(lines), 3)
        self.assertRegex(lines[2], r"0\.5 % +\(0\.25 \.\. 0\.75\) +<= 1 +ok$")


if __name__ == "__main__":
    unittest.main()
