import MLCCore

/// The loss that a Keras model is compiled with.
package struct KerasLoss: Hashable, Sendable {
  package enum Kind: Sendable { case crossEntropy, binaryCrossEntropy, meanSquaredError }

  package let kind: Kind
  /// As the file calls it.
  package let name: String
  /// Whether it is told of logits; of probabilities otherwise.
  package let isOfLogits: Bool
  /// The output that it is of; the first when `nil`.
  package let output: String?

  private static let kinds: [String: Kind] = [
    "categorical_crossentropy": .crossEntropy, "CategoricalCrossentropy": .crossEntropy,
    "sparse_categorical_crossentropy": .crossEntropy, "SparseCategoricalCrossentropy": .crossEntropy,
    "binary_crossentropy": .binaryCrossEntropy, "BinaryCrossentropy": .binaryCrossEntropy,
    "bce": .binaryCrossEntropy, "BCE": .binaryCrossEntropy, "mean_squared_error": .meanSquaredError,
    "MeanSquaredError": .meanSquaredError, "mse": .meanSquaredError, "MSE": .meanSquaredError,
  ]

  private static let neutral: [String: [JSON]] = [
    "reduction": ["sum_over_batch_size", "auto", "mean", "mean_with_sample_weight"].map { .string($0) },
    "label_smoothing": [.integer(0), .number(0)], "axis": [.integer(-1)],
  ]

  /// Of a model with so many `outputs`. Throws `keras.training` for losses of several outputs, and for what mlc has no
  /// equal for; `keras.config`.
  init(_ json: JSON, outputs: Int) throws(Diagnostic) {
    let (own, output) = try KerasLoss.single(json, outputs)
    let (name, config) = try KerasTraining.part(own, "loss")
    guard let kind = KerasLoss.kinds[name] else { throw KerasTraining.refusal("the loss '\(name)'") }
    try config.require(KerasLoss.neutral, besides: ["name", "dtype", "fn", "from_logits"], of: "the loss '\(name)'")
    (self.kind, self.name, self.output) = (kind, name, output)
    isOfLogits = try config.bool("from_logits", default: false)
  }

  /// The one loss of a list, or of an object by outputs. One that is given alone is of each output.
  private static func single(_ json: JSON, _ outputs: Int) throws(Diagnostic) -> (loss: JSON, output: String?) {
    switch json {
    case .array(let losses) where losses.count { $0 != .null } == 1 && losses[0] != .null: return (losses[0], nil)
    case .object(let members) where members["class_name"] == nil:
      let given = members.filter { $0.value != .null }
      if given.count == 1, let only = given.first { return (only.value, only.key) }
    case .array: break
    default: if outputs == 1 { return (json, nil) }
    }
    throw KerasTraining.refusal("losses of several outputs, or of one that is not the first")
  }
}
