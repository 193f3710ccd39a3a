#!/usr/bin/env python3
"""Training beside PyTorch: the same weights, the same batches, step by step.

  training.py [--mlc PATH] [--steps N] [--threads N] [--rounds N] [NAME ...]
  training.py --check [...]
  training.py --keep FOLDER

Networks of training_networks.py are written as ONNX with their first weights, and trained by 'mlc update' and by
PyTorch, in turns, each in a process of its own. Prints a line for each:
  apart       the most that a step's loss differs, over PyTorch's
  torch, mlc  milliseconds of a step: the tenth percentile of all rounds, since other work on the machine only adds
  ratio, cpu  mlc's over PyTorch's, of that and of processor time
  MB          the most memory of each process, PyTorch's and mlc's, compiling included
and the geometric mean of the ratios. Then, unless networks are named, MobileNetV2's last layer is trained in batches of
8, and a step is compared with a prediction of as many pictures. --check compares the losses alone, with one thread and
with two, whose bits have to be the same. --keep writes small networks, their batches, and PyTorch's losses for a test
into FOLDER. The command ends with 1 where a loss is more than --most apart, or bits differ.
Needs what requirements-torch.txt lists.
"""
import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import time

import numpy as np

SEED = 17


def by_torch(task, module, steps):
    """Trains `module` in this process; what 'mlc update --json' says of steps."""
    import torch

    x, labels = task.data(SEED, steps)
    optimizer = getattr(torch.optim, task.optimizer)(module.parameters(), **task.settings)
    x, labels, size = torch.from_numpy(x), torch.from_numpy(labels), task.shape[0]
    log = {"loss": [], "ms": [], "cpu_ms": []}
    for place in range(0, steps * size, size):
        start, cpu = time.perf_counter(), time.process_time()
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(module(x[place:place + size]), labels[place:place + size])
        loss.backward()
        optimizer.step()
        log["loss"].append(loss.item())
        log["ms"].append((time.perf_counter() - start) * 1e3)
        log["cpu_ms"].append((time.process_time() - cpu) * 1e3)
    return log


def export(task, path, steps):
    """PATH.onnx with the first weights, whose batch norms stay, and PATH.npz with all batches."""
    import torch

    module, (x, labels) = task.module(SEED).eval(), task.data(SEED, steps)
    torch.onnx.export(
        module, torch.from_numpy(x[:task.shape[0]]), f"{path}.onnx", input_names=["x"], dynamo=False,
        training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False, opset_version=17)
    np.savez_compressed(f"{path}.npz", x=x, target=labels)


def export_classifier(path, batch, steps):
    import torch

    import export_networks

    torch.manual_seed(SEED)
    random = np.random.default_rng(SEED)
    module = export_networks.models().mobilenet_v2(weights=None).eval()
    pictures = random.standard_normal((batch * steps, 3, 224, 224)).astype(np.float32)
    torch.onnx.export(
        module, torch.from_numpy(pictures[:batch]), f"{path}.onnx", input_names=["x"], dynamo=False, opset_version=17)
    np.savez(f"{path}.npz", x=pictures, target=random.integers(0, 1000, batch * steps))


def keep(folder, steps=10):
    """Small networks for a test: NAME.onnx, NAME.npz, and NAME.json with options of 'mlc update', the losses of steps,
    and that of the trained network's predictions for the first batch."""
    import torch

    import training_networks

    for name, task in training_networks.SMALL.items():
        export(task, f"{folder}/{name}", steps)
        module, (x, labels), size = task.module(SEED), task.data(SEED, steps), task.shape[0]
        losses = by_torch(task, module, steps)["loss"]
        scores = module.eval()(torch.from_numpy(x[:size]))
        after = torch.nn.functional.cross_entropy(scores, torch.from_numpy(labels[:size])).item()
        with open(f"{folder}/{name}.json", "w") as file:
            json.dump({"options": task.options, "loss": losses, "after": after}, file)


