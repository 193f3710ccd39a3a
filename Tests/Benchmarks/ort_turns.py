"""`mlc bench` and onnxruntime in turns on one model, one thread."""

import json
import statistics
import subprocess
import time

import onnxruntime


def session(data):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def medians(mlc, package, npz, iterations, session, inputs):
    """Milliseconds of a prediction, by mlc and by onnxruntime, which takes each of `inputs` once a turn."""
    command = [mlc, "bench", package, "--inputs", npz, "--threads", "1", "--iterations", str(iterations), "--raw"]
    ours, theirs = [], []
    for _ in range(5):
        for x in inputs:
            start = time.perf_counter()
            session.run(None, {"x": x})
            theirs.append((time.perf_counter() - start) * 1e3)
        raw = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        ours += json.loads(raw.strip().splitlines()[-1])
    return statistics.median(ours), statistics.median(theirs)
