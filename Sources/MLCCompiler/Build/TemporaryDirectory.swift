import Foundation
import MLCCore

/// A folder for intermediate files, beside the result so that finished files can be renamed into it.
struct TemporaryDirectory {
  let path: String

  /// Throws `file.write` when it cannot be made.
  init(beside result: String) throws(Diagnostic) {
    let parent = URL(filePath: result).absoluteURL.deletingLastPathComponent().path()
    path = "\(parent).mlc-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) } catch {
      throw Diagnostic("file.write", "cannot write in '\(parent)': \(error.localizedDescription)", kind: .environment)
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
