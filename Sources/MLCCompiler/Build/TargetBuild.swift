import MLCCore
import MLCGraph
import MLCKernels
import MLCPackage

/// The functions of a program as kernels that targets take: the processor's, and those of accelerators.
struct TargetPlan {
  var targets: [any Target]
  var programs: [PlacedProgram] = []

  var name: String { targets.map { $0.device.name }.joined(separator: "+") }
}

/// The functions of a program as code for one target.
struct TargetBuild {
  private(set) var functions: [FunctionModule] = []

  /// Those of `program`, as `plan` has them; the processor's weights go to `weights`.
  init(
    _ program: Program,
    _ plan: TargetPlan,
    weights: inout WeightFile,
    in work: Temporary,
    keepSources: String?,
    budget: Budget
  ) throws(Diagnostic) {
    weights.beginUser()
    for (index, (function, placed)) in zip(program.functions, plan.programs).enumerated() {
      let module = try FunctionModule(
        function,
        placed,
        plan.targets,
        weights: &weights,
        // Names of functions are the model's, and no names for folders.
        in: try work.makeFolder("\(plan.name)-\(index)"),
        keepSources: keepSources,
        budget: budget
      )
      functions.append(module)
    }
  }

  var readsShared: Bool { functions.contains { $0.segments.contains { $0.ownWeights == nil } } }

  /// The built code of every function. Adds its bytes to `row`.
  func build(
    weights: WeightFile.Finished,
    limits: () -> ChildLimits,
    _ budget: Budget,
    _ row: inout CompileReport.Target
  ) throws(Diagnostic) -> [PackageContents.Code] {
    var code: [PackageContents.Code] = []
    for function in functions {
      let built = try function.build(weights: weights, limits: limits, budget: budget)
      row.codeBytes += built.reduce(0) { $0 + $1.codeBytes }
      row.addedBytes += built.reduce(0) { $0 + $1.codeBytes }
      code.append(function.code(built))
    }
    return code
  }

  /// Says in `row` what it is. It uses `shared` bytes of the shared weights, of which `added` are new; `stored` are the
  /// digests of other files of weights of targets before.
  func describe(_ shared: Int, added: Int, in row: inout CompileReport.Target, stored: inout Set<String>) {
    (row.weightBytes, row.addedBytes) = (shared, added)
    for function in functions {
      for segment in function.segments {
        row.calls += segment.module.steps
        row.kernels += Set(segment.module.steps.map(\.kernel)).count
        guard let own = segment.ownWeights else { continue }
        row.weightBytes += own.byteCount
        if stored.insert(own.digest).inserted { row.addedBytes += own.byteCount }
      }
      let arenas = function.segments.compactMap { $0.module.arenaBytes }
      let sum = arenas.count == function.segments.count ? arenas.reduce(0, +) : nil
      row.arenaBytes = row.arenaBytes.flatMap { known in sum.map { max(known, $0) } }
    }
  }
}

extension CompileReport {
  /// Counts `byteCount` bytes at the end of the weights that those of `builds` share.
  mutating func addEnd(_ byteCount: Int, of builds: [TargetBuild]) {
    let readers = builds.indices.filter { builds[$0].readsShared }
    for index in readers { targets[index].weightBytes += byteCount }
    if let first = readers.first { targets[first].addedBytes += byteCount }
  }
}
