import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCPackage

/// The compiled forms of a model that this machine can run, ready to be compared.
struct VerifyTargets {
  private let source: ModelSource
  let executors: [Executor]
  /// Targets that cannot run here, and why.
  let skipped: [(target: String, reason: String)]
  /// The narrowest floating-point type that the package stores tensors in; `nil` where it does not say.
  let precision: DType?

  /// Those of the package at `compiled`; without one, those of a package made for the occasion. Throws
  /// `verify.no-target` when none runs here, `verify.interface` when the package is of another model.
  init(
    _ source: ModelSource,
    compiled: String?,
    wanted: [String]?,
    demands: PackageDemands
  ) throws(Diagnostic) {
    self.source = source
    let devices = try CatalogDevice.all()
    var skipped: [(target: String, reason: String)] = []
    var folder: Temporary?
    let path: String
    if let compiled {
      try VerifyTargets.check(compiled)
      path = compiled
    } else {
      let made = try Temporary()
      let known = try DeviceSet(wanted ?? devices.map { $0.description.name }).devices.map { $0.name }
      let runnable = known.filter { name in devices.first { $0.description.name == name }?.obstacle == nil }
      for device in devices {
        if let obstacle = device.obstacle, known.contains(device.description.name) {
          skipped.append((device.description.name, obstacle))
        }
      }
      guard !runnable.isEmpty else { throw VerifyTargets.none(skipped) }
      path = "\(made.path)/model.mlmodelc"
      _ = try source.compile(to: path, targets: runnable)
      folder = made
    }
    let found = try VerifyTargets.load(path, folder, wanted: wanted, demands: demands)
    executors = found.executors
    self.skipped = skipped + found.skipped
    if executors.isEmpty { throw VerifyTargets.none(self.skipped) }
    let package = try PackageReader(path: path)
    precision = package.manifest.precision
    try VerifyTargets.checkInterface(package, source.program.main)
  }

  /// Throws `format.unknown` for what is no compiled package.
  static func check(_ compiled: String) throws(Diagnostic) {
    guard try PathKind(compiled) == .compiled else {
      throw Diagnostic("format.unknown", "'\(compiled)' is no compiled package (.mlmodelc)")
    }
  }

  private static func load(
    _ path: String,
    _ folder: Temporary?,
    wanted: [String]?,
    demands: PackageDemands
  ) throws(Diagnostic) -> (executors: [Executor], skipped: [(target: String, reason: String)]) {
    var executors: [Executor] = []
    var skipped: [(target: String, reason: String)] = []
    let host = try DeviceSet(["host"]).devices.first?.name
    for target in try PackageReader(path: path).manifest.targets {
      let name = target.device.name
      if let wanted, !wanted.contains(name), !(wanted.contains("host") && name == host) { continue }
      do throws(Diagnostic) {
        executors.append(
          try Runnable.compiled(path, target: name, demands: demands, exposesStates: true, keeping: folder).executor
        )
      } catch {
        guard error.id == "runtime.no-target" else { throw error }
        let lead = "\(name): "
        let note = error.notes.first { $0.hasPrefix(lead) }
        skipped.append((name, note.map { String($0.dropFirst(lead.count)) } ?? error.message))
      }
    }
    return (executors, skipped)
  }

  private static func none(_ skipped: [(target: String, reason: String)]) -> Diagnostic {
    Diagnostic(
      "verify.no-target",
      "none of the targets runs on this machine",
      kind: .unsupported,
      notes: skipped.map { "\($0.target): \($0.reason)" }
    )
  }

  private static func checkInterface(_ package: PackageReader, _ function: Function) throws(Diagnostic) {
    let (mine, theirs) = (function.inputPorts, package.functions[0].inputs)
    guard mine.map({ $0.name }) == theirs.map({ $0.name }),
      function.outputNames.count == package.functions[0].outputs.count
    else {
      throw Diagnostic(
        "verify.interface",
        "the package is of another model: its inputs are \(quotedList(theirs.map { $0.name })), the model's "
          + quotedList(mine.map { $0.name }),
        kind: .usage,
        at: Location(file: package.path)
      )
    }
  }

  /// The search for the operation at which `target` departs from the reference on `inputs`.
  func search(
    _ inputs: [Tensor],
    on target: String,
    tolerance: @escaping @Sendable (DType) -> Tolerance,
    bar: ProgressBar
  ) -> LayerSearch {
    var search = LayerSearch(source.program.main, inputs: inputs, tolerance: tolerance) {
      [source] (part) throws(Diagnostic) in
      let folder = try Temporary()
      let path = "\(folder.path)/part.mlmodelc"
      let layers = ModelSource(path: source.path, program: Program([part]), budget: source.budget)
      _ = try layers.compile(to: path, targets: [target])
      return try Runnable.compiled(path, target: target, exposesStates: true, keeping: folder).executor
    }
    search.progress = { bar.show("layers on \(target), \($0)", $1) }
    return search
  }
}
