"""What PyTorch itself says about shapes and fields: forward passes with hooks, and which gradients are not zero."""

import itertools

import torch


def shapes_of_modules(module, *inputs):
    """The output shapes of all modules without children, by path, one for each call."""
    seen, hooks = {}, []
    for path, m in module.named_modules():
        if next(m.children(), None) is None:
            note = lambda _m, _i, y, path=path: seen.setdefault(path, []).append(tuple((y[0] if isinstance(y, tuple) else y).shape))
            hooks.append(m.register_forward_hook(note))
    try:
        with torch.no_grad():
            result = module(*inputs)
    finally:
        [hook.remove() for hook in hooks]
    return seen, result


def reached(module, shape, cell, dims, tries):
    """Positions of the input, along `dims`, that some gradient of one cell of the output reaches. Maxima take several random inputs."""
    mask = torch.zeros([shape[d] for d in dims], dtype=torch.bool)
    for _ in range(tries):
        x = torch.randn(shape, dtype=torch.float64, requires_grad=True)
        y = module(x)
        y = y[0] if isinstance(y, tuple) else y
        y = y[(slice(None), slice(None), *cell)]
        (grad,) = torch.autograd.grad((y * torch.randn_like(y)).sum(), x, allow_unused=True)  # weights, since a softmax adds up to 1
        if grad is not None:
            mask |= (grad != 0).sum([d for d in range(x.ndim) if d not in dims]).bool()
    return mask


def changing(module, shape, cell, dims, tries):
    """The same by changing every position of the input: indices have no gradients."""
    mask = torch.zeros([shape[d] for d in dims], dtype=torch.bool)
    at = (slice(None), slice(None), *cell)
    with torch.no_grad():
        for _ in range(tries):
            x = torch.randn(shape, dtype=torch.float64)
            y = module(x)[at]
            for position in itertools.product(*(range(shape[d]) for d in dims)):
                other = x.clone()
                other[(slice(None), slice(None), *position)] += 10
                mask[position] |= bool((module(other)[at] != y).any())
    return mask


def claimed(dependence, shape, dims):
    """The same, as the analysis says."""
    mask = torch.zeros([shape[d] for d in dims], dtype=torch.bool)
    for box in dependence.boxes:
        for at in itertools.product(*([slice(*r) for r in box[d]] for d in dims)):
            mask[at] = True
    return mask
