"""What engines answer, and how near that is to what onnxruntime does."""
import os
import subprocess
import tempfile

import numpy as np


class Refused(Exception):
    """What a command said that ended with an error."""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Refused(" ".join((done.stderr or done.stdout or f"exit code {done.returncode}").split())[-600:])
    return done.stdout


def of_onnxruntime(model, inputs):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return dict(zip([output.name for output in session.get_outputs()], session.run(None, inputs)))


def of_mlc(mlc, package, inputs):
    with tempfile.TemporaryDirectory() as folder:
        archive, answers = os.path.join(folder, "x.npz"), os.path.join(folder, "y.npz")
        np.savez(archive, **inputs)
        run(mlc, "predict", package, "--inputs", archive, "-o", answers)
        with np.load(answers) as file:
            return {name: file[name] for name in file.files}


def decibels(expected, actual):
    """Signal to noise, in decibels; not a number where shapes differ or an output has one."""
    if expected.shape != actual.shape:
        return np.nan
    noise = np.square(actual.astype(np.float64) - expected).sum()
    signal = np.square(expected.astype(np.float64)).sum()
    if noise == 0:
        return np.inf
    return float(10 * np.log10(signal / noise)) if signal else -np.inf


def least_decibels(expected, actual):
    """That of the worst output, both by name."""
    return min(decibels(value, actual[name]) for name, value in expected.items())
