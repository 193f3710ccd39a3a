import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Planes `[Seq, Batch, C, H, W]` before a recurrent layer of `C` inputs: each line of each plane is a sequence along
/// W. Core ML itself has no such form; [kraken](https://kraken.re) writes it.
struct NNLines {
  private let x: ValueID
  private let shape: [Dim]
  /// Whether the lines are columns: kraken exchanges height and width before such a layer, and does not write that it
  /// does so again behind it.
  private let isTurned: Bool

  /// `nil` where the layer takes a sequence `[Seq, Batch, C, 1, 1]`.
  init?(width: Int, in context: NNContext) throws(Diagnostic) {
    (x, shape) = (try context.input(), context.shape(try context.input()))
    guard shape.count == 5, shape[2].constant == width, shape[3] != 1 || shape[4] != 1 else { return nil }
    guard context.layer.spec.input.count == 1, context.layer.spec.output.count == 1 else {
      throw NNContext.unsupported("lines of planes have no states that are given")
    }
    isTurned = context.part.part.isKraken && context.layer.name.hasSuffix("_transposed")
  }

  /// `[W, Seq·Batch·H, C]`
  func steps(in context: inout NNContext) throws(Diagnostic) -> ValueID {
    let lines = try context.emit(Transpose([4, 0, 1, 3, 2]), x)
    return try context.reshape(lines, [shape[4], shape[0] * shape[1] * shape[3], shape[2]])
  }

  /// `[Seq, Batch, C′, H, W]` of the results `[W, Seq·Batch·H, C′]`.
  func planes(_ result: ValueID, in context: inout NNContext) throws(Diagnostic) -> ValueID {
    guard let channels = context.shape(result).last, context.rank(result) == 3 else {
      throw NNContext.unsupported("lines of planes give all of their steps")
    }
    let lines = try context.reshape(result, [shape[4], shape[0], shape[1], shape[3], channels], sources: [x])
    return try context.emit(Transpose(isTurned ? [1, 2, 4, 0, 3] : [1, 2, 4, 3, 0]), lines)
  }
}
