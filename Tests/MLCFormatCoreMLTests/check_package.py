"""Loads packages with coremltools and prints one JSON object a line: what it saw, or why it refused.

usage: check_package.py PACKAGE…
"""

import collections
import json
import os
import sys

import coremltools
from coremltools.converters.mil.frontend.milproto import load as milproto


def block_types(block, counts):
    for operation in block.operations:
        counts[operation.type] += 1
        for nested in operation.blocks:
            block_types(nested, counts)


def check(path):
    model = coremltools.models.MLModel(path, skip_model_load=True)
    spec = model.get_spec()
    counts = collections.Counter()
    pipeline = spec.pipelineClassifier.pipeline if spec.HasField("pipelineClassifier") else spec.pipeline
    parts = list(pipeline.models) or [spec]
    for part in parts:
        for function in part.mlProgram.functions.values():
            block_types(function.block_specializations[function.opset], counts)
    description = spec.description
    if description.functions:
        description = description.functions[0]
    result = {
        "ops": dict(counts),
        "inputs": [feature.name for feature in description.input],
        "outputs": [feature.name for feature in description.output],
        "version": spec.specificationVersion,
        "predicted": [description.predictedFeatureName, description.predictedProbabilitiesName],
    }
    if not any(name.startswith("mlc_") for name in counts):
        weights = os.path.join(path, "Data", "com.apple.CoreML", "weights")
        try:
            result["parsed"] = {}
            for part in parts:
                program = milproto.load(part, part.specificationVersion, weights)
                for name, function in program.functions.items():
                    shapes = [getattr(output, "shape", [None]) for output in function.outputs]
                    result["parsed"][name] = [
                        list(shape) if all(isinstance(x, int) for x in shape) else None for shape in shapes
                    ]
        except Exception as error:  # Loading is one thing, inferring types again another.
            result["parse_error"] = f"{type(error).__name__}: {error}"
    return result


for path in sys.argv[1:]:
    try:
        answer = check(path)
    except Exception as error:  # The test prints whatever coremltools says.
        answer = {"error": f"{type(error).__name__}: {error}"}
    print("RESULT " + json.dumps({"path": path, **answer}))
