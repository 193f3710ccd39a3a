import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCPackage
import MLCRuntime

/// The compiled package of a source model that is run: one that the user's cache keeps, or one in a folder that goes.
struct CompiledSource {
  let path: String
  /// The folder that goes with this; `nil` for a package of the cache.
  let folder: Temporary?
  /// What compiling took; `nil` for one that was compiled before.
  let time: Duration?

  /// Compiles `source` for `targets`, unless it was compiled for them before and `cache` still has it: the same program
  /// with the same weights, by the same mlc and the same C compiler. Says which on standard error.
  ///
  /// Without a cache, and where it cannot be used, the package goes when the last copy of this does. Throws what
  /// compiling throws.
  init(_ source: ModelSource, targets: [String], cache: PackageCache?) throws(Diagnostic) {
    guard let cache else {
      (folder, path, time) = try CompiledSource.temporary(source, targets)
      return
    }
    let devices = try DeviceSet(targets).devices.map { $0.name }
    let key = PackageCache.key(
      package: source.contentDigest,
      device: devices.joined(separator: ","),
      compiler: CompilerCommand.running.identity
    )
    let entry = cache.entry(key)
    var (failure, made): (Diagnostic?, Duration?)
    do throws(Diagnostic) {
      if CompiledSource.isSound(entry) {
        Console.note("\(source.path): as compiled before; --no-cache compiles it again")
        (folder, path, time) = (nil, entry, nil)
        return
      }
      made = try cache.exclusively(key) { () throws(Diagnostic) in
        // Another process may have made it meanwhile.
        if CompiledSource.isSound(entry) { return nil }
        cache.remove(key)
        return try CompiledSource.compile(source, targets, to: entry)
      }
      Console.note("\(source.path): compiled for \(devices.joined(separator: ", ")), and kept for the next time")
    } catch {
      guard error.id == "runtime.cache" else { throw error }
      failure = error
    }
    if let failure {
      Console.note("\(failure.message): what is compiled is not kept")
      (folder, path, time) = try CompiledSource.temporary(source, targets)
    } else {
      (folder, path, time) = (nil, entry, made)
    }
  }

  private static func temporary(
    _ source: ModelSource,
    _ targets: [String]
  ) throws(Diagnostic) -> (Temporary, String, Duration) {
    let folder = try Temporary()
    let path = "\(folder.path)/model.mlmodelc"
    return (folder, path, try compile(source, targets, to: path))
  }

  private static func compile(
    _ source: ModelSource,
    _ targets: [String],
    to path: String
  ) throws(Diagnostic) -> Duration {
    let start = ContinuousClock.now
    _ = try source.compile(to: path, targets: targets)
    return ContinuousClock.now - start
  }

  /// Whether a whole package stands there, every file as it was written.
  private static func isSound(_ path: String) -> Bool {
    do throws(Diagnostic) {
      let package = try PackageReader(path: path, memory: PackageCache.memory)
      for file in package.manifest.files { _ = try package.open(file) }
      return true
    } catch { return false }
  }
}

extension ModelSource {
  /// SHA-256 of the program as it was read, with its names and weights, whatever file it is from, and of how it asks
  /// to be compiled.
  fileprivate var contentDigest: String {
    let text = ProgramText(program.withoutFiles)
    var hash = SHA256()
    hash.update(text.text)
    if avoidsWinograd { hash.update("no winograd") }
    // Programs that are alike may be of models that are not, and the package says of which.
    if let structure = program.structure?.storedText { hash.update(structure) }
    for blob in text.blobs { blob.withBytes { hash.update($0) } }
    return hash.hexDigest
  }
}
