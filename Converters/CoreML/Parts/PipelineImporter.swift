import CoreMLProto
import MLCCore

/// Core ML `Pipeline`: models one after the other, each of which finds its inputs by name among the pipeline's own and
/// what the models before it gave.
enum PipelineImporter {
  static let deepest = 16

  static func convert(_ context: inout PartContext) throws(Diagnostic) {
    let (pipeline, isOutermost) = (context.part, context.isOutermost)
    let parts = pipeline.pipelined
    guard !parts.isEmpty else { throw Diagnostic("coreml.pipeline", "the pipeline has no models", at: context.origin) }
    guard context.depth < deepest else {
      throw Diagnostic("coreml.pipeline", "pipelines nest more than \(deepest) deep", at: context.origin)
    }
    context.isOutermost = false
    context.depth += 1
    defer { (context.part, context.isOutermost, context.depth) = (pipeline, isOutermost, context.depth - 1) }
    for part in parts { try convert(part, &context) }
  }

  /// Only what the model's description names goes in and comes out.
  private static func convert(_ part: ModelPart, _ context: inout PartContext) throws(Diagnostic) {
    context.part = part
    guard let rule = PartTable.rule(part.spec) else {
      throw Diagnostic("coreml.not-a-model", "the pipeline's '\(part.name)' is no model", at: context.origin)
    }
    let scope = context.features
    context.features = [:]
    for feature in part.description.input {
      if let value = scope[feature.name] {
        context.features[feature.name] = value
      } else if !feature.type.isOptional {
        throw Diagnostic(
          "coreml.undefined-value",
          "no model before gives the feature '\(feature.name)'",
          at: context.origin
        )
      }
    }
    try locating(context.origin) { () throws(Diagnostic) in try rule(&context) }
    var next = scope
    context.part = part
    for feature in part.description.output { next[feature.name] = try context.feature(feature.name) }
    context.features = next
  }
}
