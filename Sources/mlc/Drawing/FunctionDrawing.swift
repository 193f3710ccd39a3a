import MLCCore
import MLCGraph

/// A function as a picture: a box for each input, operation and output, an arrow for each value. Constants stand as a
/// line in the box that reads them; nested blocks as a line with what they hold.
struct FunctionDrawing {
  struct Node {
    enum Kind: String { case input, operation, output }
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

  init(_ function: Function) {
    self.function = function
    for input in function.inputs {
      producers[input] = nodes.count
      nodes.append(Node(.input, function[input].name, lines: ["\(function.type(input))"]))
    }
    for operation in function.body.operations where !(operation.op is Const) { add(operation) }
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
