import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Dropout`: its input, and a mask that keeps every element; in training mode 0 where a number of Philox 4x32-10
/// from 0 up to 1 (`OperationBuilder.uniform`) lies below `ratio`, elsewhere the input by `1 − ratio`.
///
/// Training mode is `is_test` 0 before operator set 7, and the third input from 12 on; between there is none. `ratio`
/// is an attribute before 12, 0.5 by default. The mask has the input's type before 10, then truth values.
package enum ONNXDropout: ONNXOperator {
  package static let types = ["Dropout"]
  package static var note: String { "what it is given, or in training mode the same numbers in every run" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let ratio = try share(node, in: &context)
    let mask = context.opset >= 10 ? DType.bool : context.fact(x).dtype
    guard let ratio, context.fact(ratio).doubles?.first != 0 else {
      guard node.output(1) != nil else { return [x] }
      let kept = try context.constant(1, mask, "kept")
      let shape = try context.emit(Shape(dtype: .int64), x)
      return [x, try context.emit(Fill(), shape, kept, output: 1)]
    }
    guard context.fact(x).dtype.isFloat else { throw Diagnostic("onnx.random", "dropout of \(context.fact(x).type)") }
    context.noteTraining("drops elements at random, the same in every run")
    let numbers = try context.uniform(try context.emit(Shape(dtype: .int64), x), .float32, key: try context.randomKey())
    let isKept = try context.emit(GreaterEqual(), numbers, ratio)
    let rest = try context.emit(Sub(), try context.number(1, like: ratio), ratio)
    let grown = try context.emit(RealDiv(), x, try context.cast(rest, to: context.fact(x).dtype))
    let y = try context.emit(Select(), isKept, grown, try context.number(0, like: x))
    return [y, try context.cast(isKept, to: mask)]
  }

  /// How many of the elements are dropped, a float32 scalar; `nil` where none is, outside of training.
  private static func share(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> ValueID? {
    if context.opset < 12 {
      if context.opset >= 7 { return nil }
      if try node.flag("is_test") { return nil }
      return try context.constant(Double(try node.float("ratio", default: 0.5)), .float32, "ratio")
    }
    guard let training = context.input(2) else { return nil }
    if let known = context.fact(training).value, known.count == 1, known.dtype == .bool, known.integers[0] == 0 {
      return nil
    }
    guard context.fact(training).dtype == .bool else {
      throw Diagnostic("onnx.random", "training_mode is \(context.fact(training).type)")
    }
    var ratio = try context.constant(0.5, .float32, "ratio")
    if let given = context.input(1) {
      guard context.fact(given).dtype.isFloat else {
        throw Diagnostic("onnx.random", "the ratio is \(context.fact(given).type)")
      }
      ratio = try context.cast(try context.scalar(given, "onnx.random"), to: .float32)
    }
    let isTraining = try context.scalar(training, "onnx.random")
    if context.fact(isTraining).value != nil { return ratio }
    return try context.emit(Select(), isTraining, ratio, try context.number(0, like: ratio))
  }
}
