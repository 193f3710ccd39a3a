import MLCCore
import MLCGraph
import MLCOps

/// `clip(round(input / scale) + zero_point)`, halves to even.
func importQuantize(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "input")
  guard let dtype = DType(rawValue: try node.text("output_dtype") ?? ""), [.int8, .uint8].contains(dtype) else {
    throw Diagnostic("coreml.parameter", "'output_dtype' is neither int8 nor uint8")
  }
  let scale = try spread(node, "scale", over: x, .float32, &context)
  let quotient = try context.apply(RealDiv(), try context.converted(x, to: .float32), scale)
  var whole = try context.apply(Round(), quotient)
  if try node.constant("zero_point") != nil {
    whole = try context.apply(Add(), whole, try spread(node, "zero_point", over: x, .float32, &context))
  }
  let range = dtype == .int8 ? -128.0...127 : 0...255
  let bounded = try context.apply(Clip(alpha: range.lowerBound, beta: range.upperBound), whole)
  return [try context.apply(Cast(dtype), bounded)]
}

/// `scale · (input − zero_point)`.
func importDequantize(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "input")
  let dtype = try node.required("scale").dtype
  var number = try context.converted(x, to: .float32)
  if try node.constant("zero_point") != nil {
    number = try context.apply(Sub(), number, try spread(node, "zero_point", over: x, .float32, &context))
  }
  let product = try context.apply(Mul(), number, try spread(node, "scale", over: x, .float32, &context))
  return [try context.converted(product, to: dtype)]
}

/// A number, or a vector along `axis`, as it broadcasts with `x`.
private func spread(
  _ node: MILNode,
  _ name: String,
  over x: ValueID,
  _ dtype: DType,
  _ context: inout MILContext
) throws(Diagnostic) -> ValueID {
  let (tensor, fact) = (try node.required(name), context.fact(x))
  guard tensor.dtype != .string, tensor.rank <= 1 else {
    throw Diagnostic("coreml.parameter", "'\(name)' is \(tensor.type)")
  }
  let numbers = tensor.converted(to: dtype)
  if tensor.count == 1 { return context.constant(numbers.reshaped([]), name) }
  let axis = try node.integer("axis") ?? 0
  let place = axis < 0 ? axis + fact.rank : axis
  guard fact.shape.indices.contains(place), fact.shape[place].constant ?? tensor.count == tensor.count else {
    throw Diagnostic("coreml.parameter", "'\(name)' is \(tensor.type) along axis \(axis) of \(fact.type)")
  }
  return context.constant(numbers.reshaped([tensor.count] + [Int](repeating: 1, count: fact.rank - place - 1)), name)
}
