import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Turns the neural network of a model into a program of the graph.
///
/// Arrays of the old form are `[C]` or `[C, H, W]` to the caller, as the description says, and a sequence of one batch
/// to the layers; outputs come back the same way. Where the network runs over sequences, inputs `[C]` are `[sequence,
/// 1, C, 1, 1]`, and outputs that hold a sequence have five axes. Images are `[1, C, H, W]` in the range of pixels.
/// Whatever type the description names, networks compute in float32; doubles at the interface are float32.
struct NNImporter {
  let part: ModelPart
  let network: NNModel

  /// Throws `coreml.not-a-model` for other types of models.
  init(_ part: ModelPart) throws(Diagnostic) {
    guard let network = NNModel(part.spec, part.weights) else {
      throw Diagnostic("coreml.not-a-model", "'\(part.name)' is no neural network")
    }
    (self.part, self.network) = (part, network)
  }

  /// Throws `coreml.unsupported` with all layers that mlc does not have, or the first layer's problem.
  func convert(_ outer: inout PartContext) throws(Diagnostic) {
    if let report = UnsupportedNNLayers.report(network.layers, custom: outer.custom) { throw report }
    let form = NNLegacyForm(network)
    var context = NNContext(
      part: outer,
      weights: network.weights,
      legacyRank: network.hasExactArrays ? nil : form.rank
    )
    for feature in part.description.input { try addInput(feature, form, to: &context) }
    try context.add(network.layers[...])
    var results: [String: FeatureValue] = [:]
    for feature in part.description.output {
      context.layer = NNLayer(named: feature.name)
      results[feature.name] = try output(feature, in: &context)
    }
    if context.part.keepsParameters, part.spec.isUpdatable, let learning = NNLearning(part) {
      context.part.learning = try learning.learning(context.learnt, network.labels, in: context)
    }
    outer = context.part
    outer.features = results
  }
}
