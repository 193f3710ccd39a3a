import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `embedding`, positions `[…, 1, 1, 1]` → `[…, O, 1, 1]`, and `embeddingND`, `[…, 1]` → `[…, O]`: rows of a table,
/// which the file holds as `[O, vocabulary]`, and a bias.
enum NNEmbedding: NNLayerRule {
  static let kinds = ["embedding", "embeddingND"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    if case .embeddingNd(let spec)? = layer.spec.layer {
      let x = try context.input(rank: 1)
      let (size, width) = (Int(clamping: spec.vocabSize), Int(clamping: spec.embeddingSize))
      let places = try context.integers(x)
      guard try context.extent(places, context.rank(x) - 1) == 1 else {
        throw NNContext.wrong("\(context.fact(x).type) does not end with an axis of 1")
      }
      let flat = try context.reshape(places, context.shape(x).dropLast())
      return [try rows(spec.weights, spec.hasBias_p ? spec.bias : nil, size, width, flat, &context)]
    }
    let spec = layer.spec.embedding
    let x = try context.input(rank: 4)
    let (size, width) = (Int(clamping: spec.inputDim), Int(clamping: spec.outputChannels))
    let lead = Array(context.shape(x).dropLast(3))
    let places = try context.reshape(try context.integers(x), lead)
    let picked = try rows(spec.weights, spec.hasBias_p ? spec.bias : nil, size, width, places, &context)
    return [try context.reshape(picked, lead + [Dim(width), 1, 1])]
  }

  private static func rows(
    _ weights: NNWeightSpec,
    _ bias: NNWeightSpec?,
    _ size: Int,
    _ width: Int,
    _ places: ValueID,
    _ context: inout NNContext
  ) throws(Diagnostic) -> ValueID {
    let stored = try context.weights.read(weights, "weights", count: [width, size].checkedProduct)
    try stored.checkChannels([width, size], 0, "weights")
    let table = try context.weight(stored.transposed(width, size), "weights", [size, width], axis: 1)
    let picked = try context.emit(Gather(axis: 0), table, places)
    guard let bias else { return picked }
    return try context.emit(Add(), picked, try context.vector(bias, "bias", width))
  }
}
