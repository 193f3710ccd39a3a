#!/usr/bin/env python3
"""Latency of inference engines side by side on ONNX models, on the CPU.

  bench.py [--engines ort,ov] [--exec NAME='COMMAND {model} {inputs_npz} {repeat}'] [options] MODEL.onnx ...

Engines take turns, so that all see the machine in the same state: in each round every engine runs a batch of inferences,
sized so that all rounds of one engine take about --budget seconds. While one engine runs the others are stopped
(SIGSTOP), so a thread pool that spins while idle takes nothing from it. One thread is pinned to core --core, N threads to
N cores from there on. Inputs are seeded numbers, or those of MODEL.npz beside a model that has such a file.

Built-in engines: ort (onnxruntime), ov (OpenVINO, arithmetic in float32) and ov_default (OpenVINO, arithmetic in what it
chooses: bfloat16 where the processor multiplies that), each in a process of its own. ENGINE@PATH runs the engine on
another model file with the same inputs. An --exec command is started anew for each batch; {model},
{name} (its file name without .onnx), {inputs_npz}, {repeat} and {threads} are filled in. The last line that it prints is
a JSON list of milliseconds, one an inference, or an object with "ms" (that list) and optionally "cpu_ms", "load_ms",
"first_ms" and "rss_peak_mb", of which the median over the batches counts.

Prints one JSON object a line for each model and engine:
  ms_median, ms_min, ms_p10   wall time
  cpu_ms_median               processor time of the process; unlike wall time it does not grow with other load
  ratio_ort                   median over rounds of this engine's fastest inference / onnxruntime's fastest
  ratio_ort_median            the same of the rounds' medians
  ratio_ort_cpu               the same of the medians of processor time
  ratio_ov, ratio_ov_…        the same beside OpenVINO
  load_ms, first_ms           loading the model, the first inference
  rss_base_mb, rss_peak_mb    resident memory after importing the engine, and at most
  processor, version          what it ran on; the version of a built-in engine
A last line, when several models were measured with ort, has the geometric mean of ratio_ort for every engine.
report.py makes a table and a picture of the lines of --out.
"""
import argparse
import json
import math
import os
import platform
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import zlib


def make_inputs(path, seed):
    """Seeded inputs for a model of fixed sizes; a free size is taken as 1."""
    import numpy as np
    import onnx

    graph = onnx.load(path, load_external_data=False).graph
    constants = {tensor.name for tensor in graph.initializer}
    inputs = {}
    for value in graph.input:
        if value.name in constants:
            continue
        kind = value.type.tensor_type
        shape = [dim.dim_value or 1 for dim in kind.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type)
        generator = np.random.Generator(np.random.PCG64(zlib.crc32(value.name.encode()) + seed))
        inputs[value.name] = fill(generator, value.name.lower(), shape, dtype).astype(dtype)
    return inputs


def fill(generator, name, shape, dtype):
    import numpy as np

    if dtype.kind == "b" or (dtype.kind in "iu" and "mask" in name):
        return np.ones(shape)
    if dtype.kind not in "iu":
        return generator.standard_normal(shape)
    if "token_type" in name or "segment" in name:
        return np.zeros(shape)
    if "pos" in name:
        count = int(np.prod(shape))
        return np.full(shape, 256) if count == 1 else np.arange(count).reshape(shape)
    return generator.integers(0, 1000, shape)


# --------------------------------------------------------------------------- the process of a built-in engine


def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def peak_mb():
    # VmHWM belongs to this program alone; ru_maxrss is inherited from the process that started it.
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 / 1e6 for line in file if line.startswith("VmHWM"))


def start_ort(model, threads, inputs):
    import onnxruntime as ort

    base, start = resident_mb(), time.perf_counter()
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    # Bound buffers: no copy to or from Python is timed.
    binding = session.io_binding()
    values = {name: ort.OrtValue.ortvalue_from_numpy(array) for name, array in inputs.items()}
    for name, value in values.items():
        binding.bind_ortvalue_input(name, value)
    for output in session.get_outputs():
        binding.bind_output(output.name, "cpu")
    return lambda _=values: session.run_with_iobinding(binding), base, time.perf_counter() - start


def start_ov(model, threads, inputs, precision="f32"):
    import openvino as ov

    base, start = resident_mb(), time.perf_counter()
    settings = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_NUM_THREADS": threads,
        "NUM_STREAMS": 1,
        "ENABLE_CPU_PINNING": threads > 1,
    }
    if precision:
        settings["INFERENCE_PRECISION_HINT"] = precision
    core = ov.Core()
    request = core.compile_model(core.read_model(model), "CPU", settings).create_infer_request()
    for name, array in inputs.items():
        request.set_tensor(name, ov.Tensor(array))
    return request.infer, base, time.perf_counter() - start


def start_ov_default(model, threads, inputs):
    return start_ov(model, threads, inputs, precision=None)


