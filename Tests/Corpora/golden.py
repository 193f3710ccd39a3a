#!/usr/bin/env python3
"""Makes inputs for every model and graph of the corpora and records what onnxruntime answers.

  golden.py [NAME ...]        all models and graphs when none is named

Writes .cache/golden/NAME/CASE.inputs.npz and CASE.expected.npz: tensors by input and output name. Inputs are seeded and
valid for their model; models with free sizes have two cases at least, each binding them otherwise. What is up to date
(same script, same model, same versions of onnxruntime and NumPy) is left alone.
"""
import hashlib
import json
import os
import shutil
import sys
import zlib

import numpy as np
import onnxruntime
from PIL import Image

from corpora import GOLDEN, HERE, MODELS, ROOT, ZOO, catalog, network_names, replace, sha256, zoo_names

# How an input is drawn. Each takes (generator, shape) and gives an array of the input's element type.
F32, I64 = np.float32, np.int64


def normal(g, shape):
    return g.standard_normal(shape, dtype=F32)


def audio(g, shape):
    """Noise within [-1, 1], as loud as speech."""
    return np.clip(g.standard_normal(shape, dtype=F32) * F32(0.1), -1, 1)


def pixels(g, shape):
    """Smooth random pictures in [-1, 1]: neighbours are alike, as in photographs."""
    coarse = g.uniform(-1, 1, shape[:-2] + [-(-shape[-2] // 8), -(-shape[-1] // 8)])
    fine = np.repeat(np.repeat(coarse, 8, -2), 8, -1)[..., : shape[-2], : shape[-1]]
    return np.clip(fine + 0.1 * g.standard_normal(shape), -1, 1).astype(F32)


def lightness(g, shape):
    """The L channel of the Lab colour space: 0 … 100."""
    return (pixels(g, shape) + 1) * F32(50)


def ones_i64(g, shape):
    return np.ones(shape, I64)


def zeros_i64(g, shape):
    return np.zeros(shape, I64)


def below(limit, dtype=I64):
    return lambda g, shape: g.integers(0, limit, shape).astype(dtype)


def value(number, dtype=I64):
    return lambda g, shape: np.full(shape, number, dtype)


def padded_mask(g, shape):
    """1 for the first three quarters of a sequence, 0 for the padding after it."""
    mask = np.zeros(shape, I64)
    mask[:, : shape[1] * 3 // 4] = 1
    return mask


def text_line(g, shape):
    """Examples/text-line.png as the recogniser takes it: RGB planes, (x - 127.5) / 127.5."""
    with Image.open(os.path.join(ROOT, "Examples", "text-line.png")) as image:
        array = np.asarray(image.convert("RGB"), F32)
    return ((array - F32(127.5)) / F32(127.5)).transpose(2, 0, 1).reshape(shape)


def silero(batch, samples, rate):
    return {
        "input": (audio, [batch, samples]),
        "sr": (value(rate), []),
        "state": (normal, [2, batch, 128]),
    }


def speech(frames):
    return {"input": (audio, [frames, 576]), "h": (normal, [1, 1, 128]), "c": (normal, [1, 1, 128])}


def bert(mask):
    return {
        "input_ids": (below(30522), [1, 128]),
        "attention_mask": (mask, [1, 128]),
        "token_type_ids": (zeros_i64, [1, 128]),
    }


def fsmn(frames):
    return {"speech": (normal, [1, frames, 400])} | {f"in_cache{k}": (normal, [1, 128, 19, 1]) for k in range(4)}


def detectors(days, count):
    return {"logit": (normal, [days, count]), "Z": (normal, [days, count, 128]), "act": (normal, [days])}


def letters(batch, length):
    def mask(g, shape):
        return padded_mask(g, shape).astype(bool)

    return {"src": (below(40), [batch, length]), "src_mask": (mask, [batch, length])}


def normal_f64(g, shape):
    return g.standard_normal(shape)


def t5(batch, length):
    return {"input_ids": (below(64), [batch, length]), "attention_mask": (padded_mask, [batch, length])}


def gpt2():
    inputs = {"input_ids": (below(50257), [1, 1]), "position_ids": (value(256), [1, 1])}
    for layer in range(12):
        inputs[f"past_k_{layer}"] = (normal, [1, 12, 256, 64])
        inputs[f"past_v_{layer}"] = (normal, [1, 12, 256, 64])
    return inputs


def decoder(batch, length, past, room):
    """`past` elements in a cache of `room`: what stands behind them is 0, as onnxruntime leaves it."""

    def cache(rng, shape):
        return normal(rng, shape) * (np.arange(room) < past)[:, None].astype(F32)

    inputs = {"input_ids": (below(50), [batch, length]), "attention_mask": (ones_i64, [batch, past + length])}
    for layer in range(2):
        inputs |= {f"past.{layer}.{kind}": (cache, [batch, 2, room, 16]) for kind in ("key", "value")}
    return inputs


# Model → case → input → (how it is drawn, its shape).
CASES = {
    "ppocr-direction": {
        "one": {"x": (pixels, [1, 3, 48, 192])},
        "three-wide": {"x": (pixels, [3, 3, 48, 256])},
    },
    "ppocr-detector": {
        "wide": {"x": (pixels, [1, 3, 160, 352])},
        "two-square": {"x": (pixels, [2, 3, 192, 192])},
    },
    "ppocr-recogniser": {
        "text-line": {"x": (text_line, [1, 3, 48, 320])},
        "two-long": {"x": (pixels, [2, 3, 48, 480])},
    },
    "silero-vad": {"one-frame": speech(1), "nine-frames": speech(9)},
    "silero-vad-if": {
        "16-khz": silero(1, 576, 16000),
        "16-khz-two": silero(2, 576, 16000),
        "8-khz": silero(1, 288, 8000),
    },
    "silero-vad-5": {
        "16-khz": silero(1, 512, 16000),
        "16-khz-three": silero(3, 640, 16000),
        "8-khz": silero(2, 256, 8000),
    },
    "basic-pitch": {
        "one": {"serving_default_input_2:0": (audio, [1, 43844, 1])},
        "two": {"serving_default_input_2:0": (audio, [2, 43844, 1])},
    },
    "magika": {
        "one": {"bytes": (below(257, F32), [1, 1536])},
        "five": {"bytes": (below(257, F32), [5, 1536])},
    },
    "wakeword-embedding": {
        "one": {"input_1": (normal, [1, 76, 32, 1])},
        "three": {"input_1": (normal, [3, 76, 32, 1])},
    },
    "wakeword-mel": {
        "one-second": {"input": (audio, [1, 16000])},
        "short": {"input": (audio, [1, 1760])},
    },
    "nsnet2": {
        "twenty-frames": {"input": (normal, [1, 20, 161])},
        "two-of-seven": {"input": (normal, [2, 7, 161])},
    },
    "g2p-bert": {
        "one": {"input_1": (below(32), [1, 32])},
        "four": {"input_1": (below(32), [4, 32])},
    },
    "thai-words": {"twenty": {"input": (below(40), [1, 2, 20])}, "sixty": {"input": (below(40), [1, 2, 60])}},
    "signal-trees": {"one": {"X": (normal_f64, [1, 25])}, "seventy": {"X": (normal_f64, [70, 25])}},
    "signal-head": {"one": detectors(1, 8), "three": detectors(3, 33)},
    "fsmn-vad": {"ten-frames": fsmn(10), "one-second": fsmn(100)},
    "name-encoder": {"one": letters(1, 12), "three-long": letters(3, 25)},
    "resnet50": {"one": {"input": (pixels, [1, 3, 224, 224])}},
    "mobilenet_v2": {"one": {"input": (pixels, [1, 3, 224, 224])}},
    "efficientnet_b0": {"one": {"input": (pixels, [1, 3, 224, 224])}},
    "vit_b_16": {"one": {"input": (pixels, [1, 3, 224, 224])}},
    "yolov8n_seg": {"one": {"images": (pixels, [1, 3, 640, 640])}},
    "colorizer_eccv16": {"one": {"l": (lightness, [1, 1, 256, 256])}},
    "bert_base_qa_128": {"full": bert(ones_i64), "padded": bert(padded_mask)},
    "minilm_l6_128": {"full": bert(ones_i64), "padded": bert(padded_mask)},
    "gpt2_decode_256": {"one": gpt2()},
    "lstm_text_64": {"one": {"input_ids": (below(20000), [1, 64])}},
    "detector": {
        "wide": {"images": (pixels, [1, 3, 64, 96])},
        "two-small": {"images": (pixels, [2, 3, 32, 24])},
    },
    "t5_encoder": {"seven": t5(1, 7), "three-long": t5(3, 40), "one-token": t5(2, 1)},
    "cbam_resnet": {
        "square": {"image": (pixels, [1, 3, 64, 64])},
        "two-wide": {"image": (pixels, [2, 3, 40, 56])},
    },
    "pyramid": {
        "square": {"image": (pixels, [1, 3, 64, 64])},
        "two-odd": {"image": (pixels, [2, 3, 37, 50])},
    },
    "squeezing": {
        "one-step": {"x": (normal, [2, 8, 1])},
        "five-steps": {"x": (normal, [3, 8, 5])},
    },
    "packed_decoder": {"prompt": decoder(1, 5, 0, 0), "step": decoder(2, 1, 6, 6), "buffer": decoder(1, 2, 5, 16)},
}


def draw(model, case, inputs):
    arrays = {}
    for name, (make, shape) in inputs.items():
        seed = zlib.crc32(f"{model}/{case}/{name}".encode())
        arrays[name] = np.ascontiguousarray(make(np.random.Generator(np.random.PCG64(seed)), shape)).reshape(shape)
    return arrays


def session(path):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    # One thread: sums are formed in one order.
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def stamp(name):
    """What the recorded answers follow from."""
    parts = [sha256(os.path.abspath(__file__)), onnxruntime.__version__, np.__version__]
    if name in catalog():
        parts.append(catalog()[name]["sha256"])
    elif name in network_names():
        parts += [sha256(os.path.join(HERE, "dynamic", file)) for file in ("decoder.py", "graph.py", "networks.py")]
    else:
        parts += [sha256(os.path.join(HERE, "zoo", name + end)) for end in (".onnx", ".stats.json")]
    if name == "ppocr-recogniser":
        parts.append(sha256(os.path.join(ROOT, "Examples", "text-line.png")))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def record(name):
    folder = os.path.join(GOLDEN, name)
    stamp_path = os.path.join(folder, "stamp.json")
    wanted = {"stamp": stamp(name), "cases": sorted(CASES[name])}
    try:
        with open(stamp_path) as file:
            if json.load(file) == wanted:
                return
    except (OSError, ValueError):
        pass
    shutil.rmtree(folder, ignore_errors=True)
    model = session(os.path.join(MODELS if name in catalog() else ZOO, name + ".onnx"))
    names = [output.name for output in model.get_outputs()]
    for case, inputs in CASES[name].items():
        arrays = draw(name, case, inputs)
        outputs = dict(zip(names, model.run(names, arrays)))
        if not all(np.isfinite(a).all() for a in outputs.values()):
            raise SystemExit(f"{name}/{case}: onnxruntime's outputs are not finite")
        replace(os.path.join(folder, case + ".inputs.npz"), lambda path: np.savez(path, **arrays))
        replace(os.path.join(folder, case + ".expected.npz"), lambda path: np.savez(path, **outputs))
        print(f"recorded {name}/{case}", flush=True)

    def write(path):
        with open(path, "w") as file:
            json.dump(wanted, file)

    replace(stamp_path, write)


def main():
    everything = list(catalog()) + zoo_names() + network_names()
    if sorted(everything) != sorted(CASES):
        raise SystemExit(f"models without cases or cases without model: {set(everything) ^ set(CASES)}")
    unknown = [name for name in sys.argv[1:] if name not in CASES]
    if unknown:
        raise SystemExit(f"no model named {', '.join(unknown)}; there are {', '.join(CASES)}")
    for name in sys.argv[1:] or everything:
        record(name)


if __name__ == "__main__":
    main()
