"""Pipelines whose last model is updated."""

from coremltools.models import datatypes
from coremltools.models.pipeline import Pipeline, PipelineClassifier


def chained(specs, classifies):
    """The models one after the other, as a classifier or as a plain pipeline; examples are what the first ones take, and the last
    one's target."""
    first, last = specs[0].description, specs[-1].description
    given = [("x", datatypes.Array(1))]
    pipeline = PipelineClassifier(given, ["a"]) if classifies else Pipeline(given, given)
    for spec in specs:
        pipeline.add_model(spec)
    pipeline.make_updatable()
    spec = pipeline.spec
    spec.specificationVersion = max(part.specificationVersion for part in specs)
    names = {feature.name for feature in last.input}
    whole = spec.description
    del whole.input[:], whole.output[:]
    whole.input.extend(first.input)
    whole.output.extend(last.output)
    whole.trainingInput.extend([*first.input, *(feature for feature in last.trainingInput if feature.name not in names)])
    if classifies:
        whole.predictedFeatureName = last.predictedFeatureName
        whole.predictedProbabilitiesName = last.predictedProbabilitiesName
    return spec
