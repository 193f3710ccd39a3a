import MLCCore
import MLCPackage

extension Model {
  /// Loads one function for the most capable device of the package that one of `drivers` can run. Code, weights and
  /// plan are compared with their digests, and what the code was made for with what the package says.
  ///
  /// A package is native code: load only what you would run. Throws `package.…` for a package that is damaged,
  /// contradicts itself or is another than `options` expect, `runtime.no-target` when nothing in it fits, and what the
  /// driver's `load` throws.
  package static func load(
    path: String,
    drivers: [any Driver],
    options: Options = Options()
  ) throws(Diagnostic) -> Model {
    try load(try open(path, options), drivers: drivers, options: options)
  }

  /// Throws for a package that is damaged or another than `options` expect.
  static func open(_ path: String, _ options: Options) throws(Diagnostic) -> PackageReader {
    let package = try PackageReader(path: path, memory: options.verifiesDigests ? nil : options.memory)
    if let digest = options.expectedDigest { try package.require(digest: digest) }
    return package
  }

  /// `load` of a package that `open` gave.
  static func load(
    _ package: PackageReader,
    drivers: [any Driver],
    options: Options
  ) throws(Diagnostic) -> Model {
    try locating(.init(file: package.path)) { () throws(Diagnostic) in
      let interface = try function(options.function, of: package)
      let (selection, target, drivers) = try Selection.choose(
        from: package.manifest.targets,
        drivers: drivers,
        wanted: options.device
      )
      guard let code = target.code.first(where: { $0.function == interface.name }) else {
        preconditionFailure("the manifest has code of every function for every target")
      }
      let used = code.segments.flatMap { [$0.kernels, $0.weights, $0.plan] }
      if options.verifiesDigests { try package.verifyDigests(except: Set(used.map { $0.path })) }
      var segments: [any Executable] = []
      for segment in code.segments {
        _ = try package.open(segment.plan)
        let artifact = Artifact(
          kernels: try package.open(segment.kernels),
          kernelsDigest: segment.kernels.digest,
          weights: try package.open(segment.weights).mapped,
          gathered: segment.gathered,
          identity: CodeIdentity(interface, target, code, segment),
          sizeCount: interface.symbols.count + interface.lateSymbols.count
        )
        segments.append(try drivers[segment.wiring.device].load(artifact))
      }
      let wiring = code.segments[0].wiring
      let isWhole = segments.count == 1 && wiring.isWhole(interface)
      let executable = isWhole ? segments[0] : SegmentedExecutable(interface, code, segments, drivers)
      let inPlace = isWhole ? wiring.statesInPlace : []
      return try Model(package, interface, selection, executable, statesInPlace: inPlace, options)
    }
  }
}
