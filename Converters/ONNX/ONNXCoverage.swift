import MLCCore
import MLCGraph

/// What mlc imports of a model: the types of its operators, and each node that it does not take.
///
/// A node that is not taken is cut out, its results become inputs, and the rest is tried again.
package struct ONNXCoverage: Sendable {
  /// Nodes of one type, those of bodies and of called functions among them.
  package struct Use: Sendable {
    package let domain: String, type: String
    /// Whether the importer has the operator.
    package let isKnown: Bool
    package fileprivate(set) var count = 0
  }

  /// By domain, then by type.
  package private(set) var uses: [Use] = []
  /// One for each node of the main graph that is not taken, at that node.
  package private(set) var problems: [Diagnostic] = []
  /// What is left of the model; `nil` where the file does not say the types of what is cut, or `obstacle` is the whole
  /// model's.
  package private(set) var program: Program?
  package private(set) var obstacle: Diagnostic?

  /// Nodes beyond this number are not tried.
  private static let limit = 256

  /// Throws what the reader throws, and `budget.time`.
  package init(_ path: String, bindings: [String: TensorType] = [:], budget: Budget = Budget()) throws(Diagnostic) {
    var model = try ONNXReader.read(path, budget: budget)
    let functions = Dictionary(model.functions.map { ($0.id, $0) }) { first, _ in first }
    count(model.graph.nodes, functions, [])
    uses.sort { ($0.domain, $0.type) < ($1.domain, $1.type) }
    let importer = ONNXImporter(file: path, bindings: bindings, budget: budget)
    var isWhole = true
    for node in model.graph.nodes {
      guard let unknown = node.unknown(functions, []) else { continue }
      problems.append(
        Diagnostic("onnx.unsupported", "mlc has no operator \(unknown.opType)", kind: .unsupported, at: node.location)
      )
      if !model.graph.cut(node.name) { isWhole = false }
    }
    guard isWhole else { return }
    while program == nil, problems.count < Self.limit {
      do throws(Diagnostic) { program = try importer.program(model) } catch {
        if error.id == "budget.time" { throw error }
        guard let name = error.location.node, let place = model.graph.place(of: name, functions) else {
          obstacle = error
          return
        }
        var problem = error
        problem.location = model.graph.nodes[place].location
        problems.append(problem)
        guard model.graph.cut(model.graph.nodes[place].name) else { return }
      }
    }
  }

  private mutating func count(
    _ nodes: [ONNXNode],
    _ functions: [ONNXFunction.ID: ONNXFunction],
    _ calls: [ONNXFunction.ID]
  ) {
    for node in nodes {
      if let function = functions[node.functionID] {
        if !calls.contains(function.id), calls.count < ONNXReader.maximumNesting {
          count(function.nodes, functions, calls + [function.id])
        }
      } else {
        let domain = node.domain.isEmpty ? "ai.onnx" : node.domain
        let known = uses.firstIndex { $0.domain == domain && $0.type == node.opType }
        if known == nil {
          let isKnown = ONNXOperatorTable.rule(for: node) != nil
          uses.append(Use(domain: domain, type: node.opType, isKnown: isKnown))
        }
        uses[known ?? uses.count - 1].count += 1
      }
      for name in node.attributes.keys.sorted() {
        for body in node.attributes[name]?.graphs ?? [] { count(body.nodes, functions, calls) }
      }
    }
  }
}

extension ONNXNode {
  /// The nodes of its bodies and of the function that it calls, once.
  private func inner(_ functions: [ONNXFunction.ID: ONNXFunction]) -> [ONNXNode] {
    attributes.values.flatMap { $0.graphs.flatMap { $0.nodes } } + (functions[functionID]?.nodes ?? [])
  }

  /// The first node without a rule, of this and of those within it.
  fileprivate func unknown(_ functions: [ONNXFunction.ID: ONNXFunction], _ calls: [ONNXFunction.ID]) -> ONNXNode? {
    let isCall = functions[functionID] != nil
    if !isCall, ONNXOperatorTable.rule(for: self) == nil { return self }
    if calls.contains(functionID) || calls.count > ONNXReader.maximumNesting { return nil }
    for node in inner(functions) {
      if let found = node.unknown(functions, isCall ? calls + [functionID] : calls) { return found }
    }
    return nil
  }

  fileprivate func holds(_ name: String) -> Bool {
    self.name == name || name.hasPrefix(self.name + "/")
      || attributes.values.contains { $0.graphs.contains { $0.nodes.contains { $0.holds(name) } } }
  }
}

extension ONNXGraph {
  /// The node called `name`, or that which it is within.
  fileprivate func place(of name: String, _ functions: [ONNXFunction.ID: ONNXFunction]) -> Int? {
    nodes.firstIndex { $0.name == name } ?? nodes.firstIndex { $0.holds(name) }
  }

  /// Takes away the node called `name`; its results become inputs. `false` where their types are not declared.
  fileprivate mutating func cut(_ name: String) -> Bool {
    guard let place = nodes.firstIndex(where: { $0.name == name }) else { return false }
    let node = nodes.remove(at: place)
    for output in node.outputs where !output.isEmpty {
      guard let info = (valueInfo + outputs).first(where: { $0.name == output }), info.type != nil else { return false }
      inputs.append(info)
    }
    return true
  }
}
