import MLCCore
import MLCGraph
import MLCOps

/// Rebuilds a function from operators and element types that MIL has, as far as that is possible without changing what
/// it computes: `int64` becomes `int32`, extensions that MIL's operators can express become those, inputs and outputs
/// get types that a Core ML interface has, by casts.
struct Legalizer {
  let source: Function
  let target: CoreMLWriteOptions.DeploymentTarget
  private(set) var report: CoreMLReport
  private var builder: Builder
  /// From the source's values to the result's.
  private(set) var values: [ValueID: ValueID] = [:]

  init(_ source: Function, target: CoreMLWriteOptions.DeploymentTarget, report: CoreMLReport) {
    (self.source, self.target, self.report) = (source, target, report)
    var function = Function(source.name)
    (function.bounds, function.enumerations) = (source.bounds, source.enumerations)
    function.states = source.states
    function.file = source.file
    builder = Builder(function)
  }

  /// The rebuilt function; its outputs are neither inputs nor constants, each a value of its own. Throws `coreml.type`
  /// for element types that MIL has not.
  mutating func run() throws(Diagnostic) -> Function {
    if let value = source.values.first(where: { !$0.fact.dtype.isMIL }) {
      let message = "'\(value.name)' is \(value.fact.dtype.rawValue), an element type that Core ML's programs have not"
      throw Diagnostic("coreml.type", message, kind: .unsupported)
    }
    for (place, input) in source.inputs.enumerated() {
      if let state = source.states.first(where: { $0.input == place }) {
        addState(state, input)
      } else {
        try addInput(input)
      }
    }
    for operation in source.body.operations { try convert(operation) }
    var outputs: [(name: String, value: ValueID)] = []
    var used = Set(values.filter { source.inputs.contains($0.key) }.values)
    for (place, (name, value)) in zip(source.outputNames, source.outputs).enumerated() {
      var result = values[value]!
      if source.states.contains(where: { $0.output == place }) {
        outputs.append((name, result))
        continue
      }
      let dtype = Self.interface(builder.fact(result).dtype, target)
      if dtype != builder.fact(result).dtype {
        report.note("output '\(name)' is \(source.type(value).dtype.rawValue); in the package it is \(dtype.rawValue)")
        result = try builder(Cast(dtype), result, name: "\(name)_output")
      } else if source.type(value).dtype == .int64 {
        report.note("output '\(name)' is int64; in the package it is int32")
      }
      if builder.fact(result).isConstant || !used.insert(result).inserted {
        result = try builder(Identity(), result, name: "\(name)_output")
        used.insert(result)
      }
      outputs.append((name, result))
    }
    return builder.finish(outputs)
  }

  /// The element type that stands for `dtype` on the outside.
  static func interface(_ dtype: DType, _ target: CoreMLWriteOptions.DeploymentTarget) -> DType {
    switch dtype {
    case .float32, .float64, .int32, .string: dtype
    case .float16: target >= .iOS16 ? .float16 : .float32
    default: dtype.isFloat ? .float32 : .int32
    }
  }

  private mutating func addInput(_ id: ValueID) throws(Diagnostic) {
    let value = source[id]
    let inner = Self.narrowed(value.fact.dtype)
    let outer = Self.interface(inner, target)
    let input = builder.input(value.name, value.fact.type.with(outer))
    if value.fact.dtype != outer {
      report.note("input '\(value.name)' is \(value.fact.dtype.rawValue); in the package it is \(outer.rawValue)")
    }
    values[id] = inner == outer ? input : try builder(Cast(inner), input, name: "\(value.name)_\(inner.rawValue)")
  }

  /// A state keeps its type, whatever it is: nothing but the function sees it.
  private mutating func addState(_ state: State, _ id: ValueID) {
    let value = source[id]
    values[id] = builder.input(value.name, value.fact.type)
    if target < .iOS18 {
      report.refuse("state", node: state.name, "states need iOS18", advice: "write the package for iOS18")
    }
    if value.fact.dtype != .float16 {
      report.refuse(
        "state",
        node: state.name,
        "a state is float16, this one is \(value.fact.dtype.rawValue)",
        advice: "cast it in the source model"
      )
    }
  }

  static func narrowed(_ dtype: DType) -> DType { dtype == .int64 ? .int32 : dtype }

  private mutating func convert(_ operation: Operation) throws(Diagnostic) {
    let names = operation.outputs.map { source[$0].name }
    if let constant = operation.op as? Const {
      let tensor = narrowed(constant.val, operation)
      values[operation.outputs[0]] = builder.constant(tensor, name: names[0], origin: operation.origin)
      return
    }
    let inputs = operation.inputs.map { $0.map { values[$0]! } }
    let use = LegalizedUse(inputs: inputs, names: names, origin: operation.origin, target: target)
    var results: [ValueID]?
    if let op = operation.op as? any MILLegalizable { results = try op.legalize(use, in: &builder) }
    if results == nil {
      var blocks: [Block] = []
      for nested in operation.blocks { blocks.append(try block(nested)) }
      results = try builder.append(
        Self.narrowed(operation.op),
        inputs,
        names: names,
        blocks: blocks,
        origin: operation.origin
      )
    }
    for (old, new) in zip(operation.outputs, results!) {
      let wide = builder.fact(new).dtype == .int64
      values[old] = wide ? try builder(Cast(.int32), new, name: "\(source[old].name)_int32") : new
    }
  }

  private mutating func block(_ block: Block) throws(Diagnostic) -> Block {
    let arguments = block.inputs.map { id in
      let type = source.type(id)
      return (source[id].name, type.with(Self.narrowed(type.dtype)))
    }
    for (old, new) in zip(block.inputs, builder.beginBlock(inputs: arguments)) { values[old] = new }
    for operation in block.operations { try convert(operation) }
    return builder.endBlock(yielding: block.outputs.map { values[$0]! })
  }

  /// `op` with `int32` wherever an attribute says `int64`.
  private static func narrowed(_ op: any Operator) -> any Operator {
    var op = op
    for (name, value) in op.attributes where value == .dtype(.int64) { _ = op.setAttribute(name, .dtype(.int32)) }
    return op
  }

  private mutating func narrowed(_ tensor: Tensor, _ operation: Operation) -> Tensor {
    guard tensor.dtype == .int64 else { return tensor }
    let limits = Int(Int32.min)...Int(Int32.max)
    let numbers = tensor.integers
    if numbers.allSatisfy(limits.contains) { return Tensor(.int32, tensor.shape, numbers) }
    let id = operation.outputs[0]
    if !Self.onlyBounds(id, source.body) {
      report.refuse(
        "constant",
        node: source[id].name,
        "it holds integers that do not fit 32 bits, Core ML's widest; they are written as the nearest that fit",
        advice: "export the model with smaller integers"
      )
    }
    return Tensor(.int32, tensor.shape, numbers.map { min(max($0, limits.lowerBound), limits.upperBound) })
  }

  /// Whether `id` is read only as an end of slices, where every number past the extent means the same.
  private static func onlyBounds(_ id: ValueID, _ block: Block) -> Bool {
    guard !block.outputs.contains(id) else { return false }
    return block.operations.allSatisfy { operation in
      let bounds = operation.op is SliceByIndex
      let fits = operation.inputs.enumerated().allSatisfy { port, ids in
        !ids.contains(id) || bounds && (port == 1 || port == 2)
      }
      return fits && operation.blocks.allSatisfy { onlyBounds(id, $0) }
    }
  }
}
