"""The networks in Python, a second time and independently of worker/model: torchvision's where it has them, the
CIFAR residual networks and CARE from the papers. What the reference losses come from, and what the benchmarks run
as the peer.

Where torchvision is missing its networks come from models_plain.py, which models_test.py holds against it.
"""
import dataclasses
import typing

import torch
from torch import nn
from torch.nn import functional

try:
    import torchvision
except ImportError:
    torchvision = None
import models_plain
from models_cifar import Care2d, CifarResNet, CifarResNetV2

INCEPTION_AUXILIARY_WEIGHT = 0.4  # as torchvision's reference training has it


@dataclasses.dataclass(frozen=True)
class Model:
    make: typing.Callable  # classes -> nn.Module; care2d's takes none into account
    classes: int  # published; 0: not a classifier
    size: int  # published, pixels an edge

    @property
    def channels(self):
        return 3 if self.classes else 1


def imagenet(name, size, **options):
    if torchvision is None:
        make = getattr(models_plain, name)
        return Model(lambda classes: make(classes), 1000, size)
    make = getattr(torchvision.models, name)
    return Model(lambda classes: make(weights=None, num_classes=classes, **options), 1000, size)


def cifar(make, depth):
    return Model(lambda classes: make(depth, classes), 10, 32)


MODELS = {
    "alexnet": imagenet("alexnet", 224),
    "vgg16": imagenet("vgg16", 224, init_weights=False),
    "inceptionv3": imagenet("inception_v3", 299, aux_logits=True, transform_input=False,
                            init_weights=False),
    "resnet50": imagenet("resnet50", 224),
    "resnet152": imagenet("resnet152", 224),
    **{f"resnet{depth}v1": cifar(CifarResNet, depth) for depth in (20, 32, 44, 56, 110)},
    **{f"resnet{depth}v2": cifar(CifarResNetV2, depth) for depth in (56, 110, 164)},
    "care2d": Model(lambda classes: Care2d(), 0, 128),
}


def loss_of(outputs, targets, label_smoothing=0.0):
    """Cross entropy for classes, the mean absolute error for images; Inception in training mode gives a pair."""
    if isinstance(outputs, tuple):
        main, auxiliary = (loss_of(each, targets, label_smoothing) for each in outputs)
        return main + INCEPTION_AUXILIARY_WEIGHT * auxiliary
    if targets.dtype == torch.int64:
        return functional.cross_entropy(outputs, targets, label_smoothing=label_smoothing)
    return functional.l1_loss(outputs, targets)


def without_dropout(network):
    for module in network.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    return network


def parameter_count(network):
    return sum(parameter.numel() for parameter in network.parameters())
