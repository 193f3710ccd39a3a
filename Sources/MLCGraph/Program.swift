import MLCCore

/// A model: one or more functions.
package struct Program: Sendable {
  package var functions: [Function]
  /// The source model's own key–value pairs, in its order.
  package var metadata: [(key: String, value: String)] = []
  /// What the user should know of how the model was read, a sentence each.
  package var notes: [String] = []
  /// What the source model is made of, where that is more than these functions say.
  package var structure: ModelStructure?
  /// How the model learns where it runs, if it does. Its first function has parameters only if that was asked for.
  package var learning: LearningSource?

  package init(_ functions: [Function]) { self.functions = functions }

  package var main: Function {
    get { functions[0] }
    set { functions[0] = newValue }
  }
}

/// A value by its number in a function.
package struct ValueID: Hashable, Sendable, Comparable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: ValueID, b: ValueID) -> Bool { a.index < b.index }
}

/// A value: its name in the program and what is known of it.
package struct Value: Sendable {
  package var name: String
  package var fact: Fact
  package init(_ name: String, _ fact: Fact) { (self.name, self.fact) = (name, fact) }
}

/// A named entry point in single-assignment form. Values of nested blocks are numbered here too, and blocks may use
/// every value defined before them in enclosing blocks.
package struct Function: Sendable {
  package var name: String
  package var values: [Value] = []
  package var inputs: [ValueID] = []
  package var body = Block()
  /// The outputs' names in the user's model, beside `body.outputs`.
  package var outputNames: [String] = []
  /// Bounds that the model gives for symbolic sizes.
  package var bounds: [String: ClosedRange<Int>] = [:]
  /// Symbolic sizes that only come in certain combinations; no symbol is in two of them.
  package var enumerations: [SizeEnumeration] = []
  /// The inputs and outputs that are not the caller's but carry memory from call to call.
  package var states: [State] = []
  /// The inputs that are not the caller's but what the model has learnt.
  package var parameters: [Parameter] = []
  /// What the inputs and outputs are to an application.
  package var features = Features()
  /// The user's file, for diagnostics.
  package var file: String?

  package init(_ name: String = "main") { self.name = name }

  package subscript(id: ValueID) -> Value {
    get { values[id.index] }
    set { values[id.index] = newValue }
  }
  package func fact(_ id: ValueID) -> Fact { values[id.index].fact }
  package func type(_ id: ValueID) -> TensorType { values[id.index].fact.type }
  package var outputs: [ValueID] { body.outputs }
  /// What contradicts between `features` and the inputs and outputs, if anything.
  package var featureProblem: String? {
    if features.isEmpty { return nil }
    return features.inconsistency(
      inputs: inputs.map { (self[$0].name, type($0)) },
      outputs: zip(outputNames, outputs).map { ($0, type($1)) }
    )
  }

  package mutating func addValue(_ name: String, _ fact: Fact) -> ValueID {
    values.append(Value(name, fact))
    return ValueID(values.count - 1)
  }
  package mutating func addInput(_ name: String, _ type: TensorType) -> ValueID {
    let id = addValue(name, Fact(type))
    inputs.append(id)
    return id
  }
}

/// Operations in an order where each uses only earlier values, and what they yield.
package struct Block: Sendable {
  package var inputs: [ValueID] = []
  package var operations: [Operation] = []
  package var outputs: [ValueID] = []
  package init() {}
}

/// One application of an operator.
package struct Operation: Sendable {
  package var op: any Operator
  /// One list a port of the schema: empty for an absent optional, several for a variadic.
  package var inputs: [[ValueID]]
  package var outputs: [ValueID]
  package var blocks: [Block]
  /// The user's node; carried through every rewrite.
  package var origin: Location

  package init(
    _ op: any Operator,
    _ inputs: [[ValueID]],
    outputs: [ValueID],
    blocks: [Block] = [],
    origin: Location = .init()
  ) {
    (self.op, self.inputs, self.outputs, self.blocks, self.origin) = (op, inputs, outputs, blocks, origin)
  }

  package var name: String { type(of: op).name }

  /// The values of the port `name`.
  package func arguments(_ name: String) -> [ValueID] {
    guard let index = type(of: op).portNames.firstIndex(of: name), index < inputs.count else { return [] }
    return inputs[index]
  }
  package func argument(_ name: String) -> ValueID? { arguments(name).first }
}

extension Block {
  /// The operations that `values` take, in their order.
  package func operations(for values: [ValueID]) -> [Operation] {
    var needed = Set(values)
    var kept: [Operation] = []
    for operation in operations.reversed() where operation.outputs.contains(where: needed.contains) {
      needed.formUnion(operation.inputs.joined())
      for block in operation.blocks { needed.formUnion(block.uses) }
      kept.append(operation)
    }
    return kept.reversed()
  }

  /// Every value the block's operations read, those of nested blocks included.
  package var uses: [ValueID] {
    operations.flatMap { $0.inputs.joined() + $0.blocks.flatMap { $0.uses } } + outputs
  }
}
