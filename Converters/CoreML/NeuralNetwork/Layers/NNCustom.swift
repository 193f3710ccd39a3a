import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `custom`: what the user says that layers of its class mean.
enum NNCustom: NNLayerRule {
  static let kinds = ["custom"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.custom
    guard let function = context.custom.functions[spec.className] else {
      throw Diagnostic("coreml.unsupported", "nothing says what '\(spec.className)' means", kind: .unsupported)
    }
    var call = NNCustomCall(spec: spec, function: function)
    try call.bind(in: &context)
    try call.replay(function.body, in: &context)
    return try call.results(in: &context)
  }
}

/// A function of the graph, written out in the place of a layer.
private struct NNCustomCall {
  let spec: CoreML_Specification_CustomLayerParams
  let function: Function
  /// What values of the function are in the network.
  private var values: [ValueID: ValueID] = [:]
  /// What the function's sizes are.
  private var sizes: [String: Dim] = [:]
  /// The axes of the first input in front of those that the function declares, and what they are as one with its first.
  private var lead: [Dim] = [], folded: Dim?

  init(spec: CoreML_Specification_CustomLayerParams, function: Function) {
    (self.spec, self.function) = (spec, function)
  }

  private func wrong(_ message: String) -> Diagnostic {
    Diagnostic("coreml.custom", "\(message) of the custom layer '\(spec.className)'")
  }

  /// Gives the function's inputs their values. Throws `coreml.custom`.
  mutating func bind(in context: inout NNContext) throws(Diagnostic) {
    var (place, weights): (Int, [(index: Int, input: ValueID)]) = (0, [])
    for input in function.inputs {
      let name = function[input].name
      if name.hasPrefix("weight"), let index = Int(name.dropFirst(6)) {
        weights.append((index, input))
      } else if let parameter = spec.parameters[name] {
        values[input] = try constant(parameter, name, function.type(input), in: &context)
      } else {
        guard place < context.inputCount else { throw wrong("'\(name)' is neither an input nor a parameter") }
        values[input] = try fitted(
          try context.input(place),
          to: function.type(input),
          isFirst: place == 0,
          in: &context
        )
        place += 1
      }
    }
    guard place == context.inputCount else { throw wrong("\(context.inputCount - place) inputs are not taken") }
    for (index, input) in weights { values[input] = try weight(index, function.type(input), in: &context) }
  }

  /// A value of the network with as many axes as `type` has, whose sizes get theirs.
  private mutating func fitted(_ value: ValueID, to type: TensorType, isFirst: Bool, in context: inout NNContext)
    throws(Diagnostic) -> ValueID
  {
    var shape = context.shape(value)
    guard shape.count >= type.rank, type.rank > 0 else {
      throw wrong("an input is \(context.fact(value).type), not \(type)")
    }
    let excess = shape.count - type.rank
    let whole = shape[...excess].reduce(Dim(1)) { $0 * $1 }
    if isFirst, excess > 0 { (lead, folded) = (Array(shape[...excess]), whole) }
    shape = [whole] + shape[(excess + 1)...]
    for (declared, extent) in zip(type.shape, shape) {
      if let known = declared.evaluate([:]) {
        guard extent.constant ?? known == known else {
          throw wrong("an input is \(context.fact(value).type), not \(type)")
        }
      } else if let name = declared.symbols.first, declared == .symbol(name), sizes[name] == nil {
        sizes[name] = extent
      }
    }
    let number = type.dtype == .float32 ? value : try context.emit(Cast(type.dtype), value)
    return try context.reshape(number, shape)
  }

  private func constant(
    _ parameter: CoreML_Specification_CustomLayerParams.CustomLayerParamValue,
    _ name: String,
    _ type: TensorType,
    in context: inout NNContext
  ) throws(Diagnostic) -> ValueID {
    guard type.rank == 0 else { throw wrong("the parameter '\(name)' is one number, not \(type)") }
    let tensor: Tensor
    switch parameter.value {
    case .doubleValue(let number)?: tensor = .scalar(.float64, number)
    case .intValue(let number)?: tensor = .scalar(.int64, Int(number))
    case .longValue(let number)?: tensor = .scalar(.int64, Int(number))
    case .boolValue(let flag)?: tensor = .scalar(.bool, flag ? 1 : 0)
    case .stringValue(let text)?: tensor = Tensor([], strings: [text])
    case nil: throw wrong("the parameter '\(name)' has no value")
    }
    guard (tensor.dtype == .string) == (type.dtype == .string) else {
      throw wrong("the parameter '\(name)' is \(tensor.type), not \(type)")
    }
    return context.constant(tensor.dtype == .string ? tensor : tensor.converted(to: type.dtype), name)
  }

  private func weight(_ index: Int, _ type: TensorType, in context: inout NNContext) throws(Diagnostic) -> ValueID {
    guard spec.weights.indices.contains(index) else { throw wrong("there is no weight \(index)") }
    let known = sizes.compactMapValues { $0.constant }
    let shape = type.shape.compactMap { $0.evaluate(known) }
    guard shape.count == type.rank, type.dtype == .float32, shape.checkedProduct != nil else {
      throw wrong("the shape \(type) of weight \(index) is not known")
    }
    return context.constant(try context.dense(spec.weights[index], "weight\(index)", shape), "weight\(index)")
  }

  /// Appends the operations of a block.
  mutating func replay(_ block: Block, in context: inout NNContext) throws(Diagnostic) {
    for operation in block.operations {
      if let constant = operation.op as? Const {
        values[operation.outputs[0]] = context.constant(constant.val, function[operation.outputs[0]].name)
        continue
      }
      var blocks: [Block] = []
      for inner in operation.blocks { blocks.append(try replayed(inner, in: &context)) }
      let inputs = operation.inputs.map { $0.map { values[$0]! } }
      let names = operation.outputs.map { "\(context.layer.name).\(function[$0].name)" }
      let results = try context.builder.append(
        operation.op,
        inputs,
        names: names,
        blocks: blocks,
        origin: context.origin
      )
      for (own, result) in zip(operation.outputs, results) { values[own] = result }
    }
  }

  private mutating func replayed(_ block: Block, in context: inout NNContext) throws(Diagnostic) -> Block {
    let inputs = block.inputs.map { (name: "\(context.layer.name).\(function[$0].name)", type: function.type($0)) }
    for (own, input) in zip(block.inputs, context.builder.beginBlock(inputs: inputs)) { values[own] = input }
    try replay(block, in: &context)
    return context.builder.endBlock(yielding: block.outputs.map { values[$0]! })
  }

  /// The outputs with the axes that the inputs had in front.
  func results(in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    var results: [ValueID] = []
    for output in function.outputs {
      var value = values[output]!
      if let folded, context.shape(value).first == folded {
        value = try context.reshape(value, lead + context.shape(value).dropFirst())
      }
      results.append(context.fact(value).dtype == .float32 ? value : try context.number(value))
    }
    return results
  }
}
