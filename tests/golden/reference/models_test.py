"""models.py has the published number of parameters everywhere; models_plain.py is torchvision, under the same names
and with the same outputs.

    PYTHON_WITH_TORCH tests/golden/reference/models_test.py
"""
import unittest

import torch

import formula
import models
import models_plain

PUBLISHED = {
    "alexnet": 61_100_840, "vgg16": 138_357_544, "inceptionv3": 27_161_264, "resnet50": 25_557_032,
    "resnet152": 60_192_808, "resnet20v1": 269_722, "resnet32v1": 464_154, "resnet44v1": 658_586,
    "resnet56v1": 853_018, "resnet110v1": 1_727_962, "resnet56v2": 590_426,
    "resnet110v2": 1_146_842, "resnet164v2": 1_703_258, "care2d": 83_377,
}


class Parameters(unittest.TestCase):
    def test_are_as_many_as_published(self):
        with torch.device("meta"):
            counts = {name: models.parameter_count(model.make(model.classes))
                      for name, model in models.MODELS.items()}
        self.assertEqual(counts, PUBLISHED)

    def test_of_the_second_version_are_named_as_in_worker_model(self):
        with torch.device("meta"):
            names = [name for name, _ in models.MODELS["resnet56v2"].make(10).named_parameters()]
        first = ["layer1.0." + name for name in (
            "bn1.weight", "bn1.bias", "conv1.weight", "bn2.weight", "bn2.bias", "conv2.weight",
            "bn3.weight", "bn3.bias", "conv3.weight", "shortcut.weight")]
        self.assertEqual(names[:11], ["conv1.weight", *first])
        self.assertEqual(names[-4:], ["bn.weight", "bn.bias", "fc.weight", "fc.bias"])


@unittest.skipIf(models.torchvision is None, "torchvision is missing")
class Plain(unittest.TestCase):
    def assert_same(self, name, plain, size):
        theirs = models.without_dropout(models.MODELS[name].make(10).train())
        ours = models.without_dropout(plain(10).train())
        shapes = [[(name, p.shape) for name, p in network.named_parameters()]
                  for network in (theirs, ours)]
        self.assertEqual(*shapes)
        for network in (theirs, ours):
            formula.initialise(network, "")
        images = formula.images(0, (2, 3, size, size))
        with torch.no_grad():
            outputs = [network(images) for network in (theirs, ours)]
        for expected, got in zip(*map(self.as_list, outputs), strict=True):
            torch.testing.assert_close(got, expected)

    @staticmethod
    def as_list(outputs):
        return list(outputs) if isinstance(outputs, tuple) else [outputs]

    def test_alexnet(self):
        self.assert_same("alexnet", models_plain.alexnet, 64)

    def test_vgg16(self):
        self.assert_same("vgg16", models_plain.vgg16, 32)

    def test_inception_v3(self):
        self.assert_same("inceptionv3", models_plain.inception_v3, 299)

    def test_resnet50(self):
        self.assert_same("resnet50", models_plain.resnet50, 64)

    def test_resnet152(self):
        self.assert_same("resnet152", models_plain.resnet152, 64)


if __name__ == "__main__":
    unittest.main()