def child(options):
    """What needs PyTorch is done in a process of its own, which this is."""
    import torch

    import training_networks

    name, steps = options.child[1:]
    torch.set_num_threads(options.threads)
    if options.child[0] == "torch":
        task = training_networks.TASKS[name]
        log = by_torch(task, task.module(SEED), int(steps))
        print(json.dumps({"steps": log, "rss_peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
    elif name == "mobilenet_v2":
        export_classifier(f"{options.out}/{name}", 8, int(steps))
    else:
        export(training_networks.TASKS[name], f"{options.out}/{name}", int(steps))


def answer(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1]) if done.stdout.strip() else None


def itself(what, name, steps, options):
    script = [sys.executable, "-W", "ignore", os.path.abspath(__file__)]
    return answer(*script, "--out", options.out, "--threads", str(options.threads), "--child", what, name, str(steps))


def by_mlc(name, options, threads):
    import training_networks

    model = f"{options.out}/{name}"
    command = [
        "update", f"{model}.onnx", "--data", f"{model}.npz", "-o", f"{model}.mlpackage", "--loss", "cross-entropy",
        "--epochs", "1", "--no-shuffle", "--json", "--threads", str(threads), *training_networks.TASKS[name].options]
    return answer(options.mlc, *command)


def apart(ours, theirs):
    return max(abs(a - b) / abs(b) for a, b in zip(ours["steps"]["loss"], theirs["steps"]["loss"], strict=True))


def fast(runs, key):
    """The tenth percentile of steps, the first ones left out, which fill caches."""
    return float(np.quantile([value for run in runs for value in run["steps"][key][3:]], 0.1))


def measured(name, options):
    rounds = [(itself("torch", name, options.steps, options),
               by_mlc(name, options, options.threads)) for _ in range(options.rounds)]
    theirs, ours = zip(*rounds)
    ratio, cpu = (fast(ours, key) / fast(theirs, key) for key in ("ms", "cpu_ms"))
    worst = max(apart(*pair) for pair in zip(ours, theirs))
    memory = [max(run["rss_peak_mb"] for run in runs) for runs in (theirs, ours)]
    print(f"{name:20} {worst:9.1e} {fast(theirs, 'ms'):8.2f} {fast(ours, 'ms'):8.2f} {ratio:6.2f} {cpu:6.2f}"
          f" {memory[0]:6.0f} {memory[1]:6.0f}", flush=True)
    return worst, ratio, cpu


def fine_tuned(options):
    """Prints how long a step of the last layer takes beside a prediction."""
    batch, steps, model, threads = 8, 8, f"{options.out}/mobilenet_v2", str(options.threads)
    itself("export", "mobilenet_v2", steps, options)
    answer(options.mlc, "compile", f"{model}.onnx", "-o", f"{model}.mlmodelc", "--json")
    update = [
        options.mlc, "update", f"{model}.onnx", "--data", f"{model}.npz", "-o", f"{model}.mlpackage", "--loss",
        "cross-entropy", "--trainable", "classifier*", "--epochs", "1", "--json", "--threads", threads]
    bench = [options.mlc, "bench", f"{model}.mlmodelc", "--iterations", str(steps), "--json", "--threads", threads]
    rounds = [(answer(*bench), answer(*update)["steps"]) for _ in range(options.rounds)]
    forward, step = ({key: float(np.quantile([time for run in runs for time in run[key]], 0.1))
                      for key in ("ms", "cpu_ms")} for runs in zip(*rounds))
    print(f"last layer of mobilenet_v2: a prediction of {batch} pictures {forward['ms']:.2f} ms, a step"
          f" {step['ms']:.2f} ms, ratio {step['ms'] / forward['ms']:.2f}, of processor time"
          f" {step['cpu_ms'] / forward['cpu_ms']:.2f}")


def checked(name, options):
    theirs = itself("torch", name, options.steps, options)
    ours = [by_mlc(name, options, threads) for threads in (1, 2)]
    worst, same = apart(ours[0], theirs), ours[0]["steps"]["loss"] == ours[1]["steps"]["loss"]
    print(f"{name:20} {worst:9.1e} {'the same bits' if same else 'other bits with two threads'}", flush=True)
    return worst if same else math.inf


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--mlc", default=".build/release/mlc")
    parser.add_argument("--out", default=".cache/training", help="folder for models and batches")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--most", type=float, default=1e-3, help="how far losses may be apart")
    parser.add_argument("--check", action="store_true", help="compare losses alone")
    parser.add_argument("--keep", metavar="FOLDER", help="write what a test compares with")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options)
    if options.keep:
        return keep(options.keep)
    import training_networks

    os.makedirs(options.out, exist_ok=True)
    results = []
    if not options.check:
        print(f"{'':20} {'apart':>9} {'torch ms':>8} {'mlc ms':>8} {'ratio':>6} {'cpu':>6} {'MB':>6} {'mlc MB':>6}")
    for name in options.names or training_networks.TASKS:
        itself("export", name, options.steps, options)
        results.append(checked(name, options) if options.check else measured(name, options))
    if options.check:
        return sys.exit(max(results) > options.most)
    print(f"geometric mean: {mean([r[1] for r in results]):.3f}, of processor time {mean([r[2] for r in results]):.3f}")
    if not options.names:
        fine_tuned(options)
    sys.exit(max(r[0] for r in results) > options.most)


if __name__ == "__main__":
    main()
