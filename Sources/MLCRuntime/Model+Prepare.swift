import MLCCore
import MLCPackage

extension Model {
  /// Loads like `load`, and makes the best of a package that carries its program: where its code is for plainer
  /// processors than this one, the package is compiled for this one by the command `mlc`, once, and kept in `cache`.
  /// Where that cannot be, the code there is runs, and the preparation says why. `begins` is told before a compilation,
  /// which takes seconds. The package that was asked for comes back beside the model, opened.
  ///
  /// Throws what `load` throws.
  package static func prepared(
    path: String,
    drivers: [any Driver],
    options: Options = Options(),
    cache: PackageCache? = .standard,
    begins: @escaping (_ device: String) -> Void = { _ in }
  ) throws(Diagnostic) -> (model: Model, preparation: Preparation, package: PackageReader) {
    let start = Trace.begin()
    var how = "failed"
    defer { Trace.end("load", start, [("package", path), ("preparation", how)]) }
    let package = try open(path, options)
    let (model, preparation) = try prepare(package, drivers, options, cache, begins)
    how = preparation.message
    return (model, preparation, package)
  }

  private static func prepare(
    _ package: PackageReader,
    _ drivers: [any Driver],
    _ options: Options,
    _ cache: PackageCache?,
    _ begins: @escaping (_ device: String) -> Void
  ) throws(Diagnostic) -> (model: Model, preparation: Preparation) {
    let manifest = package.manifest
    guard options.device == nil, manifest.program != nil, let best = manifest.bestDevice(drivers),
      !manifest.targets.contains(where: { $0.device.name == best })
    else {
      let model = try load(package, drivers: drivers, options: options)
      return (model, .asIs(device: model.selection.device))
    }
    do throws(Diagnostic) {
      guard let cache else {
        throw Diagnostic("runtime.cache", "neither XDG_CACHE_HOME nor HOME says where to keep it", kind: .environment)
      }
      let command = try CompilerCommand.find()
      let key = PackageCache.key(package: manifest.digest, device: best, compiler: command.identity)
      let request = Specialisation(
        path: package.path,
        digest: manifest.digest,
        device: best,
        command: command,
        cache: cache,
        key: key,
        begins: begins
      )
      var options = options
      // What is compiled from the package is another one.
      options.expectedDigest = nil
      return try request.load(drivers, options)
    } catch {
      // A wrong request fails with or without a compiler.
      if error.kind == .usage { throw error }
      let model = try load(package, drivers: drivers, options: options)
      let reason = (["\(error.message) [\(error.id.rawValue)]"] + error.notes.prefix(1)).joined(separator: ": ")
      return (model, .baseline(device: model.selection.device, reason: "not compiled for \(best): \(reason)"))
    }
  }
}

extension Manifest {
  /// The most capable of the devices that the package could be compiled for and that this machine is.
  fileprivate func bestDevice(_ drivers: [any Driver]) -> String? {
    devices.last { device in
      drivers.contains { $0.family == device.family && $0.obstacle(to: device) == nil }
    }?.name
  }
}

/// One package on its way to one device.
private struct Specialisation {
  let path: String, digest: String, device: String
  let command: CompilerCommand
  let cache: PackageCache
  let key: String
  let begins: (String) -> Void

  /// From the cache, compiled first unless it is there and sound.
  func load(
    _ drivers: [any Driver],
    _ options: Model.Options
  ) throws(Diagnostic) -> (model: Model, preparation: Preparation) {
    let entry = cache.entry(key)
    if let model = try? Model.load(path: entry, drivers: drivers, options: options) {
      return (model, .cached(device: device))
    }
    return try cache.exclusively(key) { () throws(Diagnostic) in
      // Another process may have made it meanwhile.
      if let model = try? Model.load(path: entry, drivers: drivers, options: options) {
        return (model, .cached(device: device))
      }
      cache.remove(key)
      begins(device)
      let start = ContinuousClock.now
      let arguments = ["compile", path, "-o", entry, "--target", device, "--expect-digest", digest]
      let (status, messages) = try Trace.span("prepare and cache") { () throws(Diagnostic) in
        try command.run(arguments)
      }
      guard status == 0 else {
        throw Diagnostic(
          "runtime.specialise",
          "mlc compile ended with \(status)",
          kind: .environment,
          notes: messages.split(separator: "\n").map { String($0) }
        )
      }
      let model = try Model.load(path: entry, drivers: drivers, options: options)
      return (model, .prepared(device: device, seconds: (ContinuousClock.now - start) / .seconds(1)))
    }
  }
}
