import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps
import SwiftProtobuf

/// Spells legalised functions as an ML program; constants go to the weights file as they come.
struct ProgramEmitter: ~Copyable {
  let target: CoreMLWriteOptions.DeploymentTarget
  var blobs: BlobWriter
  var report: CoreMLReport
  private var names = MILNames()
  private var spelled: [ValueID: String] = [:]
  /// Constants that only compressed constants read: they are written as parts of these.
  private var parts: Set<ValueID> = []

  init(target: CoreMLWriteOptions.DeploymentTarget, blobs: consuming BlobWriter, report: CoreMLReport) {
    self.target = target
    self.blobs = blobs
    self.report = report
  }

  /// The function, and what each of its values is called in it.
  mutating func function(_ function: Function) throws(Diagnostic) -> (function: MILFunction, names: [ValueID: String]) {
    (names, spelled) = (MILNames(), [:])
    parts = function.compressedParts
    var states: [Int: String] = [:]
    for (place, input) in function.inputs.enumerated() {
      if let state = function.states.first(where: { $0.input == place }) {
        states[place] = interfaceName(state.name, "state")
        spelled[input] = names.unique("\(state.name)_read")
      } else {
        spelled[input] = interfaceName(function[input].name, "input")
      }
    }
    for (place, (name, output)) in zip(function.outputNames, function.outputs).enumerated()
    where !function.states.contains(where: { $0.output == place }) {
      spelled[output] = interfaceName(name, "output")
    }
    var result = MILFunction()
    result.opset = target.opset
    result.inputs = function.inputs.enumerated().map { place, input in
      var type = named(input, function)
      if let state = states[place] {
        type.name = state
        let held = type.type
        type.type = MILValueType()
        type.type.stateType.wrappedType = held
      }
      return type
    }
    var body = try block(function.body, function, nested: false)
    surround(&body, function, states)
    result.blockSpecializations[target.opset] = body
    return (result, spelled)
  }

  /// Reads every state before the operations and writes it behind them; the block's outputs are the callers' alone.
  private mutating func surround(_ block: inout MILBlock, _ function: Function, _ names: [Int: String]) {
    var reads: [MILOperation] = []
    for state in function.states {
      guard let name = names[state.input] else { continue }
      let (before, after) = (function.inputs[state.input], function.outputs[state.output])
      var read = stateOperation("read_state", name, label: "\(name)_read")
      read.outputs = [named(before, function)]
      reads.append(read)
      guard after != before else { continue }
      var write = stateOperation("write_state", name, label: "\(name)_write")
      write.inputs["data"] = argument(self.name(after, function))
      block.operations.append(write)
    }
    block.operations = reads + block.operations
    let hidden = Set(function.states.map { $0.output })
    block.outputs = block.outputs.indices.filter { !hidden.contains($0) }.map { block.outputs[$0] }
  }

  private func stateOperation(_ type: String, _ state: String, label: String) -> MILOperation {
    var operation = MILOperation()
    operation.type = type
    operation.attributes["name"] = MILValue(label)
    operation.inputs["input"] = argument(state)
    return operation
  }

  private func argument(_ name: String) -> MILArgument {
    var binding = MILArgument.Binding()
    binding.name = name
    var argument = MILArgument()
    argument.arguments = [binding]
    return argument
  }

  private mutating func interfaceName(_ name: String, _ what: String) -> String {
    let result = names.unique(name)
    if result != name { report.note("\(what) '\(name)' is called '\(result)' in the package") }
    return result
  }

  private mutating func name(_ id: ValueID, _ function: Function) -> String {
    if let name = spelled[id] { return name }
    let name = names.unique(function[id].name)
    spelled[id] = name
    return name
  }

  private mutating func named(_ id: ValueID, _ function: Function) -> MILNamedType {
    var result = MILNamedType()
    result.name = name(id, function)
    result.type = MILValueType(function.type(id))
    return result
  }

  private mutating func block(_ block: Block, _ function: Function, nested: Bool) throws(Diagnostic) -> MILBlock {
    var result = MILBlock()
    if nested { result.inputs = block.inputs.map { named($0, function) } }
    for operation in block.operations {
      if operation.isConstantExpression {
        result.operations.append(try compressed(operation, function))
      } else if let constant = operation.op as? Const {
        if parts.contains(operation.outputs[0]) { continue }
        let name = self.name(operation.outputs[0], function)
        result.operations.append(try const(constant.val, name, label: operation.origin.node ?? name))
      } else {
        try emit(operation, function, into: &result)
      }
    }
    result.outputs = block.outputs.map { name($0, function) }
    return result
  }

