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
      valueName: "NAME,…"
    )
  )
  var target: String?

  var names: [String]? { target?.split(separator: ",").map { $0.trimming } }
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

  /// Compiles the program to `output`, with a bar on a terminal.
  func compile(
    to output: String,
    targets: [String],
    settings: (inout CompileOptions) -> Void = { _ in }
  ) throws(Diagnostic) -> CompileReport {
    var options = CompileOptions()
    options.targets = targets
    options.tool = "mlc \(MLC.version)"
    options.source = digest
    options.passes.budget = budget
    settings(&options)
    let bar = ProgressBar()
    defer { bar.clear() }
    var compiler = Compiler(options)
    compiler.progress = { bar.show($0, $1) }
    let report = try compiler.compile(program, to: output)
    bar.clear()
    budget.report()
    return report
  }
}

/// A device of the catalog, and why this machine cannot run its code.
struct CatalogDevice {
  let description: DeviceDescription
  let obstacle: String?

  static var all: [CatalogDevice] {
    DeviceSet.catalog.map { CatalogDevice(description: $0, obstacle: CPU.obstacle(isa: $0.isa, requires: $0.requires)) }
  }
}
