import CoreMLProto
import MLCCore

/// Every type of model: what it is called, and how it becomes operations.
enum PartTable {
  /// What defines, in the context, the features that the model's description names as its outputs.
  typealias Rule = @Sendable (inout PartContext) throws(Diagnostic) -> Void

  /// The name of the model's type in the schema.
  static func kind(_ spec: MLModelSpec) -> String { row(spec).kind }
  /// `nil` where mlc does not have it.
  static func rule(_ spec: MLModelSpec) -> Rule? { row(spec).rule }

  /// Whether its conversion makes inputs of the form that it needs; others are declared as the description has them.
  static func declaresInputs(_ spec: MLModelSpec) -> Bool { ["mlProgram", "neuralNetwork"].contains(kind(spec)) }

  private static func row(_ spec: MLModelSpec) -> (kind: String, rule: Rule?) {
    switch spec.type {
    case .pipeline?, .pipelineClassifier?, .pipelineRegressor?:
      ("pipeline", { context throws(Diagnostic) in try PipelineImporter.convert(&context) })
    case .mlProgram(let program)?:
      ("mlProgram", { context throws(Diagnostic) in try MILImporter(context.part, program).convert(&context) })
    case .neuralNetwork?, .neuralNetworkClassifier?, .neuralNetworkRegressor?:
      ("neuralNetwork", { context throws(Diagnostic) in try NNImporter(context.part).convert(&context) })
    case .linkedModel(let link)?:
      ("linkedModel", { context throws(Diagnostic) in try LinkedModel(link).convert(&context) })
    case .identity?: ("identity", { context throws(Diagnostic) in try IdentityModel.convert(&context) })
    default: ClassicalTable.row(spec)
    }
  }
}
