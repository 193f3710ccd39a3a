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
  /// Devices beside the processor that run the parts of functions that `placement` says, the most wanted first.
  package var accelerators: [DeviceDescription] = []
  package var placement = Placement.firstThatTakes
  /// What each run of a tool, such as the C compiler, may take.
  package var toolLimits = ChildLimits.compiler
  /// Puts in the program itself, so that it can be compiled for other devices later, and code for the baseline of each
  /// architecture that there is code for.
  package var isPortable = false
  /// Whether convolutions may take more memory for weights to be faster.
  package var usesWinograd = true
  /// Whether tensors that are cheap to compute are computed again where that saves memory.
  package var recomputes = false
  /// What products round their factors to on the devices that multiply those faster.
  package var factors: DType?
  /// What was measured of the device called `name`: its contractions are computed as was fastest.
  package var tuning: (name: String, tuning: Tuning)?
  /// The most elements that sizes which nothing bounds before the program runs may multiply to in one tensor. Memory is
  /// planned for so many, and taken as it is used.
  package var sizeLimit = KernelProgram.usualSizeLimit

  package init() {}
}

/// What a compilation made, for reports.
package struct CompileReport: Sendable {
  package struct Target: Sendable {
    package var device: String
    package var kernels = 0
    /// Those of the function that needs most; `nil` when sizes are symbolic.
    package var arenaBytes: Int? = 0
    package var weightBytes = 0, codeBytes = 0
    /// By which code and weights make the package larger, beside those of the targets before.
    package var addedBytes = 0
    package var seconds = 0.0
    /// Its kernel calls, in order.
    package var calls: [ModuleStep] = []
    package var steps: Int { calls.count }
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
    let devices = try devices() + options.accelerators
    for device in devices { _ = try family(of: device) }
    _ = try checkArithmetic(devices)
    try PackageWriter.check(path)
    for family in targets {
      let own = devices.filter { $0.family == family.family }
      if devices.isEmpty || !own.isEmpty { try family.check(own, limits: limits, beside: path) }
    }
    if let folder = options.keepSources { try FunctionModule.makeFolder(folder) }
  }

  /// What a program may take that is run now.
  private var limits: ChildLimits {
    options.passes.budget.remaining.map { options.toolLimits.lasting(atMost: $0) } ?? options.toolLimits
  }

  private func devices() throws(Diagnostic) -> [DeviceDescription] {
    let chosen = try DeviceSet(options.targets)
    let devices = options.isPortable ? chosen.withBaselines.devices : chosen.devices
    return devices.map { device in
      var device = device
      if !options.usesWinograd { device.avoidsWinograd = true }
      if let type = options.factors, device.multiplies(type) { device.factors = type }
      if let tuning = options.tuning, tuning.name == device.name { device.tuning = tuning.tuning }
      return device
    }.sharingWeights
  }

  /// Throws `target.arithmetic` where none of `devices` multiplies what the options ask for; otherwise what to know of
  /// those that do not.
  private func checkArithmetic(_ devices: [DeviceDescription]) throws(Diagnostic) -> [Diagnostic] {
    let exact = devices.filter { $0.factors == nil }.map { $0.name }
    guard let type = options.factors, !exact.isEmpty else { return [] }
    let names = exact.joined(separator: ", ")
    if exact.count == devices.count {
      let able = DeviceSet.catalog.filter { $0.multiplies(type) }.map { $0.name }.joined(separator: ", ")
      throw Diagnostic(
        "target.arithmetic",
        "no target multiplies \(type.rawValue): \(names); compile for \(able), or with fp32 arithmetic",
        kind: .usage
      )
    }
    return [Diagnostic("target.arithmetic", "code for \(names) multiplies fp32", severity: .note)]
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
    let source = options.isPortable ? ProgramText(program.withoutFiles) : nil
    var (program, structure) = program.described
    var report = CompileReport()
    report.remarks = try checkArithmetic(devices)
    for index in program.functions.indices {
      report.passes.append(try PassPipeline.standard.run(&program.functions[index], options: options.passes))
    }
    let plans = try plans(program, devices)
    let (builds, weights) = try emit(program, plans, in: work, &report)
    var targets: [PackageContents.Target] = []
    for (number, (plan, build)) in zip(plans, builds).enumerated() {
      progress("compiling for \(plan.name)", 0.3 + 0.65 * Double(number) / Double(devices.count))
      let start = ContinuousClock.now
      let code = try build.build(weights: weights, limits: { limits }, options.passes.budget, &report.targets[number])
      report.targets[number].seconds += (ContinuousClock.now - start) / .seconds(1)
      let machine = plan.targets.map { $0.device.manifest }
      targets.append(PackageContents.Target(machine[0], accelerators: Array(machine[1...]), code: code))
    }
    progress("writing", 0.97)
    var contents = PackageContents(
      tool: options.tool,
      source: options.source,
      metadata: Dictionary(program.metadata.map { ($0.key, $0.value) }) { first, _ in first },
      precision: options.factors ?? program.narrowestFloat,
      functions: builds.first?.functions.map { $0.interface } ?? [],
      targets: targets
    )
    (contents.avoidsWinograd, contents.structure) = (!options.usesWinograd, structure)
    if let learning = program.learning?.learning {
      contents.learning = learning
      contents.parameters = program.functions.flatMap { $0.parameters.map { ($0.name, $0.contents) } }
    }
    if let source {
      (contents.program, contents.constants) = (source.text, source.blobs)
      contents.devices = DeviceSet.catalog.map { $0.manifest }
    }
    report.packageDigest = try PackageWriter.write(contents, to: path)
    return report
  }
}

