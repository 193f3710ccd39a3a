import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Sums, products and the like of two or more inputs, broadcast; `add` and `multiply` of one take a number with it.
enum NNArithmetic: NNLayerRule {
  private static let operators: [(kind: String, op: any Operator, takesMany: Bool)] = [
    ("add", Add(), true), ("multiply", Mul(), true), ("average", Add(), true), ("max", Maximum(), true),
    ("min", Minimum(), true), ("addBroadcastable", Add(), true), ("multiplyBroadcastable", Mul(), true),
    ("maxBroadcastable", Maximum(), true), ("minBroadcastable", Minimum(), true),
    ("subtractBroadcastable", Sub(), false), ("divideBroadcastable", RealDiv(), false),
    ("floorDivBroadcastable", FloorDiv(), false), ("modBroadcastable", Mod(), false),
    ("powBroadcastable", Pow(), false),
  ]
  static let kinds = operators.map { $0.kind }

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    guard let match = operators.first(where: { $0.kind == layer.kind }) else { throw NNContext.wrong("no such layer") }
    let number: Double? =
      switch layer.spec.layer {
      case .add(let spec)? where context.inputCount == 1: Double(spec.alpha)
      case .multiply(let spec)? where context.inputCount == 1: Double(spec.alpha)
      default: nil
      }
    let values = try context.inputs(atLeast: match.takesMany ? 1 : 2)
    guard match.takesMany || values.count == 2 else { throw NNContext.wrong("there are \(values.count) inputs, not 2") }
    if let number { return [try context.emit(match.op, values[0], context.scalar(number))] }
    var result = values[0]
    for value in values.dropFirst() { result = try context.emit(match.op, result, value) }
    if layer.kind == "average" { result = try context.emit(Mul(), result, context.scalar(1 / Double(values.count))) }
    return [result]
  }
}

/// Comparisons of two inputs, or of one and `alpha`: 1 where it holds, else 0.
enum NNComparison: NNLayerRule {
  static let kinds = ["equal", "notEqual", "lessThan", "lessEqual", "greaterThan", "greaterEqual"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let (op, alpha): (any Operator, Float) =
      switch layer.spec.layer {
      case .equal(let spec)?: (Equal(), spec.alpha)
      case .notEqual(let spec)?: (NotEqual(), spec.alpha)
      case .lessThan(let spec)?: (Less(), spec.alpha)
      case .lessEqual(let spec)?: (LessEqual(), spec.alpha)
      case .greaterThan(let spec)?: (Greater(), spec.alpha)
      default: (GreaterEqual(), layer.spec.greaterEqual.alpha)
      }
    let x = try context.input()
    let y = context.inputCount > 1 ? try context.input(1) : context.scalar(Double(alpha))
    return [try context.number(try context.emit(op, x, y))]
  }
}

/// Logic on what is not 0: 1 where it holds, else 0.
enum NNLogic: NNLayerRule {
  static let kinds = ["logicalAnd", "logicalOr", "logicalXor", "logicalNot"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.truth(try context.input())
    if case .logicalNot? = layer.spec.layer { return [try context.number(try context.emit(LogicalNot(), x))] }
    let op: any Operator =
      switch layer.spec.layer {
      case .logicalAnd?: LogicalAnd()
      case .logicalOr?: LogicalOr()
      default: LogicalXor()
      }
    return [try context.number(try context.emit(op, x, try context.truth(try context.input(1))))]
  }
}

/// `scale` and `bias`: numbers of shape `[1]`, `[C]`, `[1, H, W]` or `[C, H, W]`, broadcast.
enum NNScaleBias: NNLayerRule {
  static let kinds = ["scale", "bias"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.input()
    if case .bias(let spec)? = layer.spec.layer {
      return [try context.emit(Add(), x, try numbers(spec.bias, "bias", spec.shape, &context))]
    }
    let spec = layer.spec.scale
    let scaled = try context.emit(Mul(), x, try numbers(spec.scale, "scale", spec.shapeScale, &context))
    guard spec.hasBias_p else { return [scaled] }
    return [try context.emit(Add(), scaled, try numbers(spec.bias, "bias", spec.shapeBias, &context))]
  }

  private static func numbers(_ spec: NNWeightSpec, _ name: String, _ shape: [UInt64], _ context: inout NNContext)
    throws(Diagnostic) -> ValueID
  {
    let tensor = try context.dense(spec, name, shape.map { Int(clamping: $0) })
    return context.constant(tensor.rank <= 1 ? context.alongChannels(tensor) : tensor, name)
  }
}
