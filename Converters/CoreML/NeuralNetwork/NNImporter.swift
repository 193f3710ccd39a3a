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
  let model: ModelFile
  let network: NNModel
  let custom: CustomLayers

  init(_ model: ModelFile, _ network: NNModel, custom: CustomLayers = CustomLayers()) {
    (self.model, self.network, self.custom) = (model, network, custom)
  }

  /// Throws `coreml.unsupported` with all layers that mlc does not have, or the first layer's problem.
  func program() throws(Diagnostic) -> Program {
    if let report = UnsupportedNNLayers.report(network.layers, custom: custom) { throw report }
    var function = Function("main")
    function.file = model.path
    let form = NNLegacyForm(network)
    var context = NNContext(
      builder: Builder(function),
      file: model.path,
      weights: network.weights,
      legacyRank: network.hasExactArrays ? nil : form.rank,
      custom: custom
    )
    try CoreMLPackage.requireDistinct(inputs: model.description.input.map { $0.name })
    for feature in model.description.input { try addInput(feature, form, to: &context) }
    try context.add(network.layers[...])
    var outputs: [(name: String, value: ValueID)] = []
    for feature in model.description.output {
      context.layer = NNLayer(named: feature.name)
      guard var value = try output(feature, in: &context) else { continue }
      if context.builder.function.inputs.contains(value) { value = try context.emit(Identity(), value) }
      outputs.append((feature.name, value))
    }
    guard !outputs.isEmpty else { throw Diagnostic("coreml.outputs", "the model has no output that is a tensor") }
    var program = Program([context.builder.finish(outputs)])
    program.metadata = metadata
    program.notes = notes
    return program
  }

  /// What of the model is left out or is otherwise than the description says.
  private var notes: [String] {
    var notes: [String] = []
    if !model.description.trainingInput.isEmpty {
      notes.append("the model can be trained; its losses and optimizer are left out, and its weights are constants")
    }
    let optional = model.description.input.filter { $0.type.isOptional }.map { "'\($0.name)'" }
    if !optional.isEmpty { notes.append("optional inputs must be given: \(optional.joined(separator: ", "))") }
    for feature in model.description.input where feature.type.imageType.colorSpace == .bgr {
      notes.append("'\(feature.name)' takes the pixels of blue, green, red in this order: --image-order bgr")
    }
    if network.probabilities != nil {
      let label = model.description.predictedFeatureName
      notes.append(
        "the classifier gives probabilities; the label '\(label)' is the name of the greatest, in the metadata's "
          + "'classes'"
      )
    }
    return notes
  }

  /// The model's own, and a classifier's labels under `classes`, one a line.
  private var metadata: [(key: String, value: String)] {
    var result = model.metadata
    if !network.labels.isEmpty, !result.contains(where: { $0.key == "classes" }) {
      result.append((key: "classes", value: network.labels.joined(separator: "\n")))
    }
    return result
  }
}
