"""Bare training steps on a GPU: ours against Python PyTorch with and without CUDA graphs, channelsLast. Short, to
fit six minutes in all: one pair of processes each, turns of half a second."""
from .stepping import Plan
from .training import TrainingSpeed, Work

PLAN = Plan(rounds=6, pairs=1, turn_seconds=0.5, warmup_seconds=1.0)


def benchmark(model, precision, graphs, batch, size=224, classes=1000):
    work = Work(model, batch, size, classes, "channelsLast", precision, "gpu", 4, graphs)
    name = f"train/gpu-{model}-{precision}" + ("-graphs" if graphs else "")
    return TrainingSpeed(name, work, 1.0, loop="step", plan=PLAN, with_memory=False)


BENCHMARKS = {
    "gpu": [
        benchmark("resnet50", "bf16", False, 256),
        benchmark("resnet50", "bf16", True, 256),
        benchmark("resnet50", "fp16", False, 256),
        benchmark("resnet50", "fp16", True, 256),
        benchmark("resnet50", "tf32", False, 256),
        benchmark("resnet50", "tf32", True, 256),
        benchmark("resnet20v1", "bf16", True, 128, 32, 10),
        benchmark("resnet20v1", "bf16", False, 128, 32, 10),
        benchmark("vgg16", "bf16", False, 128),
        benchmark("inceptionv3", "bf16", False, 128, 299),
        benchmark("resnet152", "bf16", False, 128),
        benchmark("alexnet", "bf16", False, 512),
        benchmark("vgg16", "bf16", True, 128),
        benchmark("inceptionv3", "bf16", True, 128, 299),
        benchmark("resnet152", "bf16", True, 128),
        benchmark("alexnet", "bf16", True, 512),
    ],
    # Tries the path, says nothing about speed.
    "cpu": [
        TrainingSpeed("train/smoke-resnet20", Work("resnet20v1", 16, 32, 10, "channelsLast"), 0.0,
                      loop="step", plan=Plan(4, pairs=1, turn_seconds=0.2, warmup_seconds=0.2),
                      with_memory=False),
    ],
}
