import CoreMLProto
import MLCCore

/// Models as Core ML's `Pipeline` has them: each takes by name what the caller or a model before it gives.
struct PipelineForm {
  let model: MLModelSpec

  /// The pipeline takes what no model before gives, and gives what no model behind takes. Throws `coreml.pipeline`
  /// where two give one name, or take one of different types.
  init(_ parts: some Sequence<(String, MLModelSpec)>) throws(Diagnostic) {
    var (pipeline, description) = (CoreML_Specification_Pipeline(), CoreML_Specification_ModelDescription())
    var given: [(feature: MLFeature, isTaken: Bool)] = []
    var version: Int32 = 0
    for (name, model) in parts {
      pipeline.models.append(model)
      pipeline.names.append(name)
      version = max(version, model.specificationVersion)
      let own = model.description_p
      guard own.functions.isEmpty, own.state.isEmpty else {
        throw Diagnostic("coreml.pipeline", "'\(name)' has several functions or states, which pipelines have not")
      }
      for input in own.input {
        let place = given.firstIndex { $0.feature.name == input.name }
        let known = place.map { given[$0].feature } ?? description.input.first { $0.name == input.name }
        guard known.map(input.fits) ?? true else {
          throw Diagnostic("coreml.pipeline", "'\(name)' takes '\(input.name)' of another type than there is before it")
        }
        if let place { given[place].isTaken = true } else if known == nil { description.input.append(input) }
      }
      for output in own.output {
        guard !(given.map(\.feature) + description.input).contains(where: { $0.name == output.name }) else {
          throw Diagnostic("coreml.pipeline", "'\(name)' gives '\(output.name)', a name that there is before it")
        }
        given.append((output, false))
      }
      if !own.predictedFeatureName.isEmpty {
        description.predictedFeatureName = own.predictedFeatureName
        description.predictedProbabilitiesName = own.predictedProbabilitiesName
      }
      if description.metadata == .init() { description.metadata = own.metadata }
    }
    description.output = given.filter { !$0.isTaken }.map(\.feature)
    var result = MLModelSpec()
    result.specificationVersion = version
    result.description_p = description
    if description.predictedFeatureName.isEmpty {
      result.pipeline = pipeline
    } else {
      result.pipelineClassifier.pipeline = pipeline
    }
    self.model = result
  }
}

extension MLFeature {
  /// Whether it takes what the other gives; a shape that is left open fits any.
  fileprivate func fits(_ other: MLFeature) -> Bool {
    guard case .multiArrayType(let own)? = type.type, case .multiArrayType(let given)? = other.type.type else {
      return type.type == other.type.type
    }
    let isOpen = [own, given].contains { $0.shapeFlexibility != nil || $0.shape.isEmpty }
    return own.dataType == given.dataType && (isOpen || own.shape == given.shape)
  }
}