extension Compiler {
  /// For each of `devices`. Throws what none of them, or one, does not take: all of it, in one diagnostic.
  private func plans(_ program: Program, _ devices: [DeviceDescription]) throws(Diagnostic) -> [TargetPlan] {
    var plans: [TargetPlan] = []
    var refusals = Refusals()
    for device in devices {
      var plan = TargetPlan(targets: [])
      for device in [device] + options.accelerators { plan.targets.append(try family(of: device).init(device)) }
      for function in program.functions {
        do throws(Diagnostic) {
          let placed = try PlacedProgram(
            function,
            on: plan.targets,
            options.placement,
            recomputes: options.recomputes,
            budget: options.passes.budget,
            sizeLimit: options.sizeLimit
          )
          for (device, problem) in placed.obstacles(for: plan.targets) { refusals.add(problem, on: device) }
          plan.programs.append(placed)
        } catch {
          guard error.kind == .unsupported else { throw error }
          refusals.add(error, on: plan.name)
        }
      }
      plans.append(plan)
    }
    try refusals.check()
    return plans
  }

  /// The code of every target, not built yet, and the weights that all processors share. Adds a row a target to
  /// `report`.
  private func emit(
    _ program: Program,
    _ plans: [TargetPlan],
    in work: Temporary,
    _ report: inout CompileReport
  ) throws(Diagnostic) -> ([TargetBuild], WeightFile.Finished) {
    var weights = try WeightFile(path: "\(work.path)/weights.bin")
    var builds: [TargetBuild] = []
    var stored: Set<String> = []
    for (number, plan) in plans.enumerated() {
      progress("writing code for \(plan.name)", 0.05 + 0.25 * Double(number) / Double(plans.count))
      let start = ContinuousClock.now
      var row = CompileReport.Target(device: plan.name)
      let before = weights.byteCount
      let build = try TargetBuild(
        program,
        plan,
        weights: &weights,
        in: work,
        keepSources: options.keepSources,
        budget: options.passes.budget
      )
      build.describe(weights.usedBytes, added: weights.byteCount - before, in: &row, stored: &stored)
      for remark in build.functions.flatMap({ $0.remarks }) where !report.remarks.contains(remark) {
        report.remarks.append(remark)
      }
      row.seconds = (ContinuousClock.now - start) / .seconds(1)
      report.targets.append(row)
      builds.append(build)
    }
    let before = weights.byteCount
    let finished = try weights.finish()
    report.addEnd(weights.byteCount - before, of: builds)
    return (builds, finished)
  }
}
