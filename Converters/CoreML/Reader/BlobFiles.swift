import MLCCore
import Synchronization

/// The weights files beside a model, each mapped once.
final class BlobFiles: Sendable {
  private let folder: String
  private let readers = Mutex<[String: BlobReader]>([:])

  init(in folder: String) { self.folder = folder }

  /// `name` begins with `@model_path/` and stays in the folder. Throws `coreml.weights`.
  func reader(_ name: String) throws(Diagnostic) -> BlobReader {
    if let reader = readers.withLock({ $0[name] }) { return reader }
    let prefix = "@model_path/"
    guard name.hasPrefix(prefix), let path = PackagePath.resolve(String(name.dropFirst(prefix.count)), in: folder)
    else {
      throw Diagnostic("coreml.weights", "the weights file '\(name)' is not in the package")
    }
    let reader = try BlobReader(path)
    readers.withLock { $0[name] = reader }
    return reader
  }
}
