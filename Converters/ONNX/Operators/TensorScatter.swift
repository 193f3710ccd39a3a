import MLCCore
import MLCGraph
import MLCOps

/// ONNX `TensorScatter` → `scatter_nd`: `update` written into `past_cache` along `axis`, from the place on that
/// `write_indices` gives each batch, round the end when `mode` is `circular`.
package enum ONNXTensorScatter: ONNXOperator {
  package static let types = ["TensorScatter"]
  package static var sinceOpset: Int { 24 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (cache, update) = (try context.required(0), try context.required(1))
    let rank = context.fact(cache).rank
    let axis = try normalized(axis: try node.int("axis", default: -2), rank: rank, "tensor_scatter")
    guard axis > 0, context.fact(update).rank == rank else {
      throw Diagnostic("onnx.tensor-scatter", "axis \(axis) of \(context.fact(cache).type) is none of a sequence")
    }
    let perm = [0, axis] + (1..<rank).filter { $0 != axis }
    let inverse = (0..<rank).map { perm.firstIndex(of: $0)! }
    let isFirst = axis == 1
    let rows = isFirst ? cache : try context.emit(Transpose(perm), cache)
    let news = isFirst ? update : try context.emit(Transpose(perm), update)
    let indices = try places(node, rows, news, in: &context)
    let y = try context.emit(ScatterNd(mode: .update), rows, indices, news)
    return [isFirst ? y : try context.emit(Transpose(inverse), y)]
  }

  /// Batch and place of each of `news`: `[batch, length, 2]`.
  private static func places(_ node: ONNXNode, _ rows: ValueID, _ news: ValueID, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    var place = try context.emit(ExpandDims([0]), try context.places(of: news, axis: 1))
    if let starts = context.input(2) {
      guard context.fact(starts).rank == 1 else {
        throw Diagnostic("onnx.tensor-scatter", "write_indices is \(context.fact(starts).type), expected a vector")
      }
      place = try context.emit(Add(), place, try context.emit(ExpandDims([1]), try context.cast(starts, to: .int64)))
    }
    switch try node.string("mode", default: "linear") {
    case "linear": break
    case "circular": place = try context.emit(Mod(), place, try context.extent(of: rows, axis: 1))
    case let mode: throw Diagnostic("onnx.tensor-scatter", "there is no mode '\(mode)'")
    }
    let batch = try context.emit(ExpandDims([1]), try context.places(of: news, axis: 0))
    let zero = context.constant(.scalar(.int64, 0))
    let batches = try context.emit(Add(), batch, try context.emit(Mul(), place, zero))
    let all = try context.emit(Add(), place, try context.emit(Mul(), batch, zero))
    return try context.concat(
      [try context.emit(ExpandDims([2]), batches), try context.emit(ExpandDims([2]), all)],
      axis: 2
    )
  }
}