  private mutating func const(_ value: Tensor, _ name: String, label: String) throws(Diagnostic) -> MILOperation {
    var operation = MILOperation()
    operation.type = "const"
    var output = MILNamedType()
    output.name = name
    output.type = MILValueType(value.type)
    operation.outputs = [output]
    operation.attributes["name"] = MILValue(label)
    operation.attributes["val"] = try self.value(value)
    return operation
  }

  /// In place, or in the weights file.
  private mutating func value(_ tensor: Tensor) throws(Diagnostic) -> MILValue {
    if !tensor.belongsInBlob { return MILValue(immediate: tensor) }
    return MILValue(tensor.type, in: blobs.reference, at: try blobs.append(tensor))
  }

  /// A compressed constant: its parts as attributes before iOS 18, as arguments in place from then on.
  private mutating func compressed(_ operation: Operation, _ function: Function) throws(Diagnostic) -> MILOperation {
    let node = operation.origin.node ?? function[operation.outputs[0]].name
    for output in operation.outputs where !MILOperator.constantTypes.contains(function.type(output).dtype) {
      let reason = "it does not give \(function.type(output).dtype.rawValue)"
      report.refuse(operation.name, node: node, reason, advice: "store the weight as fp16 or fp32")
    }
    var result = MILOperation()
    let first = name(operation.outputs[0], function)
    result.attributes["name"] = MILValue(operation.origin.node ?? first)
    result.outputs = operation.outputs.map { named($0, function) }
    if target < .iOS18, case .success(let form) = ConstantUse(function: function, operation: operation).earlierForm() {
      result.type = form.type
      for part in form.parts {
        if let id = part.source, parts.contains(id) { spelled[id] = MILCompressedPart.name(first, part.name) }
        result.attributes[part.name] = try value(part.tensor)
      }
      return result
    }
    result.type = operation.name
    for (port, values) in zip(type(of: operation.op).portNames, operation.inputs) {
      guard let id = values.first else { continue }
      var binding = MILArgument.Binding()
      if let tensor = function.fact(id).value {
        if parts.contains(id) { spelled[id] = MILCompressedPart.name(first, port) }
        binding.value = try value(tensor)
      } else {
        binding.name = name(id, function)
      }
      result.inputs[port] = MILArgument.with { $0.arguments = [binding] }
    }
    for (parameter, attribute) in operation.op.attributes {
      let tensor = attribute.tensor(float: .float32)
      result.inputs[parameter] = MILArgument.with { $0.arguments = [.with { $0.value = MILValue(immediate: tensor) }] }
    }
    return result
  }

  private mutating func emit(_ operation: Operation, _ function: Function, into block: inout MILBlock)
    throws(Diagnostic)
  {
    let call = MILSpeller.call(.init(function: function, operation: operation, target: target), &report)
    var result = MILOperation()
    result.type = call.type
    let first = operation.outputs.isEmpty ? call.type : name(operation.outputs[0], function)
    for (port, values) in call.operands {
      var argument = MILArgument()
      for value in values {
        var binding = MILArgument.Binding()
        binding.name = name(value, function)
        argument.arguments.append(binding)
      }
      result.inputs[port] = argument
    }
    let float = operation.inputs.joined().map { function.fact($0).dtype }.first { $0.isFloat } ?? .float32
    for (parameter, value) in call.parameters {
      let label = names.unique("\(first)_\(parameter)_0")
      block.operations.append(try const(value.tensor(float: float), label, label: label))
      var binding = MILArgument.Binding()
      binding.name = label
      var argument = MILArgument()
      argument.arguments = [binding]
      result.inputs[parameter] = argument
    }
    result.attributes["name"] = MILValue(operation.origin.node ?? first)
    result.outputs = operation.outputs.prefix(call.outputs).map { named($0, function) }
    for nested in operation.blocks { result.blocks.append(try self.block(nested, function, nested: true)) }
    block.operations.append(result)
  }
}

extension AttributeValue {
  /// As MIL holds it: integers in 32 bits, floats in the element type of the data, element types by name.
  func tensor(float: DType) -> Tensor {
    func clamped(_ x: Int) -> Int { min(max(x, Int(Int32.min)), Int(Int32.max)) }
    return switch self {
    case .int(let x): Tensor(.int32, [], [clamped(x)])
    case .ints(let x): Tensor(.int32, [x.count], x.map(clamped))
    case .float(let x): Tensor(float, [], [x])
    case .floats(let x): Tensor(float, [x.count], x)
    case .string(let x): Tensor([], strings: [x])
    case .strings(let x): Tensor([x.count], strings: x)
    case .bool(let x): Tensor(.bool, [], [x ? 1 : 0])
    case .bools(let x): Tensor(.bool, [x.count], x.map { $0 ? 1 : 0 })
    case .dtype(let x): Tensor([], strings: [x.rawValue])
    case .tensor(let x): x
    }
  }
}
