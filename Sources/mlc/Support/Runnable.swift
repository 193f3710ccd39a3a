import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGraph
import MLCPackage
import MLCRuntime

/// A model that can be run: a compiled package, a source model compiled for the occasion, or the reference interpreter.
struct Runnable {
  let inputs: [FunctionInterface.Port], outputs: [FunctionInterface.Port]
  let metadata: [String: String]
  let executor: Executor

  /// The compiled package at `path`.
  static func compiled(
    _ path: String,
    target: String? = nil,
    threads: Int? = nil,
    keeping folder: TemporaryFolder? = nil
  ) throws(Diagnostic) -> Runnable {
    var options = Model.Options()
    options.device = target
    let model = try Model.load(path: path, drivers: [try CPUDriver(threads: threads)], options: options)
    let executor = Executor(model.selection.device) { (inputs) throws(Diagnostic) in
      // The package's files stay until the last run is done.
      defer { withExtendedLifetime(folder) {} }
      return try model.predict(inputs)
    }
    return Runnable(
      inputs: model.interface.inputs,
      outputs: model.interface.outputs,
      metadata: model.manifest.metadata,
      executor: executor
    )
  }

  /// `path` whatever it is: source models are compiled for `target`, or this machine, into a folder that goes.
  static func load(
    _ path: String,
    target: String? = nil,
    threads: Int? = nil
  ) throws(Diagnostic) -> Runnable {
    if try PathKind(path) == .compiled { return try compiled(path, target: target, threads: threads) }
    let source = try ModelSource.load(path)
    let folder = try TemporaryFolder()
    let package = "\(folder.path)/model.mlmodelc"
    _ = try source.compile(to: package, targets: [target ?? "host"])
    return try compiled(package, threads: threads, keeping: folder)
  }

  /// The reference interpreter on `program`.
  static func reference(_ program: Program) -> Runnable {
    let interpreter = Interpreter(program.main)
    return Runnable(
      inputs: program.main.inputPorts,
      outputs: program.main.outputPorts,
      metadata: Dictionary(program.metadata.map { ($0.key, $0.value) }) { first, _ in first },
      executor: Executor("reference") { (inputs) throws(Diagnostic) in try interpreter.run(inputs) }
    )
  }
}
