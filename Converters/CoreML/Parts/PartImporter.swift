import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Turns a model of any type but an ML Program of several functions into a function.
struct PartImporter {
  private let part: ModelPart

  private let custom: CustomLayers
  private let isUpdatable: Bool

  /// What the model learns are parameters where `isUpdatable`, else constants.
  init(_ part: ModelPart, _ custom: CustomLayers, isUpdatable: Bool) {
    (self.part, self.custom, self.isUpdatable) = (part, custom, isUpdatable)
  }

  func program() throws(Diagnostic) -> Program {
    var context = PartContext(part, custom: custom, keepsParameters: isUpdatable && part.spec.isUpdatable)
    try CoreMLPackage.requireDistinct(inputs: part.description.input.map { $0.name })
    guard let rule = PartTable.rule(part.spec) else {
      throw Diagnostic("coreml.not-a-model", "the file holds no Core ML model")
    }
    if !PartTable.declaresInputs(part.spec) {
      for feature in part.description.input { try context.declare(feature) }
    }
    try rule(&context)
    var program = Program([try context.finish(part.description.output, PredictedFeatures(part.description))])
    program.metadata = part.metadata + classes(context.boxLabels)
    (program.notes, program.structure) = (context.notes, part.structure)
    program.learning = context.learning
    if part.spec.isUpdatable, program.learning == nil {
      program.notes.append("the model can be updated; how is left out, and what it has learnt is constant")
    }
    return program
  }

  /// Labels of boxes, for which a function's outputs have no place, as Create ML writes them: under `classes`, with
  /// commas between. None where the model says so itself, and where a label has commas.
  private func classes(_ labels: [String]) -> [(key: String, value: String)] {
    let isSaid = part.metadata.contains { $0.key == "classes" }
    if isSaid || labels.isEmpty || labels.contains(where: { $0.contains(",") }) { return [] }
    return [(key: "classes", value: labels.joined(separator: ","))]
  }
}

/// Which outputs a classifier's answers are, by the description.
struct PredictedFeatures {
  let label: String, probabilities: String

  init(_ description: CoreML_Specification_ModelDescription) {
    (label, probabilities) = (description.predictedFeatureName, description.predictedProbabilitiesName)
  }

  init(_ function: CoreML_Specification_FunctionDescription) {
    (label, probabilities) = (function.predictedFeatureName, function.predictedProbabilitiesName)
  }
}
