#!/usr/bin/env python3
"""What the API server itself makes of our CRD and of the planner's objects."""
import json
import unittest

from cluster import ROOT, ControlPlane, run_manifest

PLANE = None
GOLDEN = ROOT / "tests/golden/objects"

# Each breaks one rule; the answer has to name the field.
REFUSED = [
    ({"problem": {"globalBatchSize": 8}}, "spec.problem", "exactly one of batchSize"),
    ({"problem": {"stop": {"steps": 4, "epochs": 1}}}, "spec.problem.stop", "exactly one"),
    ({"problem": {"batchSize": 0}}, "spec.problem.batchSize", "greater than or equal to 1"),
    ({"problem": {"optimizer": {"learningRate": "fast"}}}, "spec.problem.optimizer.learningRate",
     "should match"),
    ({"software": {"model": "resnet51"}}, "spec.software.model", "Unsupported value"),
    ({"software": {"input": {"threads": "4"}}}, "spec.software.input.threads", "must be of type"),
    ({"compute": {"device": "tpu"}}, "spec.compute.device", "Unsupported value"),
    ({"storage": {"data": {"claimName": "a", "claimTemplate": {"size": "1Gi"}}}},
     "spec.storage.data", "exactly one"),
    ({"measurement": {"repeats": 51}}, "spec.measurement.repeats", "less than or equal to 50"),
    ({"startDeadlineSeconds": 0}, "spec.startDeadlineSeconds", "greater than or equal to 1"),
]


def setUpModule():
    global PLANE
    PLANE = ControlPlane()
    unittest.addModuleCleanup(PLANE.down)


def documents(text):
    """Of a stream of JSON documents, as kubectl prints several objects."""
    decoder, found = json.JSONDecoder(), []
    while text := text.lstrip():
        document, end = decoder.raw_decode(text)
        found += document.get("items", [document])
        text = text[end:]
    return found


def contains(stored, wanted, path=""):
    """Where `stored` lacks something that was `wanted`; "" if it holds all of it."""
    if isinstance(wanted, dict) and isinstance(stored, dict):
        for key, value in wanted.items():
            if key not in stored:
                return f"{path}.{key} is missing"
            found = contains(stored[key], value, f"{path}.{key}")
            if found:
                return found
        return ""
    if isinstance(wanted, list) and isinstance(stored, list) and len(wanted) == len(stored):
        return next(filter(None, (contains(s, w, f"{path}[{i}]")
                                  for i, (s, w) in enumerate(zip(stored, wanted)))), "")
    return "" if stored == wanted else f"{path} is {stored!r} and not {wanted!r}"


class TheCrd(unittest.TestCase):
    def apply(self, manifest, *options):
        return PLANE.try_kubectl("apply", "-f", "-", *options, input=json.dumps(manifest))

    def test_accepts_every_sample(self):
        for sample in sorted((ROOT / "crds/samples").glob("*.yaml")):
            with self.subTest(sample=sample.name):
                done = PLANE.try_kubectl("apply", "--dry-run=server", "-f", sample)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_refuses_what_validate_refuses_and_names_the_field(self):
        for changes, field, why in REFUSED:
            with self.subTest(changes=changes):
                done = self.apply(run_manifest("default", **changes), "--dry-run=server")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(field, done.stderr)
                self.assertIn(why, done.stderr)

    def test_refuses_unknown_fields(self):
        done = self.apply(run_manifest("default", software={"modle": "x"}), "--dry-run=server")
        self.assertIn('unknown field "spec.software.modle"', done.stderr)

    def test_refuses_names_too_long_for_its_children(self):
        done = self.apply(run_manifest("default", name="n" * 51), "--dry-run=server")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("50", done.stderr)

    def test_keeps_the_spec_as_it_was_but_for_three_fields(self):
        self.assertEqual(self.apply(run_manifest("default", name="fixed")).returncode, 0)
        for patch in ({"measurement": {"repeats": 3}}, {"queueName": "q"},
                      {"compute": {"nodeSelector": {"a": "b"}}}):
            done = PLANE.try_kubectl("patch", "bmr", "fixed", "--type=merge", "-p",
                                     json.dumps({"spec": patch}))
            self.assertNotEqual(done.returncode, 0, patch)
            self.assertIn("is fixed once created", done.stderr)
        for patch in ({"suspend": True}, {"ttlSecondsAfterFinished": 60}, {"keepFailedPods": False}):
            PLANE.kubectl("patch", "bmr", "fixed", "--type=merge", "-p", json.dumps({"spec": patch}))

    def test_columns_and_short_name(self):
        self.apply(run_manifest("default", name="columns"))
        head = PLANE.kubectl("get", "bmr", "columns").splitlines()[0].split()
        self.assertEqual(head, ["NAME", "STATE", "PROGRESS", "IMAGES/S", "AGE"])
        self.assertIn("columns", PLANE.kubectl("get", "benchmarks"))


class ThePlannersObjects(unittest.TestCase):
    def test_are_stored_field_by_field_as_the_golden_files_have_them(self):
        PLANE.kubectl("create", "namespace", "bench")
        for golden in sorted(GOLDEN.glob("*.yaml")):
            with self.subTest(golden=golden.name):
                wanted = documents(PLANE.kubectl("create", "--dry-run=client", "-o", "json", "-f",
                                                 golden, "--validate=false"))
                done = PLANE.try_kubectl("create", "--dry-run=server", "--validate=strict", "-o",
                                         "json", "-f", golden)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("Warning", done.stderr)
                for want, have in zip(wanted, documents(done.stdout), strict=True):
                    self.assertEqual(contains(have, want), "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
