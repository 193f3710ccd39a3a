import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `innerProduct`: `y = W·x + b` over the last axis, or with four or more axes over the last three together, `[…, C, H,
/// W]` → `[…, O, 1, 1]`.
///
/// Activations are not quantised where `int8DynamicQuantize` asks for it.
enum NNInnerProduct: NNLayerRule {
  static let kinds = ["innerProduct"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.innerProduct
    let x = try context.input(rank: 1)
    let (width, out) = (Int(clamping: spec.inputChannels), Int(clamping: spec.outputChannels))
    let weight = try context.weight(spec.weights, "weights", [out, width])
    let bias = spec.hasBias_p ? try context.vector(spec.bias, "bias", out) : nil
    let lead = Array(context.shape(x).dropLast(3))
    guard !lead.isEmpty else { return [try context.emit(Linear(), x, weight, bias)] }
    let rows = try context.reshape(x, lead + [context.shape(x).suffix(3).reduce(1) { $0 * $1 }])
    let product = try context.emit(Linear(), rows, weight, bias)
    return [try context.reshape(product, lead + [Dim(out), 1, 1])]
  }
}

/// `batchedMatmul`: of two inputs, or of an input and a weight `[X1, X2]` that lies in the file column after column.
enum NNBatchedMatmul: NNLayerRule {
  static let kinds = ["batchedMatmul"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.batchedMatmul
    let x = try context.input(rank: 1)
    if context.inputCount > 1 {
      let y = try context.input(1, rank: 1)
      let ranks = (context.rank(x), context.rank(y))
      let a = ranks.0 == 1 ? try context.emit(ExpandDims([0]), x) : x
      let b = ranks.1 == 1 ? try context.emit(ExpandDims([1]), y) : y
      return [
        try context.emit(
          MatMul(transposeX: spec.transposeA && ranks.0 > 1, transposeY: spec.transposeB && ranks.1 > 1),
          a,
          b
        )
      ]
    }
    let (rows, columns) = (
      Int(clamping: spec.weightMatrixFirstDimension), Int(clamping: spec.weightMatrixSecondDimension)
    )
    let weight = try context.weight(spec.weights, "weights", [columns, rows])
    let bias = spec.hasBias_p ? try context.vector(spec.bias, "bias", columns) : nil
    return [try context.emit(Linear(), x, weight, bias)]
  }
}

/// `dot`: the sum of products along channels, `[…, C, 1, 1]` → `[…, 1, 1, 1]`; of vectors brought to length 1 with
/// `cosineSimilarity`.
enum NNDot: NNLayerRule {
  static let kinds = ["dot"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let (x, y) = (try context.input(0, rank: 3), try context.input(1, rank: 3))
    let product = try sum(x, y, &context)
    guard layer.spec.dot.cosineSimilarity else { return [product] }
    let squares = try context.emit(Mul(), try sum(x, x, &context), try sum(y, y, &context))
    return [try context.emit(Mul(), product, try context.emit(Rsqrt(), squares))]
  }

  private static func sum(_ x: ValueID, _ y: ValueID, _ context: inout NNContext) throws(Diagnostic) -> ValueID {
    try context.emit(ReduceSum(axes: [-3], keepDims: true), try context.emit(Mul(), x, y))
  }
}
