import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Multinomial`: `sample_size` classes for each row of unnormalised logarithms of probabilities `[batch, class]`.
/// A class is the number of classes whose sums of probabilities, from the first on, a number of Philox 4x32-10 from 0
/// up to 1 (`OperationBuilder.uniform`) does not lie below.
package enum ONNXMultinomial: ONNXOperator {
  package static let types = ["Multinomial"]
  package static var sinceOpset: Int { 7 }
  package static var note: String { "the same numbers in every run" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let count = try node.int("sample_size", default: 1)
    let dtype = try ONNXDataType.dtype(try node.int("dtype", default: 6))
    guard context.fact(x).rank == 2, context.fact(x).dtype.isFloat, count >= 0, dtype == .int32 || dtype == .int64
    else {
      throw Diagnostic("onnx.random", "\(count) classes of type \(dtype.rawValue) from \(context.fact(x).type)")
    }
    let wide = context.fact(x).dtype == .float64 ? DType.float64 : .float32
    let shares = try context.emit(Softmax(axis: 1), try context.cast(x, to: wide))
    // Without the last sum, which rounding may leave below 1.
    var running = Cumsum()
    running.axis = 1
    let sums = try context.slice(try context.emit(running, shares), axis: 1, from: 0, to: -1)
    let rows = try context.emit(ExpandDims([0]), try context.extent(of: x, axis: 0))
    let shape = try context.concat([rows, context.constant(ints: [count], "samples")], axis: 0)
    let numbers = try context.emit(ExpandDims([2]), try context.uniform(shape, wide, key: try context.randomKey()))
    let isPast = try context.emit(GreaterEqual(), numbers, try context.emit(ExpandDims([1]), sums))
    let classes = try context.emit(ReduceSum(axes: [2], keepDims: false), try context.cast(isPast, to: dtype))
    return [classes]
  }
}
