import MLCCore
import MLCGraph

/// A function as a picture: a box for each input, operation and output, an arrow for each value. Constants stand as a
/// line in the box that reads them; nested blocks as a line with what they hold. A block that repeats is one box,
/// unless everything is wanted.
struct FunctionDrawing {
  struct Node {
    enum Kind: String { case input, operation, block, output }
    var kind: Kind
    let title: String
    private(set) var lines: [String]
    /// The node in the user's model, and what it computes; shown when pointed at.
    var hint = ""

    /// Titles and lines are `shown`, so that boxes are as wide as what stands in them.
    init(_ kind: Kind, _ title: String, lines: [String] = []) {
      (self.kind, self.title, self.lines) = (kind, title.shown(Node.limit), lines.map { $0.shown(Node.limit) })
    }

    mutating func add(_ line: String) { lines.append(line.shown(Node.limit)) }

    private static let limit = 120
  }

  private(set) var nodes: [Node] = []
  private(set) var edges: [(from: Int, to: Int, label: String)] = []
  private let function: Function
  private var producers: [ValueID: Int] = [:]

  /// With `isFolded`, each of the function's repeated blocks is one box.
  init(_ function: Function, isFolded: Bool) {
    self.function = function
    for input in function.inputs {
      producers[input] = nodes.count
      nodes.append(Node(.input, function[input].name, lines: ["\(function.type(input))"]))
    }
    let blocks = isFolded ? function.repeatedBlocks : []
    let folded = Set(blocks.flatMap { $0.places })
    let beginnings = Dictionary(uniqueKeysWithValues: blocks.map { ($0.repetitions[0][0], $0) })
    for (place, operation) in function.body.operations.enumerated() where !(operation.op is Const) {
      if let block = beginnings[place] { add(block) } else if !folded.contains(place) { add(operation) }
    }
    for (name, output) in zip(function.outputNames, function.outputs) {
      nodes.append(Node(.output, name, lines: ["\(function.type(output))"]))
      connect(output)
    }
  }

  private mutating func add(_ operation: Operation) {
    var node = Node(.operation, operation.name)
    for (port, values) in zip(type(of: operation.op).ports, operation.inputs) {
      for value in values where producers[value] == nil { node.add(constant(port.name, value)) }
    }
    for (name, block) in zip(type(of: operation.op).blockNames, operation.blocks) {
      node.add("\(name): \(block.operations.count { !($0.op is Const) }.of("operation"))")
    }
    if let origin = operation.origin.node { node.hint = origin }
    nodes.append(node)
    for value in Set(operation.inputs.joined() + operation.blocks.flatMap { $0.uses }).sorted() { connect(value) }
    for output in operation.outputs { producers[output] = nodes.count - 1 }
  }

  /// A box with what one repetition is made of, the most frequent operators first.
  private mutating func add(_ block: RepeatedBlock) {
    let operations = block.places.map { function.body.operations[$0] }
    let counts = operations.prefix(block.repetitions[0].count).reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
    let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
    var node = Node(.block, block.title, lines: block.name(in: function).map { [$0] } ?? [])
    for start in stride(from: 0, to: kinds.count, by: 3) {
      node.add(kinds[start..<min(start + 3, kinds.count)].joined(separator: ", "))
    }
    nodes.append(node)
    for value in Set(operations.flatMap { $0.inputs.joined() + $0.blocks.flatMap { $0.uses } }).sorted() {
      connect(value)
    }
    for output in operations.flatMap({ $0.outputs }) { producers[output] = nodes.count - 1 }
  }

  /// `weight fp32[64, 3, 7, 7]`, or the value where it is short.
  private func constant(_ port: String, _ value: ValueID) -> String {
    guard let tensor = function.fact(value).value, tensor.count <= 4, tensor.dtype != .string else {
      return "\(port) \(function.type(value))"
    }
    let text = tensor.dtype.isFloat ? tensor.doubles.map { "\(Float($0))" } : tensor.integers.map { "\($0)" }
    return "\(port) = \(tensor.rank == 0 ? text[0] : "[" + text.joined(separator: ", ") + "]")"
  }

  /// An arrow to the last node from what makes `value`.
  private mutating func connect(_ value: ValueID) {
    guard let source = producers[value] else { return }
    edges.append((source, nodes.count - 1, "\(function[value].name): \(function.type(value))"))
  }
}
