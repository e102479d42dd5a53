"""Ten training steps of a case on PyTorch's Python front end."""
import torch

import formula
import models

STEPS = 10


def make_optimizer(network, spec):
    """`spec` is spec.problem.optimizer of a manifest, all its decimals strings."""
    decay = float(spec["weightDecay"])
    rate = float(spec["learningRate"])
    groups = [{"params": list(network.parameters()), "weight_decay": decay}]
    if not spec.get("decayNormAndBias", True):
        matrices = [p for p in network.parameters() if p.dim() > 1]
        vectors = [p for p in network.parameters() if p.dim() <= 1]
        groups = [{"params": matrices, "weight_decay": decay}, {"params": vectors, "weight_decay": 0}]
    if spec["name"] == "sgd":
        return torch.optim.SGD(groups, lr=rate, momentum=float(spec["momentum"]),
                               nesterov=spec.get("nesterov", False))
    kind = {"adam": torch.optim.Adam, "adamW": torch.optim.AdamW}[spec["name"]]
    return kind(groups, lr=rate, betas=(0.9, 0.999), eps=1e-8)


def batch(case, step, memory_format):
    channels = 3 if case["classes"] else 1
    shape = (case["batch"], channels, case["size"], case["size"])
    images = formula.images(step, shape).to(memory_format=memory_format)
    if case["classes"]:
        return images, formula.labels(step, case["batch"], case["classes"])
    return images, formula.images(step, shape, "targets").to(memory_format=memory_format)


def make_network(case):
    network = models.MODELS[case["network"]].make(case["classes"])
    formula.initialise(network, case["last_norm"])
    return models.without_dropout(network.train())


def losses(network, case, memory_format=torch.contiguous_format):
    """`case` is an object of losses.json."""
    network.to(memory_format=memory_format)
    spec = case["optimizer"]
    optimizer = make_optimizer(network, spec)
    clip = float(spec.get("gradientClipNorm", 0))
    values = []
    for step in range(STEPS):
        images, targets = batch(case, step, memory_format)
        optimizer.zero_grad()
        loss = models.loss_of(network(images), targets, float(spec.get("labelSmoothing", 0)))
        loss.backward()
        if clip:
            torch.nn.utils.clip_grad_norm_(network.parameters(), clip)
        optimizer.step()
        values.append(loss.item())
    return values
