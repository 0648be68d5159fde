"""Runs functions that torch.compile made on the arrays of a case. They allocate their results; recording and backward go through autograd."""

import logging

from driver import Cannot
from torch_rival import PyTorch, TorchJob, refusal


class CompiledPyTorch(PyTorch):
    key, name = "torch_compile", "torch.compile"

    def __init__(self, threads, quick):
        super().__init__(threads)
        self.absent = self.absent or ("compiling takes seconds a row, so not with --quick" if quick else "")
        if self.absent:
            return
        try:
            import torch._dynamo
            import torch._functorch.config
            import torch._inductor.config
        except ImportError as error:
            self.absent = str(error)
            return
        torch = self.torch
        torch._inductor.config.compile_threads = 1  # no processes that wait in the background
        torch._functorch.config.donated_buffer = False  # backward is called many times on one graph
        logging.getLogger("torch").setLevel(logging.ERROR)

    def job(self, case):
        function = self._function(case.about)
        self.torch._dynamo.reset()  # it compiles a function for a few shapes only
        try:
            made = self._made(self.torch.compile(function, dynamic=False), case, case.about)
            made.time(1)  # compiles
        except Exception as error:  # compilers fail in many ways
            raise Cannot(refusal(error).replace("PyTorch", "torch.compile", 1)) from error
        return made

    def _made(self, compiled, case, about):
        given = self.tensor(case.arrays["input"])
        if about["pass"] == "bwd":
            x = self.tensor(case.arrays["pooled_input"]) if about["op"] == "max" else self._like(self.tensor(case.arrays["output"]), given.dtype)
            return self._gradient(compiled, x, given)
        if about["indices"]:
            return self._recording(compiled, given)
        return self._allocating(lambda: compiled(given))

    def _recording(self, compiled, x):
        x, kept = x.detach().requires_grad_(), [None]

        def run():
            with self.torch.enable_grad():
                kept[0] = compiled(x)

        return TorchJob(run, lambda: kept[0].detach(), "allocates its result")

    def _function(self, about):
        functional, rank, op = self.torch.nn.functional, about["rank"], about["op"]
        if about["dtype"] not in ("f32", "f64", "f16", "bf16"):
            raise Cannot("torch.compile is measured with floating values")
        if op not in ("max", "avg") or about["windows"] == "fractional":
            raise Cannot(f"torch.compile is not measured for {about['windows']} {op}")
        if about["indices"] == "plane":
            raise Cannot("torch.compile is measured without indices or recording them")
        size = self._outputs(about, lifted=False)
        if about["windows"] == "adaptive":
            call = getattr(functional, f"adaptive_{op}_pool{rank}d")
            return lambda x: call(x, size)
        call = getattr(functional, f"{op}_pool{rank}d")
        if op == "max":
            arguments = (*self._windows(about, lifted=False), about["ceil"])
        elif rank == 1:
            kernel, stride, padding, _ = self._windows(about, lifted=False)
            arguments = (kernel, stride, padding, about["ceil"], about["divisor"] == "window_in_padded")
        else:
            arguments = self._average_arguments(about)
        return lambda x: call(x, *arguments)
