import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Builds a function call by call, each an operator of MIL by its name and those of its arguments. A call means what it
/// does in a package that is read.
package struct MILFunctionBuilder {
  /// What stands for an argument.
  package enum Argument: Sendable {
    case values([ValueID])
    case constant(Tensor)
    case state(String)
  }

  private var context: MILContext
  private var states: [(name: String, place: Int)] = []
  private var features = Features()
  private var taken: Set<String> = []

  package init(_ name: String, file: String) throws(Diagnostic) {
    var function = Function(name)
    function.file = file
    context = MILContext(part: PartContext(try ModelPart(named: name), function: name))
    context.builder = Builder(function)
  }

  package func type(_ value: ValueID) -> TensorType { context.fact(value).type }

  /// An input; `bounds` are those of its open extents, by axis.
  package mutating func input(
    _ name: String,
    _ type: TensorType,
    bounds: [Int: ClosedRange<Int>] = [:],
    image: Feature.ColorSpace? = nil
  ) throws(Diagnostic) -> ValueID {
    try take(name)
    for (axis, range) in bounds { context.builder.function.bounds["\(name)_d\(axis)"] = range }
    if let image { features.inputs.append(Feature(name, .image(image))) }
    return context.builder.input(name, type)
  }

  package mutating func state(_ name: String, _ type: TensorType) throws(Diagnostic) {
    try take(name)
    states.append((name, context.builder.function.inputs.count))
    let value = context.builder.input(name, type)
    (context.entries[name], context.states[name]) = (.state(name), value)
  }

  /// The results of the operator `type`. Throws what is wrong with its name, its arguments, their types or shapes.
  package mutating func call(
    _ type: String,
    _ arguments: [(name: String, value: Argument)],
    name: String,
    at origin: Location
  ) throws(Diagnostic) -> [ValueID] {
    var entries: [String: [MILEntry]] = [:]
    for (port, argument) in arguments {
      entries[port] =
        switch argument {
        case .values(let ids): ids.map { .value($0) }
        case .constant(let tensor): [.constant(tensor)]
        case .state(let name): [.state(name)]
        }
    }
    let node = MILNode(
      type: type,
      name: name,
      arguments: entries,
      attributes: [:],
      outputs: [(name, nil)],
      origin: origin
    )
    (context.label, context.origin) = (name, origin)
    guard let convert = MILImportTable.rule(type) else { return try MILGenericImport.convert(node, in: &context) }
    return try convert(node, &context)
  }

  /// One of two blocks, which give as many values of the same types.
  package mutating func cond<E: Error>(
    _ pred: ValueID,
    name: String,
    at origin: Location,
    whenTrue: (inout MILFunctionBuilder, [ValueID]) throws(E) -> [ValueID],
    whenFalse: (inout MILFunctionBuilder, [ValueID]) throws(E) -> [ValueID],
    failing: (Diagnostic) -> E
  ) throws(E) -> [ValueID] {
    let blocks = [try block([], whenTrue), try block([], whenFalse)]
    return try append(Cond(), [[pred]], blocks, name, origin, failing)
  }

  /// Rounds of `body` while `cond` holds of what they carry.
  package mutating func whileLoop<E: Error>(
    _ carried: [ValueID],
    name: String,
    at origin: Location,
    cond: (inout MILFunctionBuilder, [ValueID]) throws(E) -> [ValueID],
    body: (inout MILFunctionBuilder, [ValueID]) throws(E) -> [ValueID],
    failing: (Diagnostic) -> E
  ) throws(E) -> [ValueID] {
    let types = carried.map { (name: "\(name)_carried", type: type($0)) }
    let blocks = [try block(types, cond), try block(types, body)]
    return try append(WhileLoop(), [carried], blocks, name, origin, failing)
  }

  /// The function, which gives these outputs.
  package mutating func finish(_ outputs: [(name: String, value: ValueID)]) throws(Diagnostic) -> Function {
    var outputs = outputs
    if let twice = (outputs.map(\.name) + taken).firstRepeated {
      throw Diagnostic("graph.repeated-name", "two inputs or outputs are called '\(twice)'")
    }
    for place in outputs.indices where context.builder.function.inputs.contains(outputs[place].value) {
      outputs[place].value = try context.append(Identity(), [[outputs[place].value]])
    }
    describe(outputs)
    let kept = states.compactMap { state in context.states[state.name].map { (name: state.name, value: $0) } }
    var function = context.builder.finish(outputs + kept)
    for (place, state) in states.enumerated() {
      function.states.append(State(state.name, input: state.place, output: outputs.count + place))
    }
    function.features = features
    try function.verify()
    return function
  }

  /// What `classify` gave is a classifier's.
  private mutating func describe(_ outputs: [(name: String, value: ValueID)]) {
    for (place, output) in outputs.enumerated() {
      guard let labels = context.part.labels[output.value] else { continue }
      features.outputs.append(Feature(output.name, .scores(labels)))
      let label = outputs.indices.first { $0 != place && type(outputs[$0].value) == TensorType(labels.dtype, [Dim]()) }
      if let label, labels.dtype != .string { features.outputs.append(Feature(outputs[label].name, .number)) }
      if let label { features.classifier = .init(label: outputs[label].name, probabilities: output.name) }
    }
  }

  private mutating func take(_ name: String) throws(Diagnostic) {
    guard !name.isEmpty, taken.insert(name).inserted else {
      throw Diagnostic("graph.repeated-name", "two inputs are called '\(name)', or one has no name")
    }
  }

  private mutating func block<E: Error>(
    _ inputs: [(name: String, type: TensorType)],
    _ body: (inout MILFunctionBuilder, [ValueID]) throws(E) -> [ValueID]
  ) throws(E) -> Block {
    let arguments = context.builder.beginBlock(inputs: inputs)
    context.depth += 1
    defer { context.depth -= 1 }
    let results = try body(&self, arguments)
    return context.builder.endBlock(yielding: results)
  }

  private mutating func append<E: Error>(
    _ op: any Operator,
    _ inputs: [[ValueID]],
    _ blocks: [Block],
    _ name: String,
    _ origin: Location,
    _ failing: (Diagnostic) -> E
  ) throws(E) -> [ValueID] {
    do throws(Diagnostic) {
      return try context.builder.append(op, inputs, names: [name], blocks: blocks, origin: origin)
    } catch { throw failing(error) }
  }
}
