"""Runs OpenVINO on the arrays of a case, with a model of one operation whose input and output are the memory of the case.

Its pooling has the layout NCHW. For channels last the model transposes input and output, and OpenVINO does too.
"""

import time

from driver import Cannot


class OpenVinoJob:
    rest = 0.02  # seconds; oneTBB's threads stop at once


    def __init__(self, request, note):
        self._infer, self.note = request.infer, note

    def time(self, calls):
        infer = self._infer
        begin = time.perf_counter()
        for _ in range(calls):
            infer(share_inputs=True, share_outputs=True)
        return time.perf_counter() - begin

    def result(self, case):
        return case.arrays["output"].numpy()


class OpenVino:
    key, name = "openvino", "OpenVINO"

    def __init__(self, threads):
        try:
            import openvino
            from openvino import opset14
        except ImportError as error:
            self.version, self.absent = "", str(error)
            return
        self.ov, self.opset, self.version, self.absent = openvino, opset14, openvino.__version__.split("-")[0], ""
        self._core = openvino.Core()
        self._settings = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}

    def job(self, case):
        about = case.about
        if about["pass"] != "fwd":
            raise Cannot("OpenVINO has no backward pass")
        if about["dtype"] != "f32":
            raise Cannot("OpenVINO is measured in f32")
        try:
            return self._request(case, about)
        except RuntimeError as error:
            raise Cannot(f"OpenVINO: {str(error).strip().splitlines()[-1][:140]}") from error

    def _request(self, case, about):
        last, opset = about["channels_last"], self.opset
        to_last = [0, *range(2, about["rank"] + 2), 1]
        to_first = [0, about["rank"] + 1, *range(1, about["rank"] + 1)]
        arrays = [case.arrays["input"].numpy(), case.arrays["output"].numpy()]
        if last:
            arrays = [array.transpose(to_last) for array in arrays]
        x = opset.parameter(list(arrays[0].shape), self.ov.Type.f32)
        node = self._node(opset.transpose(x, to_first) if last else x, about).output(0)
        if last:
            node = opset.transpose(node, to_last).output(0)
        request = self._core.compile_model(self.ov.Model([node], [x]), "CPU", self._settings).create_infer_request()
        request.set_input_tensor(self.ov.Tensor(arrays[0], shared_memory=True))
        request.set_output_tensor(self.ov.Tensor(arrays[1], shared_memory=True))
        return OpenVinoJob(request, "transposes channels-last arrays, and back" if last else "")

    def _node(self, x, about):
        opset = self.opset
        if about["windows"] == "adaptive":
            output = self._outputs(about)
            if about["op"] == "avg":
                return opset.adaptive_avg_pool(x, output)
            if about["op"] == "max" and not about["indices"]:
                return opset.adaptive_max_pool(x, output, "i32")
        if about["windows"] != "regular" or about["op"] not in ("max", "avg"):
            raise Cannot(f"OpenVINO has no {about['windows']} {about['op']}")
        if about["indices"]:
            raise Cannot("OpenVINO's indices count inside the plane or the array, not the window")
        kernel, stride, dilation, before, after = ([axis[key] for axis in about["axes"]] for key in ("kernel", "stride", "dilation", "pad_before", "pad_after"))
        rounding = "ceil_torch" if about["ceil"] else "floor"
        if about["op"] == "max":
            return opset.max_pool(x, stride, dilation, before, after, kernel, rounding, "explicit", "i32")
        if any(d != 1 for d in dilation):
            raise Cannot("OpenVINO's averages have no dilation")
        return opset.avg_pool(x, stride, before, after, kernel, about["divisor"] == "valid_only", rounding, "explicit")

    def _outputs(self, about):
        import numpy as np

        return np.array([axis["output"] for axis in about["axes"]], np.int64)
