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

  var context: MILContext
  private(set) var states: [(name: String, place: Int)] = []
  private var features = Features()
  private var taken: Set<String> = []
  /// Compressed constants, whose numbers other calls may need.
  private var compressed: [ValueID: MILEntry] = [:]
  /// What the states held where each open block began.
  var statesBefore: [[String: ValueID]] = []

  package init(_ name: String, file: String) {
    var function = Function(name)
    function.file = file
    context = MILContext(Builder(function))
  }

  package func type(_ value: ValueID) -> TensorType { context.fact(value).type }

  /// An input; `bounds` are those of its open extents, by axis, `choices` the shapes that it may have.
  package mutating func input(
    _ name: String,
    _ type: TensorType,
    bounds: [Int: ClosedRange<Int>] = [:],
    choices: [[Int]] = [],
    image: Feature.ColorSpace? = nil
  ) throws(Diagnostic) -> ValueID {
    try take(name)
    for (axis, range) in bounds { context.builder.function.bounds["\(name)_d\(axis)"] = range }
    if let enumeration = SizeEnumeration(choices, of: name, axes: Array(0..<type.rank)) {
      context.builder.function.enumerations.append(enumeration)
    }
    if let image { features.inputs.append(Feature(name, .image(image))) }
    return context.builder.input(name, type)
  }

  package mutating func state(_ name: String, _ type: TensorType) throws(Diagnostic) {
    guard statesBefore.isEmpty else { throw Diagnostic("coreml.state", "the state '\(name)' is declared in a block") }
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
        case .values(let ids): ids.map { compressed[$0] ?? .value($0) }
        case .constant(let tensor): [.constant(tensor)]
        case .state(let name): [.state(name)]
        }
    }
    let isConstant = MILConstexpr.handles(type)
    let count = isConstant ? OperatorSet.named(type)?.outputNames.count ?? 1 : 1
    let node = MILNode(
      type: type,
      name: name,
      arguments: entries,
      attributes: [:],
      outputs: (0..<count).map { ($0 == 0 ? name : "\(name)_\($0)", nil) },
      origin: origin
    )
    (context.label, context.origin) = (name, origin)
    if isConstant { return try constants(node) }
    guard let convert = MILImportTable.rule(type) else { return try MILGenericImport.convert(node, in: &context) }
    return try convert(node, &context)
  }

  private mutating func constants(_ node: MILNode) throws(Diagnostic) -> [ValueID] {
    try MILConstexpr.convert(node, in: &context)
    return node.outputs.compactMap { output in
      guard let entry = context.entries.removeValue(forKey: output.name), case .compressed(let id, _, _) = entry else {
        return nil
      }
      compressed[id] = entry
      return id
    }
  }

  /// The function, which gives these outputs.
  package mutating func finish(
    _ outputs: [(name: String, value: ValueID)],
    images: [String: Feature.ColorSpace] = [:]
  ) throws(Diagnostic) -> Function {
    var outputs = outputs
    features.outputs += images.sorted { $0.key < $1.key }.map { Feature($0.key, .image($0.value)) }
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
      guard let labels = context.labels[output.value] else { continue }
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
}
