import MLCCore
import MLCGraph

/// The oldest system that has every compressed constant of a program as it is.
struct CompressionTarget {
  private(set) var target = CoreMLWriteOptions.DeploymentTarget.iOS15
  /// The first constant that decided, and why.
  private var cause: (place: Location, reason: String)?

  init(_ program: Program) {
    for function in program.functions { walk(function.body, function) }
  }

  private mutating func walk(_ block: Block, _ function: Function) {
    for operation in block.operations {
      for nested in operation.blocks { walk(nested, function) }
      guard operation.isConstantExpression, target < .iOS18 else { continue }
      let needed: CoreMLWriteOptions.DeploymentTarget
      let reason: String
      switch ConstantUse(function: function, operation: operation).earlierForm() {
      case .success: (needed, reason) = (.iOS16, "needs iOS16: no constant is compressed before")
      case .failure(let obstacle): (needed, reason) = (.iOS18, "needs iOS18: \(obstacle.reason)")
      }
      guard needed > target else { continue }
      let name = operation.origin.node ?? function[operation.outputs[0]].name
      (target, cause) = (needed, (Location(file: function.file, node: name, op: operation.name), reason))
    }
  }

  /// Throws `coreml.target` when the package is for an older system.
  func check(_ wanted: CoreMLWriteOptions.DeploymentTarget) throws(Diagnostic) {
    guard wanted < target, let cause else { return }
    throw Diagnostic(
      "coreml.target",
      "the package is for \(wanted.name), and this compressed weight \(cause.reason)",
      kind: .usage,
      at: cause.place,
      notes: ["write the package for \(target.name) or later, or compress in a simpler form"]
    )
  }
}
