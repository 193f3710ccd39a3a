import MLCCore
import MLCGraph
import MLCKernels
import MLCPackage
import MLCPasses
import MLCTargetC

/// What `mlc compile` is asked for.
package struct CompileOptions: Sendable {
  /// Device names of the catalog, or `host`.
  package var targets = ["host"]
  /// The device whose code every processor of the family runs.
  package static let baseline = "x86-64-v2"
  /// Where the generated C is kept, one folder a target; nowhere when `nil`.
  package var keepSources: String?
  /// Recorded in the package: the program's version, and the digest of the source model.
  package var tool = "mlc", source = ""
  package var passes = PassOptions()
  /// What each run of the C compiler may take.
  package var compilerLimits = ChildLimits.compiler
  /// Puts the program itself into the package, so that it can be compiled for other devices later.
  package var carriesProgram = false

  package init() {}
}

/// What a compilation made, for reports.
package struct CompileReport: Sendable {
  package struct Target: Sendable {
    package var device: String
    package var kernels: Int, steps: Int
    /// `nil` when sizes are symbolic.
    package var arenaBytes: Int?
    package var weightBytes: Int, codeBytes: Int
    package var seconds: Double
  }
  package var targets: [Target] = []
  /// The digest of the package.
  package var packageDigest = ""
  /// What the passes did, one report a function.
  package var passes: [PassReport] = []
  /// What the user should know of how weights are stored.
  package var remarks: [Diagnostic] = []
}

/// From a program to a compiled package: passes, kernels, C, clang, files.
package struct Compiler: Sendable {
  package var options: CompileOptions
  /// Told what is being done, and how much of the whole is done, 0…1.
  package var progress: @Sendable (String, Double) -> Void = { _, _ in }

  package init(_ options: CompileOptions) { self.options = options }

  /// Refuses before the model is read what `compile` would refuse after it: targets that there are none of, a missing
  /// compiler, a place that cannot be written. Throws `target.unknown`, `target.host`, `compiler.missing`, and what
  /// `PackageWriter.check` throws.
  package func check(_ path: String) throws(Diagnostic) {
    _ = try DeviceSet(options.targets)
    _ = try CCompiler.find()
    try PackageWriter.check(path)
    if let folder = options.keepSources { try FunctionBuild.makeFolder(folder) }
  }

  /// Writes the package at `path`. Throws what passes, lowering and emission throw, `budget.time`; `compiler.missing`
  /// and `compiler.failed` from the C compiler; what the package writer throws.
  package func compile(_ program: Program, to path: String) throws(Diagnostic) -> CompileReport {
    let devices = try DeviceSet(options.targets).devices
    var clang = try CCompiler.find(limits: options.compilerLimits)
    let work = try Temporary(beside: path)
    defer { withExtendedLifetime(work) {} }
    progress("optimising", 0.02)
    let source = options.carriesProgram ? ProgramText(program) : nil
    var program = program
    var report = CompileReport()
    for index in program.functions.indices {
      report.passes.append(try PassPipeline.standard.run(&program.functions[index], options: options.passes))
    }
    var interfaces: [FunctionInterface] = []
    var targets: [PackageContents.Target] = []
    for (number, device) in devices.enumerated() {
      let start = ContinuousClock.now
      progress("compiling for \(device.name)", 0.05 + 0.9 * Double(number) / Double(devices.count))
      var code: [PackageContents.Code] = []
      interfaces = []
      var summary = CompileReport.Target(
        device: device.name,
        kernels: 0,
        steps: 0,
        weightBytes: 0,
        codeBytes: 0,
        seconds: 0
      )
      for (index, function) in program.functions.enumerated() {
        if let left = options.passes.budget.remaining { clang.limits = options.compilerLimits.lasting(atMost: left) }
        // Names of functions are the model's, and no names for folders.
        let folder = try work.makeFolder("\(device.name)-\(index)")
        let built = try FunctionBuild(
          function,
          device: device,
          clang: clang,
          folder: folder,
          budget: options.passes.budget
        ).run(options.keepSources)
        code.append(built.code)
        interfaces.append(built.interface)
        summary.add(built)
        for remark in built.remarks where !report.remarks.contains(remark) { report.remarks.append(remark) }
      }
      summary.seconds = (ContinuousClock.now - start) / .seconds(1)
      report.targets.append(summary)
      targets.append(
        PackageContents.Target(
          device.manifest,
          code: code
        )
      )
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

extension CompileReport.Target {
  fileprivate mutating func add(_ built: FunctionBuild.Result) {
    steps += built.module.steps.count
    kernels += Set(built.module.steps.map(\.symbol)).count
    weightBytes += built.module.weightBytes
    codeBytes += built.codeBytes
    arenaBytes = built.module.arenaBytes
  }
}