STARTERS = {"ort": start_ort, "ov": start_ov, "ov_default": start_ov_default}
PACKAGES = {"ort": "onnxruntime", "ov": "openvino", "ov_default": "openvino"}


def serve(engine, model, threads, inputs_path):
    """Loads the model, then runs as many inferences as each line of standard input says."""
    import ctypes
    import importlib.metadata

    import numpy as np

    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: a stopped process dies with its parent too
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with np.load(inputs_path) as file:
        inputs = dict(file)
    infer, base, load = STARTERS[engine](model, threads, inputs)
    start = time.perf_counter()
    infer()
    first = time.perf_counter() - start
    facts = {"load_ms": load * 1e3, "first_ms": first * 1e3, "rss_base_mb": base}
    facts["version"] = importlib.metadata.version(PACKAGES[engine])
    print(json.dumps(facts), file=answers, flush=True)
    for line in sys.stdin:
        wall, cpu = [], []
        for _ in range(int(line)):
            before, before_cpu = time.perf_counter(), time.process_time()
            infer()
            cpu.append((time.process_time() - before_cpu) * 1e3)
            wall.append((time.perf_counter() - before) * 1e3)
        print(json.dumps({"ms": wall, "cpu_ms": cpu, "rss_peak_mb": peak_mb()}), file=answers, flush=True)


# --------------------------------------------------------------------------- engines, seen from the harness


def cores(options):
    return f"{options.core}-{options.core + options.threads - 1}"


