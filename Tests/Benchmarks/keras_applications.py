#!/usr/bin/env python3
"""Networks of keras.applications through mlc: do they agree with Keras, and what does coming from Keras cost in speed?

  keras_applications.py [--mlc MLC] [--out DIR] [options] [NAME ...]        MobileNetV2 and ResNet50 unless named
  keras_applications.py --answers [...]                                     only the first question, of every family

Each network gets seeded random weights with which it behaves as if trained: its batch norms have the statistics of a batch of
pictures, so that activations neither grow nor vanish, and its logits have unit variance, so that no probability is
saturated. DIR gets NAME.keras, NAME.h5, NAME.onnx (Keras' own export, by tf2onnx) and NAME.npz: the input and what Keras
answers, logits and probabilities. What is there already is kept; --fresh makes it again.

Then mlc compiles all three files for one picture and predicts. Prints one JSON object a line for each network:
  errors                  file → output → max_abs, max_rel, and agrees: |mlc − keras| ≤ atol + rtol·|keras|, atol being 1e-4 for
                          logits and 1e-6 for probabilities, which are around 1e-3; max_rel is of |keras| + atol
  agrees                  whether all of them do; else the exit code is 1
  ms_keras, ms_onnx       median latency, one thread
  ratio                   latency from .keras / latency from .onnx: median over rounds of the fastest predictions; the packages
                          take turns, so that load on the machine moves both alike
  ratio_cpu               the same of the rounds' medians of processor time
Needs what requirements-keras.txt lists.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

from bench import Command, measure, mlc_command

NETWORKS = ["MobileNetV2", "ResNet50"]
# One network of each family of keras.applications.
FAMILIES = [
    "Xception", "VGG16", "ResNet50", "ResNet50V2", "InceptionV3", "InceptionResNetV2", "MobileNet", "MobileNetV2",
    "MobileNetV3Small", "DenseNet121", "NASNetMobile", "EfficientNetB0", "EfficientNetV2B0", "ConvNeXtTiny"]
# Outputs, with the absolute tolerance of each.
OUTPUTS = {"logits": 1e-4, "probabilities": 1e-6}


# --------------------------------------------------------------------------- making the networks


def pictures(np, random, count, size, takes_bytes):
    """Coarse structure and fine grain, so that pictures differ by more than noise; around 0, or in the range of bytes."""
    grain = -(-size // 8)
    coarse = random.normal(0, 1, (count, 8, 8, 3)).repeat(grain, 1).repeat(grain, 2)[:, :size, :size]
    picture = coarse + random.normal(0, 0.3, coarse.shape)
    return (picture * 50 + 128 if takes_bytes else picture).astype("float32")


def settle(keras, np, model, random, batch):
    """Random weights; statistics and logits as of a trained network."""
    norms = [layer for layer in model.layers if isinstance(layer, keras.layers.BatchNormalization)]
    for layer in norms:
        if layer.scale:
            layer.gamma.assign(random.uniform(0.7, 1.3, layer.gamma.shape))
        if layer.center:
            layer.beta.assign(random.normal(0, 0.1, layer.beta.shape))
    # With momentum 0 a pass in training leaves the statistics of its batch.
    momenta = [layer.momentum for layer in norms]
    for layer in norms:
        layer.momentum = 0.0
    model(batch, training=True)
    for layer, momentum in zip(norms, momenta):
        layer.momentum = momentum
    logits = np.array(model(batch, training=False))
    classifier = next(layer for layer in reversed(model.layers) if hasattr(layer, "kernel"))
    classifier.kernel.assign(np.array(classifier.kernel) / logits.std())
    classifier.bias.assign(random.normal(0, 0.1, classifier.bias.shape))


def make(name, folder, *kinds):
    """NAME.npz in `folder`, and NAME.keras, NAME.h5 and NAME.onnx as far as they are wanted."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", KERAS_BACKEND="tensorflow")
    import keras
    import numpy as np

    keras.utils.set_random_seed(17)
    random = np.random.default_rng(17)
    base = getattr(keras.applications, name)(weights=None, classifier_activation=None)
    size = base.input_shape[1] or 224
    # Networks that prepare pictures themselves.
    takes_bytes = any(isinstance(layer, (keras.layers.Rescaling, keras.layers.Normalization)) for layer in base.layers)
    settle(keras, np, base, random, pictures(np, random, 8, size, takes_bytes))
    model = keras.Model(base.input, [base.output, keras.layers.Softmax(name="probabilities")(base.output)])
    x = pictures(np, random, 1, size, takes_bytes)
    answers = [np.array(y) for y in model(x, training=False)]
    path = os.path.join(folder, name)
    for kind in kinds:
        if kind == "onnx":
            model.export(f"{path}.onnx", format="onnx", verbose=False)
        else:
            model.save(f"{path}.{kind}")
    np.savez(f"{path}.npz", x=x, **dict(zip(OUTPUTS, answers)))


