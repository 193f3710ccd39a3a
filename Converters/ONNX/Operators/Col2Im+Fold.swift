import MLCCore
import MLCGraph
import MLCOps

extension ONNXCol2Im {
  /// Blocks along one axis that overlap: element k of block b falls on `b·stride + k·dilation − pad`.
  struct Overlap {
    var extent: Int, kernel: Int, blocks: Int, stride: Int, dilation: Int, pad: Int

    /// How many blocks at most are added up where they overlap, each block counted as pieces of `stride` elements.
    var pieces: Int { stride == 1 ? kernel : ((kernel - 1) * dilation + stride) / stride }
  }

  /// `x: T[N, C, *kernels, *blocks]` → `T[N, C, *extents]`, one axis after the other: what lies in a row is added up
  /// where rows are fewer.
  static func folded(_ x: ValueID, _ axes: [Overlap], in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let dtype = context.fact(x).dtype
    var y = dtype.isFloat && dtype != .float64 ? try context.cast(x, to: .float32) : x
    for axis in axes { y = try folded(y, axis, kernel: 2, blocks: 2 + axes.count, in: &context) }
    return try context.cast(y, to: dtype)
  }

  /// Puts the extent in the place of the axis `blocks`; the axis `kernel` goes.
  private static func folded(_ x: ValueID, _ axis: Overlap, kernel: Int, blocks: Int, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let step = axis.stride == 1 ? axis.dilation : 1
    let length = axis.blocks + (axis.pieces - 1) * step
    let pieces = axis.stride == 1 ? x : try cut(x, axis, kernel: kernel, in: &context)
    // Of one element each, pieces go with their axis.
    let place = axis.stride == 1 ? blocks - 1 : blocks
    var sum: ValueID?
    for piece in 0..<axis.pieces {
      let part = try context.element(piece, of: pieces, axis: kernel)
      let around = [piece * step, length - axis.blocks - piece * step]
      let moved = try pad(part, axis: place, by: around, in: &context)
      sum = try sum.map { (sum) throws(Diagnostic) in try context.emit(Add(), sum, moved) } ?? moved
    }
    var y = sum!
    if axis.stride > 1 {
      var order = Array(0..<context.fact(y).rank)
      order.insert(order.remove(at: kernel), at: blocks)
      y = try context.emit(Transpose(order), y)
      let shape = context.fact(y).shape
      let joined = shape[..<(blocks - 1)] + [Dim(length * axis.stride)] + shape[(blocks + 1)...]
      y = try context.reshape(y, Array(joined), sources: [y])
    }
    let after = axis.extent + axis.pad - length * axis.stride
    return try pad(y, axis: blocks - 1, by: [-axis.pad, after], in: &context)
  }

  /// The axis `kernel` as pieces of `stride` elements: `[…, kernel, …]` → `[…, pieces, stride, …]`, zeros between
  /// elements that are `dilation` apart.
  private static func cut(_ x: ValueID, _ axis: Overlap, kernel: Int, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    var (y, count) = (x, axis.kernel)
    let shape = context.fact(x).shape
    func split(_ sizes: Int...) -> [Dim] { shape[..<kernel] + sizes.map { Dim($0) } + shape[(kernel + 1)...] }
    if axis.dilation > 1 {
      y = try context.reshape(y, split(count, 1), sources: [y])
      y = try pad(y, axis: kernel + 1, by: [0, axis.dilation - 1], in: &context)
      count *= axis.dilation
      y = try context.reshape(y, split(count), sources: [y])
    }
    y = try pad(y, axis: kernel, by: [0, axis.pieces * axis.stride - count], in: &context)
    return try context.reshape(y, split(axis.pieces, axis.stride), sources: [y])
  }

  /// `x` with zeros around `axis`, or without elements there where amounts are negative.
  private static func pad(_ x: ValueID, axis: Int, by around: [Int], in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    if around == [0, 0] { return x }
    var amounts = [Int](repeating: 0, count: 2 * context.fact(x).rank)
    amounts.replaceSubrange(2 * axis..<2 * axis + 2, with: around)
    return try context.emit(Pad(mode: "constant"), x, context.constant(ints: amounts, "pad"))
  }
}
