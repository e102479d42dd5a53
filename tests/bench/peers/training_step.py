"""Python PyTorch's training step as fast as its documentation makes it: the peer of training_bench, a stepper
(tests/bench/harness/processes.py). The networks are those that the reference losses come from.

Fused or for-each SGD, gradients set to None, cuDNN's search, automatic mixed precision, and CUDA graphs where
asked for. The loss of every step is read, as ours is.
"""
import argparse
import json
import pathlib
import sys
import time

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "golden/reference"))
import models  # noqa: E402

WARMUP_STEPS_BEFORE_CAPTURE = 3


def peak_bytes():
    """The most memory that this process has ever held (VmHWM)."""
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def settings(options):
    torch.manual_seed(1)
    torch.set_num_threads(options.threads)
    torch.backends.cudnn.benchmark = True
    tf32 = options.precision == "tf32"
    torch.backends.cudnn.allow_tf32 = tf32
    torch.backends.cuda.matmul.allow_tf32 = tf32


class Trainer:
    def __init__(self, options):
        self.device = torch.device("cuda" if options.device == "gpu" else "cpu")
        self.half = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(options.precision)
        layout = torch.channels_last if options.layout == "channelsLast" else torch.contiguous_format
        model = models.MODELS[options.model]
        classes = model.classes if options.classes is None else options.classes
        self.network = model.make(classes).train().to(self.device, memory_format=layout)
        shape = (options.batch, model.channels, options.size, options.size)
        self.images = torch.randn(shape).to(self.device, memory_format=layout)
        targets = torch.randint(classes, (options.batch,)) if classes else torch.randn(shape)
        self.targets = targets.to(self.device)
        fast = {"fused": True} if self.device.type == "cuda" else {"foreach": True}
        self.optimizer = torch.optim.SGD(self.network.parameters(), lr=0.01, momentum=0.9,
                                         weight_decay=1e-4, **fast)
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=self.half == torch.float16)
        self.graph = None
        if options.cuda_graphs:
            self.capture()

    def forward_backward(self):
        self.optimizer.zero_grad(set_to_none=True)
        # A captured region must not keep half-precision copies of weights from outside.
        with torch.autocast(self.device.type, dtype=self.half, enabled=self.half is not None,
                            cache_enabled=self.graph is None):
            loss = models.loss_of(self.network(self.images), self.targets)
        self.scaler.scale(loss).backward()
        return loss.detach()

    def update(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def capture(self):
        """As PyTorch's notes on CUDA graphs say: some steps on a side stream, then the capture. The scaler decides
        on the host whether to update, so with it the update stays outside."""
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(WARMUP_STEPS_BEFORE_CAPTURE):
                self.forward_backward()
                self.update()
        torch.cuda.current_stream().wait_stream(side)
        self.optimizer.zero_grad(set_to_none=True)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.loss = self.forward_backward()
            if not self.scaler.is_enabled():
                self.optimizer.step()

    def step(self):
        """The loss."""
        if self.graph is None:
            loss = self.forward_backward()
            self.update()
            return loss.item()
        self.graph.replay()
        if self.scaler.is_enabled():
            self.update()
        return self.loss.item()


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=sorted(models.MODELS), required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("--classes", type=int, help="default: as published")
    parser.add_argument("--layout", choices=["contiguous", "channelsLast"], default="contiguous")
    parser.add_argument("--precision", choices=["fp32", "tf32", "bf16", "fp16"], default="fp32")
    parser.add_argument("--device", choices=["cpu", "gpu"], default="cpu")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cuda-graphs", action="store_true")
    parser.add_argument("--loop", help="as ours has it; Python has but one")
    return parser.parse_args()


def say(document):
    print(json.dumps(document), flush=True)


def main():
    options = parse()
    settings(options)
    trainer = Trainer(options)
    say({"ready": True, "parameters": models.parameter_count(trainer.network),
         "device": options.device, "torchvision": models.torchvision is not None})
    for line in sys.stdin:
        steps = int(line)
        begin = time.perf_counter()
        for _ in range(steps):
            loss = trainer.step()
        say({"steps": steps, "seconds": time.perf_counter() - begin, "peakBytes": peak_bytes(),
             "loss": loss})


if __name__ == "__main__":
    main()