# --------------------------------------------------------------------------- running mlc


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def errors(np, actual, expected, rtol, atol):
    if actual.shape != expected.shape:
        raise SystemExit(f"an output is {actual.shape}, not {expected.shape}")
    difference = np.abs(actual.astype("float64") - expected)
    return {
        "max_abs": float(difference.max()),
        "max_rel": float((difference / (np.abs(expected) + atol)).max()),
        "agrees": bool((difference <= atol + rtol * np.abs(expected)).all()),
    }


def compiled(np, file, record, options):
    """The package and inputs that a model file gives, and how its answers differ from Keras'."""
    package, inputs, outputs = f"{file}.mlmodelc", f"{file}.inputs.npz", f"{file}.outputs.npz"
    interface = run(options.mlc, "inspect", file, "--json")
    source, names = interface["inputs"][0]["name"], [output["name"] for output in interface["outputs"]]
    shape = ",".join(map(str, record["x"].shape))
    run(options.mlc, "compile", file, "-o", package, "--input", f"{source}={shape}", "--json")
    np.savez(inputs, **{source: record["x"]})
    run(options.mlc, "predict", package, "--inputs", inputs, "-o", outputs, "--json")
    with np.load(outputs) as answers:
        found = {
            output: errors(np, answers[name], record[output], options.rtol, atol)
            for (output, atol), name in zip(OUTPUTS.items(), names)
        }
    return package, inputs, found


def speed(packages, options):
    """Latency of each package, in turns."""
    command = mlc_command(options.mlc, "{model}")
    engines = [Command(f"{kind}={command}", package, inputs, options) for kind, (package, inputs) in packages.items()]

    def fail(engine, problem):
        raise SystemExit(f"{engine}: {problem}")

    times = measure(engines, options, fail)

    def ratio(of, index):
        pairs = zip(times["keras"][index], times["onnx"][index])
        return statistics.median(of(keras) / of(onnx) for keras, onnx in pairs)

    result = {f"ms_{kind}": statistics.median(sum(wall, [])) for kind, (wall, _) in times.items()}
    return dict(result, ratio=ratio(min, 0), ratio_cpu=ratio(statistics.median, 1))


def compare(name, options):
    import numpy as np

    path = os.path.join(options.out, name)
    with np.load(f"{path}.npz") as file:
        record = dict(file)
    logits, top = record["logits"], record["probabilities"].max()
    result = {"model": name, "logits_std": float(logits.std()), "largest_probability": float(top), "errors": {}}
    packages = {}
    for kind in options.kinds:
        package, inputs, found = compiled(np, f"{path}.{kind}", record, options)
        result["errors"][kind] = found
        packages[kind] = (package, inputs)
    result["agrees"] = all(found[output]["agrees"] for found in result["errors"].values() for output in OUTPUTS)
    if options.answers:
        return result
    # Both files of Keras give one program: one of them is timed.
    del packages["h5"]
    return dict(result, threads=options.threads, **speed(packages, options))


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    return float(f"{value:.4g}") if isinstance(value, float) else value


def main():
    if sys.argv[1:2] == ["--make"]:
        return make(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", metavar="NAME", help="a function of keras.applications")
    parser.add_argument("--mlc", default=".build/release/mlc")
    parser.add_argument("--out", default=".cache/keras_applications", help="folder for models and packages")
    parser.add_argument("--fresh", action="store_true", help="make the models again")
    parser.add_argument("--answers", action="store_true", help="neither make ONNX files nor measure")
    parser.add_argument("--rtol", type=float, default=1e-3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--budget", type=float, default=4.0, help="seconds a package gets for all rounds")
    parser.add_argument("--core", type=int, default=0, help="the first core to pin to")
    options = parser.parse_args()
    options.kinds = ["keras", "h5"] + ([] if options.answers else ["onnx"])
    os.makedirs(options.out, exist_ok=True)
    agrees = True
    for name in options.networks or (FAMILIES if options.answers else NETWORKS):
        files = [os.path.join(options.out, f"{name}.{kind}") for kind in options.kinds + ["npz"]]
        if options.fresh or not all(map(os.path.exists, files)):
            # A process of its own: TensorFlow's threads and memory are gone before anything is measured.
            command = [sys.executable, "-W", "ignore", os.path.abspath(__file__), "--make", name, options.out]
            subprocess.run(command + options.kinds, check=True, stdout=sys.stderr)
        result = compare(name, options)
        agrees = agrees and result["agrees"]
        print(json.dumps(rounded(result)), flush=True)
    return 0 if agrees else 1


if __name__ == "__main__":
    sys.exit(main())
