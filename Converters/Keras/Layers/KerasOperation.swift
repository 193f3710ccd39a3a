import MLCCore
import MLCGraph
import MLCOps

/// A function of tensors among the layers: `x + y`, `tf.exp(x)`, `keras.ops.mean(x)`. Keras 3 writes an operation,
/// Keras 2 a `TFOpLambda` that names the function. Axes that a tensor lacks stand before all others. Masks end here.
package struct KerasOperation: KerasLayer {
  package static let classNames = ["TFOpLambda"]

  /// What `node` is, if it is such a function.
  static func function(_ node: KerasLayerNode) -> KerasFunction? {
    guard node.className == "TFOpLambda" else { return node.isOperation ? KerasFunction.named(node.className) : nil }
    guard case .string(let name)? = node.config["function"] else { return nil }
    return KerasFunction.named(name)
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    guard let function = function(call.layer) else {
      throw Diagnostic("keras.unsupported", "mlc has no function '\(call.layer.name)'", kind: .unsupported)
    }
    switch function {
    case .unary(let op): return [try context.elementwise(op, try call.input())]
    case .binary(let op): return [try binary(op, try operands(call), &context)]
    case .reduction(let type):
      let settings = KerasConfig(call.config.members.merging(call.options) { $1 })
      guard settings["initial"] == nil else {
        throw Diagnostic("keras.option", "'initial' is not supported", kind: .unsupported)
      }
      let x = try context.plain(try call.input())
      var axes: [Int] = []
      for axis in try settings.list("axis") ?? Array(0..<context.fact(x).rank) {
        axes.append(try context.axis(axis, KerasTensor(x)))
      }
      var op = type.init()
      (op.axes, op.keepDims) = (axes, try settings.bool("keepdims", default: false))
      return [KerasTensor(try context.emit(op, x))]
    }
  }

  // MARK: Two operands

  private enum Operand {
    case tensor(KerasTensor)
    case number(Double)

    init?(_ value: JSON) {
      switch value {
      case .integer(let number): self = .number(Double(number))
      case .number(let number): self = .number(number)
      default: return nil
      }
    }
  }

  /// In the order of the call: those without a keyword, then `x1`, `x2` of Keras 3, `x`, `y` of TensorFlow.
  private static func operands(_ call: KerasCall) throws(Diagnostic) -> [Operand] {
    var tensors = call.inputs.makeIterator()
    var result: [Operand] = []
    for argument in call.arguments {
      if let number = Operand(argument) {
        result.append(number)
      } else {
        result += tensors.next().map { [.tensor($0)] } ?? []
      }
    }
    while let tensor = tensors.next() { result.append(.tensor(tensor)) }
    for key in ["x1", "x", "x2", "y"] {
      if let tensor = call.keywords[key]?.first {
        result.append(.tensor(tensor))
      } else if let number = call.options[key].flatMap({ Operand($0) }) {
        result.append(number)
      }
    }
    guard result.count == 2 else {
      throw Diagnostic("keras.inputs", "it is called with \(result.count) tensors and numbers, not 2")
    }
    return result
  }

  private static func binary(
    _ op: any Operator,
    _ operands: [Operand],
    _ context: inout KerasContext
  ) throws(Diagnostic) -> KerasTensor {
    var tensors: [KerasTensor] = []
    var isReal = op is RealDiv
    for operand in operands {
      switch operand {
      case .tensor(let tensor): tensors.append(tensor)
      case .number(let number): isReal = isReal || number != number.rounded()
      }
    }
    // Of integers the result is float32, in TensorFlow float64.
    for (index, tensor) in tensors.enumerated() where isReal && context.fact(tensor.value).dtype.isInteger {
      tensors[index] = try context.elementwise(Cast(context.isKeras2 ? .float64 : .float32), tensor)
    }
    guard let x = tensors.first else { throw Diagnostic("keras.inputs", "it is called with no tensor") }
    if tensors.count == 2 {
      let (values, isChannelsFirst) = try context.alike(tensors)
      return KerasTensor(try context.emit(op, values[0], values[1]), isChannelsFirst: isChannelsFirst)
    }
    let values = operands.map { operand in
      if case .number(let number) = operand { context.scalar(number, like: x.value) } else { x.value }
    }
    return KerasTensor(try context.emit(op, values[0], values[1]), isChannelsFirst: x.isChannelsFirst)
  }
}