class Worker:
    """A built-in engine: one process, stopped except during its turns."""

    def __init__(self, name, model, inputs_path, options):
        self.name = name
        engine, _, other = name.partition("@")
        if engine not in STARTERS:
            raise RuntimeError(f"no engine named {engine}; there are {', '.join(STARTERS)}")
        self.errors = tempfile.TemporaryFile("w+")
        command = ["taskset", "-c", cores(options), sys.executable, "-W", "ignore", os.path.abspath(__file__), "--serve"]
        self.process = subprocess.Popen(
            command + [engine, os.path.abspath(other) if other else model, str(options.threads), inputs_path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            env=dict(os.environ, OMP_NUM_THREADS=str(options.threads)),
        )
        self.facts = self.answer()
        self.process.send_signal(signal.SIGSTOP)

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            self.errors.seek(0)
            raise RuntimeError(self.errors.read()[-600:])
        return json.loads(line)

    def turn(self, repeat):
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.write(f"{repeat}\n")
        self.process.stdin.flush()
        answer = self.answer()
        self.process.send_signal(signal.SIGSTOP)
        self.facts["rss_peak_mb"] = answer["rss_peak_mb"]
        return answer["ms"], answer["cpu_ms"]

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.stdin.close()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.errors.close()


class Command:
    """An engine that a command line runs, once for each turn."""

    def __init__(self, definition, model, inputs_path, options):
        self.name, _, self.template = definition.partition("=")
        if not self.template:
            raise SystemExit("--exec takes NAME='COMMAND …'")
        self.options = options
        name = os.path.basename(model).removesuffix(".onnx")
        self.fields = {"model": model, "name": name, "inputs_npz": inputs_path, "threads": options.threads}
        self.facts, self.seen = {}, {}

    def turn(self, repeat):
        command = self.template.format(repeat=repeat, **self.fields)
        run = subprocess.run(
            ["taskset", "-c", cores(self.options), "bash", "-c", command], capture_output=True, text=True,
            env=dict(os.environ, THREADS=str(self.options.threads)),
        )
        if run.returncode:
            raise RuntimeError(run.stderr[-600:] or f"exit code {run.returncode}")
        answer = json.loads(run.stdout.strip().splitlines()[-1])
        if isinstance(answer, list):
            return answer, answer
        for key in ("load_ms", "first_ms", "rss_peak_mb"):
            if key in answer:
                self.seen.setdefault(key, []).append(answer[key])
                self.facts[key] = statistics.median(self.seen[key])
        return answer["ms"], answer.get("cpu_ms", answer["ms"])

    def close(self):
        pass


# --------------------------------------------------------------------------- measuring


def measure(engines, options, fail):
    """Engine name → (wall times by round, processor times by round), for engines that run."""
    times, repeats = {}, {}
    for engine in engines:
        try:
            wall, _ = engine.turn(2)
            repeats[engine.name] = max(1, min(200, int(options.budget / options.rounds / max(min(wall) / 1e3, 1e-6))))
            times[engine.name] = ([], [])
        except (RuntimeError, ValueError, KeyError) as problem:
            fail(engine.name, problem)
    for _ in range(options.rounds):
        for engine in engines:
            if engine.name in times:
                wall, cpu = engine.turn(repeats[engine.name])
                times[engine.name][0].append(wall)
                times[engine.name][1].append(cpu)
    return times


def summary(times, references):
    """Of the times of one engine; the ratios to each of `references`: engine name → its times."""
    wall, cpu = [sum(rounds, []) for rounds in times]
    tenth = sorted(wall)[len(wall) // 10]
    result = {"n": len(wall), "ms_median": statistics.median(wall), "ms_min": min(wall), "ms_p10": tenth}
    result["cpu_ms_median"] = statistics.median(cpu)

    def ratio(of, index, reference):
        return statistics.median(of(own) / of(other) for own, other in zip(times[index], reference[index]))

    for name, reference in references.items():
        result[f"ratio_{name}"] = ratio(min, 0, reference)
        result[f"ratio_{name}_median"] = ratio(statistics.median, 0, reference)
        result[f"ratio_{name}_cpu"] = ratio(statistics.median, 1, reference)
    return result


def mlc_command(mlc, package):
    """The --exec command that measures `package`, in which fields may stand."""
    bench = f"{shlex.quote(mlc)} bench {shlex.quote(package)}"
    return f"{bench} --inputs {{inputs_npz}} --iterations {{repeat}} --threads {{threads}} --json"


def slowness(row):
    """A key that orders an engine's rows by their ratios to the first engine beside it; one without ratios is slowest."""
    return next((row[key] for key in ("ratio_ort", "ratio_ov") if key in row), math.inf)


def inputs_of(model, seed):
    """The inputs beside the model, or seeded ones."""
    import numpy as np

    beside = model.removesuffix(".onnx") + ".npz"
    if not os.path.exists(beside):
        return make_inputs(model, seed)
    with np.load(beside) as file:
        return dict(file)


def bench(model, options, emit):
    """Measures one model; answers ratio_ort by engine."""
    import numpy as np

    name = os.path.basename(model).removesuffix(".onnx")
    head = {"model": name, "threads": options.threads, "processor": processor()}

    def fail(engine, problem):
        emit(dict(head, engine=engine, error=str(problem)[-400:]))

    engines, ratios = [], {}
    with tempfile.TemporaryDirectory() as folder:
        inputs_path = os.path.join(folder, "inputs.npz")
        np.savez(inputs_path, **inputs_of(model, options.seed))
        try:
            for engine in filter(None, options.engines.split(",")):
                try:
                    engines.append(Worker(engine, model, inputs_path, options))
                except RuntimeError as problem:
                    fail(engine, problem)
            engines += [Command(definition, model, inputs_path, options) for definition in options.exec]
            times = measure(engines, options, fail)
            references = {name: times[name] for name in STARTERS if name in times}
            for engine in engines:
                if engine.name not in times:
                    continue
                result = dict(head, engine=engine.name, **summary(times[engine.name], references), **engine.facts)
                emit(result)
                if "ratio_ort" in result:
                    ratios[engine.name] = result["ratio_ort"]
        finally:
            for engine in engines:
                engine.close()
    return ratios


def processor():
    """What the kernel calls this processor."""
    with open("/proc/cpuinfo") as file:
        names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.machine()


def line(result):
    """A result as one line of JSON."""
    return json.dumps({key: round(v, 4) if isinstance(v, float) else v for key, v in result.items()})


def operator_arguments(description, name, rounds, budget):
    """A parser of what benchmarks of operators alone have in common; `name` is that of the folder they work in."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("regex", nargs="?", default=".")
    parser.add_argument("--mlc", default=".build/release/mlc")
    parser.add_argument("--out", default=f".cache/bench/{name}", help="where models and packages go")
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--budget", type=float, default=budget, help="seconds for each engine and case")
    parser.add_argument("--core", type=int, default=0, help="the first core to pin to")
    return parser


def main():
    if sys.argv[1:2] == ["--serve"]:
        engine, model, threads, inputs_path = sys.argv[2:]
        return serve(engine, model, int(threads), inputs_path)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="MODEL.onnx")
    parser.add_argument("--engines", default="ort", help="built-in engines, comma-separated (default: ort)")
    parser.add_argument("--exec", action="append", default=[], metavar="NAME=COMMAND", help="an engine by command line")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--budget", type=float, default=2.0, help="seconds an engine gets for all rounds of a model")
    parser.add_argument("--core", type=int, default=0, help="the first core to pin to")
    parser.add_argument("--seed", type=int, default=0, help="of the inputs")
    parser.add_argument("--out", help="append the results to this file too")
    options = parser.parse_args()

    def emit(result):
        print(line(result), flush=True)
        if options.out:
            with open(options.out, "a") as file:
                file.write(line(result) + "\n")

    ratios = {}
    for model in options.models:
        for engine, ratio in bench(os.path.abspath(model), options, emit).items():
            ratios.setdefault(engine, []).append(ratio)
    if len(options.models) > 1 and "ort" in ratios:
        means = {engine: math.exp(statistics.fmean(map(math.log, values))) for engine, values in ratios.items()}
        counts = {engine: len(values) for engine, values in ratios.items()}
        emit({"geometric_mean_ratio_ort": {k: round(v, 4) for k, v in means.items()}, "models": counts})


if __name__ == "__main__":
    main()
