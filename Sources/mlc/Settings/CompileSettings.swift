import ArgumentParser
import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCPasses
import MLCRuntime

/// Which devices code is made for.
struct TargetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Devices to compile for, by name as 'mlc devices' lists them; 'host' is the best that this machine is.",
      valueName: "NAME,..."
    ),
    completion: .targets
  )
  var target: String?

  /// An empty name where an argument has none.
  var names: [String]? {
    guard let names = target?.split(separator: ",").map({ $0.trimming }) else { return nil }
    return names.isEmpty ? [""] : names
  }
}

extension Substring {
  fileprivate var trimming: String { split(separator: " ").joined(separator: " ") }
}

extension ModelSource {
  /// How passes run on the program.
  var passOptions: PassOptions {
    var options = PassOptions()
    options.budget = budget
    return options
  }

  /// Refuses before the model is read what `compile` would refuse whatever the model is. A C compiler that is tried has
  /// `time`, and a minute at most.
  static func check(
    compilingTo output: String,
    targets: [String],
    arithmetic: Arithmetic = .fp32,
    keepSources: String? = nil,
    time: Duration? = nil
  ) throws(Diagnostic) {
    var options = CompileOptions()
    (options.targets, options.keepSources) = (targets, keepSources)
    options.factors = arithmetic.factors
    options.toolLimits = options.toolLimits.lasting(atMost: min(time ?? .seconds(60), .seconds(60)))
    try Compiler(options, targets: DeviceFamily.targets).check(output)
  }

  /// The same for a package in a temporary folder.
  static func check(targets: [String], time: Duration? = nil) throws(Diagnostic) {
    let folder = try Temporary()
    try withExtendedLifetime(folder) { () throws(Diagnostic) in
      try check(compilingTo: "\(folder.path)/model.mlmodelc", targets: targets, time: time)
    }
  }

  /// Compiles the program to `output`, with a bar on a terminal.
  func compile(
    to output: String,
    targets: [String],
    showsProgress: Bool = true,
    settings: (inout CompileOptions) -> Void = { _ in }
  ) throws(Diagnostic) -> CompileReport {
    var options = CompileOptions()
    options.targets = targets
    options.tool = "mlc \(MLC.version)"
    options.source = digest
    options.passes.budget = budget
    options.usesWinograd = !avoidsWinograd
    settings(&options)
    if CompilerCommand.variable("MLC_LOG") != nil, !ChildProgram.canIsolate {
      Console.note("this system has no filters of system calls: the C compiler is not kept from the network")
    }
    let bar = ProgressBar()
    defer { if showsProgress { bar.clear() } }
    var compiler = Compiler(options, targets: DeviceFamily.targets)
    if showsProgress { compiler.progress = { bar.show($0, $1) } }
    let report = try compiler.compile(program, to: output)
    if showsProgress { bar.clear() }
    budget.report()
    return report
  }
}

/// A device of the catalog, and why this machine cannot run its code.
struct CatalogDevice {
  let description: DeviceDescription
  let obstacle: String?

  /// Throws `runtime.threads`.
  static func all() throws(Diagnostic) -> [CatalogDevice] {
    let drivers = try DeviceFamily.drivers(threads: 1)
    return DeviceSet.catalog.map { device in
      guard let driver = drivers.first(where: { $0.family == device.family }) else {
        return CatalogDevice(description: device, obstacle: "there is no driver for \(device.family)")
      }
      return CatalogDevice(description: device, obstacle: driver.obstacle(to: device.manifest))
    }
  }
}
