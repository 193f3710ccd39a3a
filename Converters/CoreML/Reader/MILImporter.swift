import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps
import SwiftProtobuf

/// Turns the ML program of a model into functions of the graph.
struct MILImporter {
  private let model: ModelPart
  private let source: MILProgram

  init(_ model: ModelPart, _ source: MILProgram) { (self.model, self.source) = (model, source) }

  /// `main`, or the description's default function, comes first, the others by name.
  func program() throws(Diagnostic) -> Program {
    if let report = UnsupportedMILOperators.report(source) { throw report }
    let names = source.functions.keys.sorted { ($0 != first ? 1 : 0, $0) < ($1 != first ? 1 : 0, $1) }
    var functions: [Function] = []
    for name in names {
      functions.append(try locating(Location(function: name)) { () throws(Diagnostic) in try function(name) })
    }
    guard !functions.isEmpty else { throw Diagnostic("coreml.function", "the program has no function") }
    var program = Program(functions)
    (program.metadata, program.structure) = (model.metadata, model.structure)
    return program
  }

  /// The function that a pipeline runs, as a part of the function at hand.
  func convert(_ context: inout PartContext) throws(Diagnostic) {
    if let report = UnsupportedMILOperators.report(source) { throw report }
    for (name, value) in try add(first, to: &context) { context.define(name, value) }
  }

  private var first: String {
    model.description.defaultFunctionName.isEmpty ? "main" : model.description.defaultFunctionName
  }

  private func function(_ name: String) throws(Diagnostic) -> Function {
    var context = PartContext(model, function: name)
    try CoreMLPackage.requireDistinct(inputs: source.functions[name]?.inputs.map { $0.name } ?? [])
    let values = try add(name, to: &context)
    context.features = [:]
    for (name, value) in values { context.define(name, value) }
    let described = interface(name)
    return try context.finish(outputs(values, described.output), described.predicted)
  }

  /// What the description says of a function: of its own, or of the only one.
  private func interface(_ name: String) -> (input: [MLFeature], output: [MLFeature], predicted: PredictedFeatures) {
    if let own = model.description.functions.first(where: { $0.name == name }) {
      return (own.input, own.output, PredictedFeatures(own))
    }
    return (model.description.input, model.description.output, PredictedFeatures(model.description))
  }

  /// The block's outputs in its own order, as the description has them where it does.
  private func outputs(_ values: [(name: String, value: ValueID)], _ described: [MLFeature]) -> [MLFeature] {
    values.map { value in
      described.first { $0.name == value.name } ?? MLFeature.with { $0.name = value.name }
    }
  }

  /// Appends a function's operations, with inputs of its own where nothing is given. What it gives by name.
  private func add(_ name: String, to outer: inout PartContext) throws(Diagnostic)
    -> [(name: String, value: ValueID)]
  {
    guard let source = self.source.functions[name], let body = source.blockSpecializations[source.opset] else {
      throw Diagnostic("coreml.function", "the function has no body for its operator set")
    }
    let described = interface(name).input
    if outer.isOutermost {
      for input in source.inputs { declareSizes(input, described, in: &outer.builder.function) }
    }
    var (entries, states): ([String: MILEntry], [String: ValueID]) = ([:], [:])
    for input in source.inputs {
      try locating(Location(node: input.name)) { () throws(Diagnostic) in
        if case .stateType? = input.type.type {
          states[input.name] = try outer.state(input.name, try TensorType(state: input.type))
          entries[input.name] = .state(input.name)
          return
        }
        let type = try TensorType(input.type) { .symbol("\(input.name)_d\($0)") }
        entries[input.name] = .value(try outer.port(input.name, type))
        guard outer.isOutermost, let feature = described.first(where: { $0.name == input.name }) else { return }
        outer.describe(input: feature)
      }
    }
    var context = MILContext(outer.builder)
    (context.entries, context.states) = (entries, states)
    try addOperations(body, to: &context)
    var values: [(name: String, value: ValueID)] = []
    for name in body.outputs { values.append((name, try value(name, in: &context))) }
    (outer.builder, outer.labels) = (context.builder, context.labels)
    for (name, value) in context.states { outer.states[name]?.value = value }
    return values
  }

