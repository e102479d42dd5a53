"""The numbers that reference_test.cc makes as well: weights, images and labels are a formula of their names, so
that nothing but losses has to be stored.

A tensor's values are those of a stream, and a stream is the FNV-1a hash of a name: of a parameter as
named_parameters() gives it, or "images/<step>", "labels/<step>", "targets/<step>".
"""
import math

import numpy
import torch

CHUNK = 1 << 22  # values at a time, so that a hundred million weights need no gigabytes


def stream(name):
    """FNV-1a, 32 bit, of the UTF-8 name."""
    value = 0x811C9DC5
    for byte in name.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def split_mix(first, count):
    """SplitMix64's output function of the `count` numbers from `first` on."""
    with numpy.errstate(over="ignore"):
        z = numpy.arange(count, dtype=numpy.uint64) + numpy.uint64(first)
        z = (z + numpy.uint64(1)) * numpy.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        return z ^ (z >> numpy.uint64(31))


def uniform(name, shape):
    """Floats in [-1, 1), exact in single precision."""
    count = math.prod(shape)
    values = numpy.empty(count, dtype=numpy.float32)
    for begin in range(0, count, CHUNK):
        end = min(count, begin + CHUNK)
        bits = split_mix((stream(name) << 32) + begin, end - begin) >> numpy.uint64(40)
        values[begin:end] = bits.astype(numpy.float32) / numpy.float32(2**23) - numpy.float32(1)
    return torch.from_numpy(values.reshape(shape))


def labels(step, batch, classes):
    values = split_mix(stream(f"labels/{step}") << 32, batch) % numpy.uint64(classes)
    return torch.from_numpy(values.astype(numpy.int64))


def images(step, shape, kind="images"):
    """Of unit variance."""
    return uniform(f"{kind}/{step}", shape) * float(numpy.float32(numpy.sqrt(3.0)))


def initialise(network, last_norm):
    """Convolutions: uniform with variance 2 / fan-in; fully connected layers: within 1 / sqrt(fan-in);
    normalisations and biases: near 1 and 0, but the normalisations whose name contains `last_norm` ("" for
    none: the last one of a residual block) near 1/8. Without that, ten steps amplify the last bit of an
    instruction set's own rounding to a hundredth of the loss, and the comparison would say more about the
    CPU than about the program."""
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            noise = uniform(name, parameter.shape)
            if parameter.dim() > 1:
                fan_in = parameter.numel() // parameter.shape[0]
                square = (1.0 if parameter.dim() == 2 else 6.0) / fan_in
                parameter.copy_(noise * float(numpy.float32(numpy.sqrt(square))))
            elif name.endswith("weight"):
                center = 0.125 if last_norm and last_norm in name else 1.0
                parameter.copy_(center + noise * 0.125)
            else:
                parameter.copy_(noise * 0.125)
