"""Runs PyTorch on the arrays of a case. Results are written to the output of the case if PyTorch has a variant of the function that takes one."""

import time

from driver import Cannot


def refusal(error):
    return f"PyTorch: {str(error).splitlines()[0][:140]}"


class TorchJob:
    rest = 0.02  # seconds; OpenMP's idle threads spin for 300,000 pause instructions

    def __init__(self, call, result=None, note=""):
        self._call, self._result, self.note = call, result, note

    def time(self, calls):
        call = self._call
        try:
            begin = time.perf_counter()
            for _ in range(calls):
                call()
            return time.perf_counter() - begin
        except (RuntimeError, NotImplementedError) as error:
            raise Cannot(refusal(error)) from error

    def result(self, case):
        if self._result is None:
            return case.arrays["output"].numpy()
        import torch

        found = self._result()
        return (found.view(torch.uint16) if found.dtype == torch.bfloat16 else found).detach().numpy()


class PyTorch:
    key, name = "pytorch", "PyTorch"

    def __init__(self, threads):
        try:
            import torch
        except ImportError as error:
            self.version, self.absent = "", str(error)
            return
        self.torch, self.version, self.absent = torch, torch.__version__, ""
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        self._dtypes = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16, "i8": torch.int8,
                        "u8": torch.uint8, "i64": torch.int64}  # fmt: skip

    def tensor(self, array):
        if array.dtype not in self._dtypes:
            raise Cannot(f"PyTorch has no {array.dtype}")
        return self.torch.frombuffer(array.memory(), dtype=self._dtypes[array.dtype]).as_strided(array.shape, array.strides)

    def job(self, case):
        about = case.about
        make = getattr(self, f"_{about['op']}_{about['pass']}", None)
        if make is None:
            raise Cannot(f"PyTorch has no {about['op']} {about['pass']}")
        try:
            return make(case, about)
        except (RuntimeError, NotImplementedError) as error:  # from the forward pass that prepares a backward pass
            raise Cannot(refusal(error)) from error

    # Helpers that several ops use. PyTorch computes one dimension as two, the first of size 1; doing so here gives its variants with an output.

    def _lifted(self, case, name, about):
        tensor = self.tensor(case.arrays[name])
        return tensor.unsqueeze(-2) if about["rank"] == 1 else tensor

    def _rank(self, about):
        return max(2, about["rank"])

    def _windows(self, about, lifted=True):
        if any(a["pad_before"] != a["pad_after"] for a in about["axes"]):
            raise Cannot("PyTorch pads alike on both sides")
        first = {"kernel": 1, "stride": 1, "pad_before": 0, "dilation": 1}
        return [[one] * (lifted and about["rank"] == 1) + [a[key] for a in about["axes"]] for key, one in first.items()]

    def _aten(self, name):
        return getattr(self.torch.ops.aten, name)

    def _like(self, tensor, dtype):
        """A new tensor with the shape and strides of another."""
        return self.torch.empty_strided(tensor.shape, tensor.stride(), dtype=dtype)

    def _outputs(self, about, lifted=True):
        return [1] * (lifted and about["rank"] == 1) + [a["output"] for a in about["axes"]]

    def _allocating(self, call):
        kept = [None]

        def keep():
            kept[0] = call()

        return TorchJob(keep, lambda: kept[0], "allocates its result")

    def _gradient(self, forward, x, grad):
        """Backward pass through autograd, for ops whose backward function has no variant with an output argument. The graph is kept between calls."""
        with self.torch.enable_grad():
            x = x.detach().requires_grad_()
            y = forward(x)
        return self._allocating(lambda: self.torch.autograd.grad(y, x, grad, retain_graph=True)[0])

    # One function per op and pass, found by name in job().

    def _max_fwd(self, case, about):
        functional, rank = self.torch.nn.functional, self._rank(about)
        if about["windows"] == "fractional":
            call, samples = getattr(functional, f"fractional_max_pool{rank}d"), self.tensor(case.arrays["samples"])
            x, kernel, size = self.tensor(case.arrays["input"]), self._windows(about)[0], self._outputs(about)
            return self._allocating(lambda: call(x, kernel, output_size=size, _random_samples=samples))
        if about["rank"] == 1 and not about["indices"] and about["windows"] == "regular":  # the only function that leaves the indices out
            call, x, windows = functional.max_pool1d, self.tensor(case.arrays["input"]), self._windows(about, lifted=False)
            return self._allocating(lambda: call(x, *windows, about["ceil"]))
        x, y = self._lifted(case, "input", about), self._lifted(case, "output", about)
        indices = self._lifted(case, "indices_out", about) if about["indices"] == "plane" else self._like(y, self.torch.int64)
        if about["windows"] == "adaptive":
            call, size = self._aten(f"adaptive_max_pool{rank}d").out, self._outputs(about)
            return TorchJob(lambda: call(x, size, out=y, indices=indices))
        call, windows = self._aten(f"max_pool{rank}d_with_indices").out, (*self._windows(about), about["ceil"])
        return TorchJob(lambda: call(x, *windows, out=y, indices=indices))

    def _max_bwd(self, case, about):
        rank = self._rank(about)
        x, grad, gx = (self._lifted(case, name, about) for name in ("pooled_input", "input", "output"))
        if about["windows"] == "adaptive":
            indices = self._aten(f"adaptive_max_pool{rank}d")(x, self._outputs(about))[1]
            call = self._aten(f"adaptive_max_pool{rank}d_backward").grad_input
            return TorchJob(lambda: call(grad, x, indices, grad_input=gx))
        if about["windows"] != "regular":
            raise Cannot("not measured: PyTorch's backward of these windows")
        windows = (*self._windows(about), about["ceil"])
        indices = self._aten(f"max_pool{rank}d_with_indices")(x, *windows)[1]
        call = self._aten(f"max_pool{rank}d_with_indices_backward").grad_input
        return TorchJob(lambda: call(grad, x, *windows, indices, grad_input=gx))

    def _ignores_strides(self, about):
        """avg_pool3d with an output argument ignores its strides and writes in NCDHW order."""
        return about["rank"] == 3 and about["channels_last"]

    def _average_arguments(self, about):
        kernel, stride, padding, dilation = self._windows(about)
        if any(d != 1 for d in dilation):
            raise Cannot("PyTorch's averages have no dilation")
        if about["divisor"] not in ("window_in_padded", "valid_only"):
            raise Cannot("PyTorch has no such divisor")
        return kernel, stride, padding, about["ceil"], about["divisor"] == "window_in_padded"

    def _avg_fwd(self, case, about):
        functional, rank = self.torch.nn.functional, self._rank(about)
        x, y = self._lifted(case, "input", about), self._lifted(case, "output", about)
        if about["windows"] == "adaptive":
            size = self._outputs(about)
            if all(n == 1 for n in size):  # PyTorch computes this as a mean, which the variant with an output does not do
                call, size = getattr(functional, f"adaptive_avg_pool{about['rank']}d"), self._outputs(about, lifted=False)
                x = self.tensor(case.arrays["input"])
                return self._allocating(lambda: call(x, size))
            call = self._aten(f"adaptive_avg_pool{rank}d").out
            return TorchJob(lambda: call(x, size, out=y))
        arguments = self._average_arguments(about)
        if self._ignores_strides(about):
            return self._allocating(lambda: functional.avg_pool3d(x, *arguments))
        call = self._aten(f"avg_pool{rank}d").out
        return TorchJob(lambda: call(x, *arguments, None, out=y))

    def _avg_bwd(self, case, about):
        rank, functional = self._rank(about), self.torch.nn.functional
        if about["windows"] == "adaptive":
            grad = self.tensor(case.arrays["input"])
            x = self._like(self.tensor(case.arrays["output"]), grad.dtype)  # only its shape matters
            call, size = getattr(functional, f"adaptive_avg_pool{about['rank']}d"), self._outputs(about, lifted=False)
            return self._gradient(lambda x: call(x, size), x, grad)
        grad, gx = self._lifted(case, "input", about), self._lifted(case, "output", about)
        x, arguments = self._like(gx, grad.dtype), self._average_arguments(about)
        if self._ignores_strides(about):
            return self._gradient(lambda x: functional.avg_pool3d(x, *arguments), x, grad)
        call = self._aten(f"avg_pool{rank}d_backward").grad_input
        return TorchJob(lambda: call(grad, x, *arguments, None, grad_input=gx))

    def _lp_fwd(self, case, about):
        x = self.tensor(case.arrays["input"])
        kernel, stride, padding, dilation = self._windows(about, lifted=False)
        if any(padding) or any(d != 1 for d in dilation):
            raise Cannot("PyTorch's norms have no padding or dilation")
        call, rank = getattr(self.torch.nn.functional, f"lp_pool{about['rank']}d"), about["rank"]
        if rank == 1:
            kernel, stride = kernel[0], stride[0]
        return self._allocating(lambda: call(x, about["norm"], kernel, stride, about["ceil"]))

    def _unpool_fwd(self, case, about):
        if about["indices"] != "plane" or about["rank"] != 2:
            raise Cannot("measured on two dimensions, with indices in the plane")
        x, y, indices = (self.tensor(case.arrays[name]) for name in ("input", "output", "indices_in"))
        call, size = self.torch.ops.aten.max_unpool2d.out, list(y.shape[2:])
        return TorchJob(lambda: call(x, indices, size, out=y))

    def _unpool_bwd(self, case, about):
        if about["indices"] != "plane" or about["rank"] != 2:
            raise Cannot("measured on two dimensions, with indices in the plane")
        grad, indices = self.tensor(case.arrays["input"]), self.tensor(case.arrays["indices_in"])
        x = self._like(self.tensor(case.arrays["output"]), grad.dtype).zero_()
        size = list(grad.shape[2:])
        return self._gradient(lambda x: self.torch.ops.aten.max_unpool2d(x, indices, size), x, grad)
