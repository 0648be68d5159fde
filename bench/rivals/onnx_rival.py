"""Runs ONNX Runtime on the arrays of a case, with a model of one node that is bound to the memory of the case. ONNX only supports NCHW."""

import time

import numpy as np
from driver import Cannot

OPSET, IR = 19, 9
TYPES = {"f32": ("FLOAT", np.float32), "f64": ("DOUBLE", np.float64), "f16": ("FLOAT16", np.float16), "i8": ("INT8", np.int8),
         "u8": ("UINT8", np.uint8)}  # fmt: skip


class OrtJob:
    note = ""
    rest = 0.08  # seconds; its idle threads spin for a million pause instructions

    def __init__(self, session, binding, kept):
        self._run, self._binding, self._kept = session.run_with_iobinding, binding, kept

    def time(self, calls):
        run, binding = self._run, self._binding
        begin = time.perf_counter()
        for _ in range(calls):
            run(binding)
        return time.perf_counter() - begin

    def result(self, case):
        return case.arrays["output"].numpy()


class OnnxRuntime:
    key, name = "onnxruntime", "ONNX Runtime"

    def __init__(self, threads):
        try:
            import onnx
            import onnxruntime
        except ImportError as error:
            self.version, self.absent = "", str(error)
            return
        self.onnx, self.ort, self.version, self.absent = onnx, onnxruntime, onnxruntime.__version__, ""
        self._threads = threads

    def job(self, case):
        about = case.about
        if about["channels_last"]:
            raise Cannot("ONNX has no channels-last layout")
        if about["pass"] != "fwd":
            raise Cannot("ONNX Runtime's package has no backward pass")
        if about["dtype"] not in TYPES:
            raise Cannot(f"ONNX Runtime pools no {about['dtype']} on CPUs")
        op, attributes = self._node(about)
        inputs, outputs = {"x": case.arrays["input"]}, {"y": case.arrays["output"]}
        kept = []
        if about["op"] == "unpool":
            inputs["where"] = self._tensor_indices(case, kept)
        elif about["indices"]:
            outputs["where"] = self._own_indices(case, kept)
        return self._session(about, op, attributes, inputs, outputs, kept)

    def _node(self, about):
        windows = about["regular"]
        if windows is None:
            raise Cannot("ONNX has no such windows")
        if about["windows"] == "adaptive" and all(a["output"] == 1 for a in about["axes"]):
            return {"avg": "GlobalAveragePool", "max": "GlobalMaxPool"}[about["op"]], {}
        regular = about["windows"] == "regular"
        after = [a["pad_after"] for a in about["axes"]] if regular else windows["pad_after"]
        attributes = {"kernel_shape": windows["kernel"], "strides": windows["stride"], "pads": windows["pad_before"] + after}
        if about["op"] == "unpool":
            return "MaxUnpool", attributes
        attributes |= {"dilations": windows["dilation"], "ceil_mode": int(regular and about["ceil"])}
        if about["op"] == "max":
            return "MaxPool", attributes
        if about["op"] == "avg":
            if about["dtype"] not in ("f32", "f64", "f16"):
                raise Cannot("ONNX averages floats alone")
            return "AveragePool", attributes | {"count_include_pad": int(about["divisor"] == "window_in_padded")}
        if about["op"] == "lp":
            return "LpPool", attributes | {"p": int(about["norm"])}
        raise Cannot(f"ONNX has no {about['op']}")

    def _tensor_indices(self, case, kept):
        """Converts indices in the plane to indices in the whole tensor, which ONNX uses."""
        if case.about["indices"] != "plane":
            raise Cannot("measured with indices in the plane")
        inside = case.arrays["indices_in"].numpy()
        plane = int(np.prod([a["input"] for a in case.about["axes"]]))
        planes = np.arange(inside.shape[0] * inside.shape[1], dtype=np.int64).reshape(inside.shape[:2] + (1,) * (inside.ndim - 2))
        kept.append(np.ascontiguousarray(inside + planes * plane))
        return kept[-1]

    def _own_indices(self, case, kept):
        kept.append(np.zeros(case.arrays["output"].shape, np.int64))
        return kept[-1]

    def _session(self, about, op, attributes, inputs, outputs, kept):
        helper, types = self.onnx.helper, self.onnx.TensorProto
        element, item = TYPES[about["dtype"]]

        def facts(array):
            if isinstance(array, np.ndarray):
                return types.INT64, np.int64, list(array.shape), array.ctypes.data
            return getattr(types, element), item, array.shape, array.address

        def values(arrays):
            return [helper.make_tensor_value_info(name, facts(a)[0], facts(a)[2]) for name, a in arrays.items()]

        graph = helper.make_graph([helper.make_node(op, list(inputs), list(outputs), **attributes)], "one", values(inputs), values(outputs))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
        model.ir_version = IR
        options = self.ort.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = self._threads, 1, 4
        try:
            session = self.ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
            binding = session.io_binding()
            for bind, arrays in ((binding.bind_input, inputs), (binding.bind_output, outputs)):
                for name, array in arrays.items():
                    _, kind, shape, address = facts(array)
                    bind(name, "cpu", 0, kind, shape, address)
        except Exception as error:  # the exceptions of ONNX Runtime have no common base class
            raise Cannot(f"ONNX Runtime: {str(error).split(' : ')[-1].splitlines()[0][:140]}") from error
        return OrtJob(session, binding, kept)
