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
    program.metadata = model.metadata
    return program
  }

  /// The function that a pipeline runs, as a part of the function at hand.
  func convert(_ context: inout PartContext) throws(Diagnostic) {
    if let report = UnsupportedMILOperators.report(source) { throw report }
    let results = try add(first, to: &context)
    guard results.states.isEmpty else {
      throw Diagnostic("coreml.state", "a pipeline's model has states, which mlc does not take", kind: .unsupported)
    }
    for (name, value) in results.values { context.define(name, value) }
  }

  private var first: String {
    model.description.defaultFunctionName.isEmpty ? "main" : model.description.defaultFunctionName
  }

  private func function(_ name: String) throws(Diagnostic) -> Function {
    var context = PartContext(model, function: name)
    try CoreMLPackage.requireDistinct(inputs: source.functions[name]?.inputs.map { $0.name } ?? [])
    let results = try add(name, to: &context)
    context.features = [:]
    for (name, value) in results.values { context.define(name, value) }
    let described = interface(name)
    var finished = try context.finish(
      outputs(results.values, described.output),
      described.predicted,
      states: results.states
    )
    for (place, state) in results.states.enumerated() {
      let input = finished.inputs.firstIndex { finished[$0].name == state.name }
      finished.states.append(
        State(state.name, input: input ?? 0, output: finished.outputs.count - results.states.count + place)
      )
    }
    return finished
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

  /// Appends a function's operations, with inputs of its own where nothing is given. What it gives by name, and what
  /// its states hold then.
  private func add(_ name: String, to outer: inout PartContext) throws(Diagnostic)
    -> (values: [(name: String, value: ValueID)], states: [(name: String, value: ValueID)])
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
      let isState = if case .stateType? = input.type.type { true } else { false }
      let type = try locating(Location(node: input.name)) { () throws(Diagnostic) in
        isState
          ? try TensorType(state: input.type) : try TensorType(input.type) { .symbol("\(input.name)_d\($0)") }
      }
      let id = try outer.port(input.name, type)
      entries[input.name] = isState ? .state(input.name) : .value(id)
      if isState { states[input.name] = id }
      if outer.isOutermost, !isState, let feature = described.first(where: { $0.name == input.name }) {
        outer.describe(input: feature)
      }
    }
    var context = MILContext(outer.builder)
    (context.entries, context.states) = (entries, states)
    try addOperations(body, to: &context)
    var values: [(name: String, value: ValueID)] = []
    for name in body.outputs { values.append((name, try value(name, in: &context))) }
    (outer.builder, outer.labels) = (context.builder, context.labels)
    return (values, source.inputs.compactMap { input in context.states[input.name].map { (input.name, $0) } })
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
      let label = operation.attributes["name"].flatMap { $0.immediateValue.tensor.strings.values.first }
      let name = label ?? operation.outputs.first?.name ?? operation.type
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
    var blocks: [Block] = []
    let carried = inputs.first ?? []
    for source in operation.blocks { blocks.append(try block(source, carried, in: &context)) }
    let results = try context.builder.append(
      type.init(),
      inputs,
      names: node.outputs.map(\.name),
      blocks: blocks,
      origin: node.origin
    )
    if operation.type == WhileLoop.name {
      for (before, after) in zip(carried, results) where context.fixedLists.contains(before) {
        context.fixedLists.insert(after)
      }
    }
    return results
  }

  /// `carried` are the values that the block's inputs begin with.
  private func block(_ source: MILBlock, _ carried: [ValueID], in context: inout MILContext) throws(Diagnostic) -> Block
  {
    let outer = context.entries
    context.depth += 1
    defer {
      context.entries = outer
      context.depth -= 1
    }
    var arguments: [(name: String, type: TensorType)] = []
    for (index, input) in source.inputs.enumerated() {
      let isFixed = carried.indices.contains(index) && context.fixedLists.contains(carried[index])
      let type = try TensorType(input.type) { .symbol("\(input.name)_d\($0)") }
      arguments.append((input.name, isFixed ? context.fact(carried[index]).type : type))
    }
    for (index, id) in context.builder.beginBlock(inputs: arguments).enumerated() {
      context.entries[arguments[index].name] = .value(id)
      if carried.indices.contains(index), context.fixedLists.contains(carried[index]) { context.fixedLists.insert(id) }
    }
    try addOperations(source, to: &context)
    var outputs: [ValueID] = []
    for name in source.outputs { outputs.append(try value(name, in: &context)) }
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