  /// What the description allows for the input's unknown extents; nothing where it makes no sense.
  private func declareSizes(_ input: MILNamedType, _ described: [MLFeature], in function: inout Function) {
    guard let feature = described.first(where: { $0.name == input.name }) else { return }
    let isImage = if case .imageType? = feature.type.type { true } else { false }
    let dimensions = input.type.tensorType.dimensions
    let open = dimensions.indices.filter { dimensions[$0].constant.size == 0 }
    let shape = isImage ? try? FeatureShape(image: feature) : try? FeatureShape(array: feature)
    shape?.declare(axes: open, in: &function)
  }

  private func value(_ name: String, in context: inout MILContext) throws(Diagnostic) -> ValueID {
    switch context.entries[name] {
    case .value(let id)?, .compressed(let id, _, _)?: return id
    case .constant(let tensor)?:
      let id = context.builder.constant(tensor, name: name)
      context.entries[name] = .value(id)
      return id
    case .state?: throw Diagnostic("coreml.state", "the state '\(name)' is an output; only tensors can be")
    case nil: throw Diagnostic("coreml.undefined-value", "'\(name)' is not defined before it is used")
    }
  }

  private func addOperations(_ block: MILBlock, to context: inout MILContext) throws(Diagnostic) {
    for operation in block.operations {
      let name = operation.node
      try locating(Location(node: name, op: operation.type)) { () throws(Diagnostic) in
        try add(operation, name, to: &context)
      }
    }
  }

  private func add(_ operation: MILOperation, _ name: String, to context: inout MILContext) throws(Diagnostic) {
    let node = try node(operation, name, context)
    if operation.type == "const" {
      context.entries[try node.onlyOutput] = .constant(try node.required("val"))
      return
    }
    if MILConstexpr.handles(operation.type) { return try MILConstexpr.convert(node, in: &context) }
    (context.label, context.origin) = (node.outputs.first?.name ?? node.name, node.origin)
    var results: [ValueID]
    if !operation.blocks.isEmpty {
      results = try addRegion(operation, node, in: &context)
    } else if let convert = MILImportTable.rule(operation.type) {
      results = try convert(node, &context)
    } else {
      results = try MILGenericImport.convert(node, in: &context)
    }
    guard results.count >= node.outputs.count else {
      throw Diagnostic("coreml.outputs", "\(node.outputs.count) outputs, but \(operation.type) has \(results.count)")
    }
    for (index, output) in node.outputs.enumerated() {
      if let type = output.type, type.dtype != context.builder.fact(results[index]).dtype {
        results[index] = try context.builder(Cast(type.dtype), results[index], name: output.name, origin: node.origin)
      }
      context.rename(results[index], output.name)
      context.entries[output.name] = .value(results[index])
    }
  }

  private func node(_ operation: MILOperation, _ name: String, _ context: MILContext) throws(Diagnostic) -> MILNode {
    var arguments: [String: [MILEntry]] = [:]
    for (port, argument) in operation.inputs {
      var list: [MILEntry] = []
      for binding in argument.arguments {
        switch binding.binding {
        case .name(let name)?:
          guard let entry = context.entries[name] else {
            throw Diagnostic("coreml.undefined-value", "'\(name)' is not defined before it is used")
          }
          list.append(entry)
        case .value(let value)?: list.append(.constant(try model.constant(value)))
        case nil: throw Diagnostic("coreml.parameter", "'\(port)' is bound to nothing")
        }
      }
      arguments[port] = list
    }
    var attributes: [String: Tensor] = [:]
    for (key, value) in operation.attributes where key != "name" { attributes[key] = try model.constant(value) }
    var outputs: [(name: String, type: TensorType?)] = []
    for output in operation.outputs {
      let isDictionary = if case .dictionaryType? = output.type.type { true } else { false }
      outputs.append(
        (output.name, isDictionary ? nil : try TensorType(output.type) { .symbol("\(output.name)_d\($0)") })
      )
    }
    return MILNode(
      type: operation.type,
      name: name,
      arguments: arguments,
      attributes: attributes,
      outputs: outputs,
      origin: Location(file: model.path, node: name, op: operation.type)
    )
  }

