import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX
import MLCKernels
import MLCPasses

/// Which of a model's operators mlc imports, interprets and makes code of, by device, and which nodes it does not.
struct OperatorCoverage {
  /// A node, and who does not take it.
  struct Problem {
    var diagnostic: Diagnostic
    /// Devices; none where it is not imported.
    var devices: [String]
    var node: String { diagnostic.location.node ?? "" }
    var type: String { diagnostic.location.op ?? "" }
  }

  let model: ONNXCoverage
  let devices: [String]
  private(set) var problems: [Problem] = []
  /// Nodes of one function beyond this number are not tried.
  private static let limit = 256

  /// Throws what reading throws, `target.family`, and `budget.time`.
  init(_ path: String, bindings: [String: TensorType], budget: Budget) throws(Diagnostic) {
    model = try ONNXCoverage(path, bindings: bindings, budget: budget)
    devices = DeviceSet.catalog.map { $0.name }
    problems = model.problems.map { Problem(diagnostic: $0, devices: []) }
    for var function in model.program?.functions ?? [] {
      var options = PassOptions()
      options.budget = budget
      try PassPipeline.standard.run(&function, options: options)
      try addRefusals(of: &function, budget)
      for device in DeviceSet.catalog {
        for family in DeviceFamily.targets where family.family == device.family {
          try addObstacles(of: function, for: family.init(device), budget)
        }
      }
    }
  }

  /// What has no kernels on any device: found one after the other, each cut out of `function`.
  private mutating func addRefusals(of function: inout Function, _ budget: Budget) throws(Diagnostic) {
    for _ in 0..<Self.limit {
      do throws(Diagnostic) {
        _ = try KernelProgram.lowering(function, budget: budget)
        return
      } catch {
        guard error.kind == .unsupported else { throw error }
        problems.append(Problem(diagnostic: error, devices: devices))
        guard function.cut(at: error.location.node) else { return }
      }
    }
  }

  private mutating func addObstacles(of function: Function, for target: any Target, _ budget: Budget) throws(Diagnostic)
  {
    var found: [Diagnostic] = []
    do throws(Diagnostic) {
      let placed = try PlacedProgram(function, on: [target], .firstThatTakes, budget: budget)
      found = placed.obstacles(for: [target]).map { $0.problem }
    } catch {
      // What `addRefusals` found and could not cut.
      guard error.kind == .unsupported else { throw error }
      if !problems.contains(where: { $0.diagnostic == error }) { found = [error] }
    }
    for problem in found {
      if let known = problems.firstIndex(where: { $0.diagnostic == problem }) {
        problems[known].devices.append(target.device.name)
      } else {
        problems.append(Problem(diagnostic: problem, devices: [target.device.name]))
      }
    }
  }

  /// How many nodes of a type are not imported, or with a device have no code.
  private func refused(_ type: String, on device: String?) -> Int {
    let nodes = problems.filter { problem in
      problem.type == type && (problem.devices.isEmpty || device.map { problem.devices.contains($0) } ?? false)
    }
    return Set(nodes.map { $0.node }).count
  }
}

extension OperatorCoverage {
  private func cell(_ use: ONNXCoverage.Use, on device: String?) -> String {
    let missing = min(use.count, refused(use.type, on: device))
    if model.program == nil, missing < use.count { return !use.isKnown ? "no" : device == nil ? "known" : "?" }
    return missing == 0 ? "yes" : missing == use.count ? "no" : "\(use.count - missing) of \(use.count)"
  }

  var text: ConsoleText {
    var table = Table(["operator", "domain", "nodes", "import", "interpreter"] + devices, right: [2])
    for use in model.uses {
      let own = cell(use, on: nil)
      let run = own == "known" ? "?" : own
      table.add([use.type, use.domain, "\(use.count)", own, run] + devices.map { cell(use, on: $0) })
    }
    var parts = [table.text]
    for problem in problems {
      let who = problem.devices.isEmpty ? "not imported" : "no code for \(problem.devices.joined(separator: ", "))"
      let diagnostic = problem.diagnostic
      parts.append("\(problem.node) (\(problem.type)): \(who): \(diagnostic.message) [\(diagnostic.id.rawValue)]")
    }
    if let rest = remainder { parts.append("\(rest)") }
    if problems.isEmpty, remainder == nil { parts.append("every node is taken") }
    return parts.joined(separator: "\n")
  }

  /// Why nothing is said of what lies behind the last problem.
  private var remainder: String? {
    if let whole = model.obstacle { return "the model is not imported: \(whole.message) [\(whole.id.rawValue)]" }
    return model.program == nil ? "what lies behind it is not looked at: the model does not say its type" : nil
  }

  var json: JSON {
    let rows: [JSON] = model.uses.map { use in
      let missing = refused(use.type, on: nil)
      let code = devices.map { ($0, JSON.integer(min(use.count, refused(use.type, on: $0)))) }
      return .object([
        "operator": .string(use.type), "domain": .string(use.domain), "nodes": .integer(use.count),
        "known": .bool(use.isKnown),
        "not_imported": .integer(min(use.count, missing)),
        "not_compiled": .object(Dictionary(uniqueKeysWithValues: code)),
      ])
    }
    let found: [JSON] = problems.map { problem in
      .object([
        "node": .string(problem.node), "operator": .string(problem.type),
        "devices": .array(problem.devices.map { .string($0) }), "id": .string(problem.diagnostic.id.rawValue),
        "message": .string(problem.diagnostic.message),
      ])
    }
    var all: [String: JSON] = ["operators": .array(rows), "problems": .array(found)]
    if let remainder { all["remainder"] = .string(remainder) }
    return .object(all)
  }
}

extension Function {
  /// Takes away the operation of the outermost block that comes from `node`, or holds one that does; its results become
  /// inputs. `false` where there is none.
  fileprivate mutating func cut(at node: String?) -> Bool {
    func holds(_ operation: Operation) -> Bool {
      operation.origin.node == node || operation.blocks.contains { $0.operations.contains(where: holds) }
    }
    guard node != nil, let place = body.operations.firstIndex(where: holds) else { return false }
    inputs += body.operations.remove(at: place).outputs
    return true
  }
}
