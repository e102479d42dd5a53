"""PyTorch's DataLoader with Pillow on an image folder: images per second, printed as the last line.

The same work as worker/data: read, decode, random resized crop, flip, normalise, batch as float32.
Steady state only: the clock starts after the first batches, as it does for pipeline_bench.
"""
import argparse
import pathlib
import random
import time

import numpy
import torch
from PIL import Image

MEAN = numpy.array([0.485, 0.456, 0.406], dtype=numpy.float32)
STD = numpy.array([0.229, 0.224, 0.225], dtype=numpy.float32)


def crop_box(width, height):
    """torchvision's RandomResizedCrop: scale 0.08..1, ratio 3/4..4/3, ten tries."""
    for _ in range(10):
        area = width * height * random.uniform(0.08, 1.0)
        ratio = 2.0 ** random.uniform(-0.41503749927884376, 0.41503749927884376)
        w, h = round((area * ratio) ** 0.5), round((area / ratio) ** 0.5)
        if 0 < w <= width and 0 < h <= height:
            x, y = random.randint(0, width - w), random.randint(0, height - h)
            return x, y, x + w, y + h
    return 0, 0, width, height


class ImageFolder(torch.utils.data.Dataset):
    def __init__(self, root, size):
        self.size = size
        self.files = [
            (path, label)
            for label, folder in enumerate(sorted(p for p in root.iterdir() if p.is_dir()))
            for path in sorted(folder.iterdir())
        ]

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        path, label = self.files[index]
        with Image.open(path) as image:
            image = image.convert("RGB")
            image = image.resize((self.size, self.size), Image.BILINEAR, box=crop_box(*image.size))
        if random.random() < 0.5:
            image = image.transpose(Image.FLIP_LEFT_RIGHT)
        pixels = (numpy.asarray(image, dtype=numpy.float32) / 255.0 - MEAN) / STD
        return torch.from_numpy(pixels.transpose(2, 0, 1).copy()), label


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="a folder of class folders")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--warmup-batches", type=int, default=10)
    parser.add_argument("--batches", type=int, default=60)
    arguments = parser.parse_args()

    dataset = ImageFolder(arguments.data, arguments.size)
    sampler = torch.utils.data.RandomSampler(
        dataset,
        replacement=True,
        num_samples=arguments.batch * (arguments.warmup_batches + arguments.batches),
    )
    loader = torch.utils.data.DataLoader(
        dataset, batch_size=arguments.batch, sampler=sampler, num_workers=arguments.threads,
        prefetch_factor=4)
    start = None
    for index, _ in enumerate(loader):
        if index == arguments.warmup_batches - 1:
            start = time.perf_counter()
    seconds = time.perf_counter() - start
    print(arguments.batch * arguments.batches / seconds)


if __name__ == "__main__":
    main()