  private func addRegion(_ operation: MILOperation, _ node: MILNode, in context: inout MILContext) throws(Diagnostic)
    -> [ValueID]
  {
    guard let type = OperatorSet.named(operation.type), type.blockNames.count == operation.blocks.count else {
      throw Diagnostic("coreml.blocks", "\(operation.type) has \(operation.blocks.count) blocks")
    }
    var inputs: [[ValueID]] = []
    for port in type.portNames { inputs.append(try context.values(node, port)) }
    let isLoop = operation.type == WhileLoop.name
    // What blocks leave in states are more of their outputs; a loop carries it.
    let written = operation.blocks.flatMap { statesWritten(in: $0, context) }
    let states = Set(written).sorted()
    if isLoop { inputs[0] += states.map { context.states[$0]! } }
    let carried = isLoop ? inputs[0] : []
    var blocks: [Block] = []
    for (place, source) in operation.blocks.enumerated() {
      let isCondition = isLoop && place == 0
      guard !isCondition || statesWritten(in: source, context).isEmpty else {
        throw Diagnostic("coreml.state", "the condition of a loop writes '\(written[0])'", kind: .unsupported)
      }
      blocks.append(try block(source, carried, states, yieldsStates: !isCondition, in: &context))
    }
    let results = try context.builder.append(
      type.init(),
      inputs,
      names: node.outputs.map(\.name) + states,
      blocks: blocks,
      origin: node.origin
    )
    if isLoop {
      for (before, after) in zip(carried, results) where context.fixedLists.contains(before) {
        context.fixedLists.insert(after)
      }
    }
    for (state, value) in zip(states, results.suffix(states.count)) { context.states[state] = value }
    return results.dropLast(states.count)
  }

  /// The states that a block, or one inside of it, writes.
  private func statesWritten(in block: MILBlock, _ context: MILContext) -> [String] {
    block.operations.flatMap { operation -> [String] in
      let inner = operation.blocks.flatMap { statesWritten(in: $0, context) }
      guard let port = writtenStatePort[operation.type], let binding = operation.inputs[port]?.arguments.first,
        case .name(let name)? = binding.binding, case .state(let state)? = context.entries[name]
      else { return inner }
      return inner + [state]
    }
  }

  /// `carried` are the values that the block's inputs begin with, those of `states` the last of them.
  private func block(
    _ source: MILBlock,
    _ carried: [ValueID],
    _ states: [String],
    yieldsStates: Bool,
    in context: inout MILContext
  ) throws(Diagnostic) -> Block {
    let (outer, held) = (context.entries, context.states)
    defer { (context.entries, context.states) = (outer, held) }
    var arguments: [(name: String, type: TensorType)] = []
    for (index, input) in source.inputs.enumerated() {
      let isFixed = carried.indices.contains(index) && context.fixedLists.contains(carried[index])
      let type = try TensorType(input.type) { .symbol("\(input.name)_d\($0)") }
      arguments.append((input.name, isFixed ? context.fact(carried[index]).type : type))
    }
    let carriedStates = carried.isEmpty ? [] : states
    for state in carriedStates { arguments.append((state, context.fact(context.states[state]!).type)) }
    let ids = context.builder.beginBlock(inputs: arguments)
    for (state, id) in zip(carriedStates, ids.suffix(carriedStates.count)) { context.states[state] = id }
    for (index, id) in ids.dropLast(carriedStates.count).enumerated() {
      context.entries[arguments[index].name] = .value(id)
      if carried.indices.contains(index), context.fixedLists.contains(carried[index]) { context.fixedLists.insert(id) }
    }
    try addOperations(source, to: &context)
    var outputs: [ValueID] = []
    for name in source.outputs { outputs.append(try value(name, in: &context)) }
    if yieldsStates { outputs += states.map { context.states[$0]! } }
    return context.builder.endBlock(yielding: outputs)
  }
}

extension MILNode {
  fileprivate var onlyOutput: String {
    get throws(Diagnostic) {
      guard outputs.count == 1 else { throw Diagnostic("coreml.outputs", "a constant has \(outputs.count) outputs") }
      return outputs[0].name
    }
  }
}
