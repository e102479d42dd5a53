"""Which ten-step trainings the reference losses are of.

Batches, sizes and learning rates are small enough that a case takes seconds and that rounding does not grow: the
losses of another instruction set, another number of threads or another memory layout differ by less than 4e-5
(make_losses.py --robustness), less than half of what the test allows. They are large enough that a wrong update shows
(make_losses.py --sensitivity).
"""
import dataclasses

SGD = {"name": "sgd", "momentum": "0.9", "weightDecay": "0.0001"}


@dataclasses.dataclass
class Case:
    name: str
    network: str
    batch: int
    size: int  # pixels an edge
    classes: int  # 0: images to images
    rate: str
    last_norm: str = ""  # see formula.initialise
    # As spec.problem.optimizer has it, so that the C++ test decodes it; without learningRate.
    optimizer: dict = dataclasses.field(default_factory=lambda: dict(SGD))

    def document(self):
        return {"name": self.name, "network": self.network, "batch": self.batch, "size": self.size,
                "classes": self.classes, "learning_rate": float(self.rate),
                "optimizer": {**self.optimizer, "learningRate": self.rate},
                "last_norm": self.last_norm}


def resnet20(suffix, rate, optimizer):
    return Case(f"resnet20v1-{suffix}", "resnet20v1", 16, 32, 10, rate, "bn2", optimizer)


CASES = [
    Case("alexnet", "alexnet", 8, 64, 1000, "0.01"),
    Case("vgg16", "vgg16", 4, 32, 1000, "0.002"),
    # So many normalisations after each other amplify the gradient towards the stem, and which rectifiers are just
    # above zero depends on rounding; at a higher rate two thread counts of one framework come apart within ten steps.
    Case("inceptionv3", "inceptionv3", 4, 299, 1000, "1e-6"),
    Case("resnet50", "resnet50", 8, 64, 1000, "0.003", "bn3"),
    Case("resnet152", "resnet152", 4, 64, 1000, "0.003", "bn3"),
    Case("resnet20v1", "resnet20v1", 16, 32, 10, "0.05", "bn2"),
    Case("resnet32v1", "resnet32v1", 16, 32, 10, "0.05", "bn2"),
    Case("resnet44v1", "resnet44v1", 16, 32, 10, "0.05", "bn2"),
    Case("resnet56v1", "resnet56v1", 16, 32, 10, "0.05", "bn2"),
    Case("resnet110v1", "resnet110v1", 16, 32, 10, "0.02", "bn2"),
    Case("resnet56v2", "resnet56v2", 16, 32, 10, "0.02", "bn3"),
    Case("resnet110v2", "resnet110v2", 16, 32, 10, "0.01", "bn3"),
    Case("resnet164v2", "resnet164v2", 16, 32, 10, "0.01", "bn3"),
    Case("care2d", "care2d", 4, 64, 0, "0.01"),
    resnet20("adam", "0.001", {"name": "adam", "weightDecay": "0.0001"}),
    resnet20("adamW", "0.001", {"name": "adamW", "weightDecay": "0.01"}),
    resnet20("nesterov", "0.05", SGD | {
        "nesterov": True, "labelSmoothing": "0.1", "gradientClipNorm": "0.5",
        "decayNormAndBias": False}),
]
