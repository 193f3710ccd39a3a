import MLCCore
import MLCGraph
import MLCKernels
import MLCPackage
import MLCPasses

/// What `mlc compile` is asked for.
package struct CompileOptions: Sendable {
  /// Device names of the catalog, or `host`.
  package var targets = ["host"]
  /// Where the generated sources are kept, one folder a target; nowhere when `nil`.
  package var keepSources: String?
  /// Recorded in the package: the program's version, and the digest of the source model.
  package var tool = "mlc", source = ""
  package var passes = PassOptions()
  /// What each run of a tool, such as the C compiler, may take.
  package var toolLimits = ChildLimits.compiler
  /// Puts in the program itself, so that it can be compiled for other devices later, and code for the baseline of each
  /// architecture that there is code for.
  package var isPortable = false
  /// The most elements that sizes which nothing bounds before the program runs may multiply to in one tensor. Memory is
  /// planned for so many, and taken as it is used.
  package var sizeLimit = KernelProgram.usualSizeLimit

  package init() {}
}

/// What a compilation made, for reports.
package struct CompileReport: Sendable {
  package struct Target: Sendable {
    package var device: String
    package var kernels = 0, steps = 0
    /// `nil` when sizes are symbolic.
    package var arenaBytes: Int?
    package var weightBytes = 0, codeBytes = 0
    package var seconds = 0.0
  }
  package var targets: [Target] = []
  /// The digest of the package.
  package var packageDigest = ""
  /// What the passes did, one report a function.
  package var passes: [PassReport] = []
  /// What the user should know of how weights are stored.
  package var remarks: [Diagnostic] = []
}

/// From a program to a compiled package: passes, kernels, code, files.
package struct Compiler: Sendable {
  package var options: CompileOptions
  /// Who makes code, one for each family of devices.
  private let targets: [any Target.Type]
  /// Told what is being done, and how much of the whole is done, 0…1.
  package var progress: @Sendable (String, Double) -> Void = { _, _ in }

  package init(_ options: CompileOptions, targets: [any Target.Type]) {
    (self.options, self.targets) = (options, targets)
  }

  /// Refuses before the model is read what `compile` would refuse after it: targets that there are none of, a missing
  /// compiler, of any family where no target is named, a place that cannot be written. Throws `target.unknown`,
  /// `target.host`, `target.family`, what targets throw, and what `PackageWriter.check` throws.
  package func check(_ path: String) throws(Diagnostic) {
    var families: [any Target.Type] = []
    for device in try devices() { families.append(try family(of: device)) }
    for family in families.isEmpty ? targets : families { try family.check() }
    try PackageWriter.check(path)
    if let folder = options.keepSources { try FunctionBuild.makeFolder(folder) }
  }

  private func devices() throws(Diagnostic) -> [DeviceDescription] {
    let chosen = try DeviceSet(options.targets)
    return options.isPortable ? chosen.withBaselines.devices : chosen.devices
  }

  private func family(of device: DeviceDescription) throws(Diagnostic) -> any Target.Type {
    for target in targets where target.family == device.family { return target }
    throw Diagnostic(
      "target.family",
      "device '\(device.name)' is of family '\(device.family)', which nothing makes code for",
      kind: .usage
    )
  }

  /// Writes the package at `path`. Throws what passes, lowering and targets throw, `budget.time`, and what the package
  /// writer throws.
  package func compile(_ program: Program, to path: String) throws(Diagnostic) -> CompileReport {
    let devices = try devices()
    let work = try Temporary(beside: path)
    defer { withExtendedLifetime(work) {} }
    progress("optimising", 0.02)
    let source = options.isPortable ? ProgramText(program) : nil
    var program = program
    var report = CompileReport()
    for index in program.functions.indices {
      report.passes.append(try PassPipeline.standard.run(&program.functions[index], options: options.passes))
    }
    let plans = try plans(program, devices)
    var interfaces: [FunctionInterface] = []
    var targets: [PackageContents.Target] = []
    for (number, plan) in plans.enumerated() {
      let device = plan.target.device
      progress("compiling for \(device.name)", 0.05 + 0.9 * Double(number) / Double(devices.count))
      let built = try build(program, plan, in: work, &report)
      interfaces = built.map { $0.interface }
      targets.append(PackageContents.Target(device.manifest, code: built.map { $0.code }))
    }
    progress("writing", 0.97)
    var contents = PackageContents(
      tool: options.tool,
      source: options.source,
      metadata: Dictionary(program.metadata.map { ($0.key, $0.value) }) { first, _ in first },
      precision: program.narrowestFloat,
      functions: interfaces,
      targets: targets
    )
    if let source {
      (contents.program, contents.constants) = (source.text, source.blobs)
      contents.devices = DeviceSet.catalog.map { $0.manifest }
    }
    report.packageDigest = try PackageWriter.write(contents, to: path)
    return report
  }
}

extension Compiler {
  /// The functions of a program as kernels that a target takes.
  private struct Plan {
    var target: any Target
    var programs: [KernelProgram] = []
  }

  /// For each of `devices`. Throws what none of them, or one, does not take: all of it, in one diagnostic.
  private func plans(_ program: Program, _ devices: [DeviceDescription]) throws(Diagnostic) -> [Plan] {
    var plans: [Plan] = []
    var refusals = Refusals()
    for device in devices {
      var plan = Plan(target: try family(of: device).init(device))
      for function in program.functions {
        do throws(Diagnostic) {
          var kernels = try KernelProgram.optimized(
            function,
            for: plan.target,
            budget: options.passes.budget,
            sizeLimit: options.sizeLimit
          )
          try kernels.resolveCompressed(for: plan.target)
          for problem in kernels.obstacles(for: plan.target) { refusals.add(problem, on: device.name) }
          plan.programs.append(kernels)
        } catch {
          guard error.kind == .unsupported else { throw error }
          refusals.add(error, on: device.name)
        }
      }
      plans.append(plan)
    }
    try refusals.check()
    return plans
  }

  /// Every function of `program`, as `plan` has it.
  private func build(
    _ program: Program,
    _ plan: Plan,
    in work: Temporary,
    _ report: inout CompileReport
  ) throws(Diagnostic) -> [FunctionBuild.Result] {
    let start = ContinuousClock.now
    let device = plan.target.device.name
    var results: [FunctionBuild.Result] = []
    var summary = CompileReport.Target(device: device)
    for (index, (function, kernels)) in zip(program.functions, plan.programs).enumerated() {
      // Names of functions are the model's, and no names for folders.
      let folder = try work.makeFolder("\(device)-\(index)")
      var limits = options.toolLimits
      if let left = options.passes.budget.remaining { limits = limits.lasting(atMost: left) }
      let build = FunctionBuild(function, kernels, plan.target, limits, folder, options.passes.budget)
      let built = try build.run(options.keepSources)
      results.append(built)
      summary.add(built)
      for remark in built.remarks where !report.remarks.contains(remark) { report.remarks.append(remark) }
    }
    summary.seconds = (ContinuousClock.now - start) / .seconds(1)
    report.targets.append(summary)
    return results
  }
}

extension CompileReport.Target {
  fileprivate mutating func add(_ built: FunctionBuild.Result) {
    steps += built.module.steps.count
    kernels += Set(built.module.steps.map(\.kernel)).count
    weightBytes += built.module.weightBytes
    codeBytes += built.codeBytes
    arenaBytes = built.module.arenaBytes
  }
}
