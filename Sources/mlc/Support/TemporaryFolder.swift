import Foundation
import MLCCore

/// A folder for packages that nobody keeps; gone with its last user.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws(Diagnostic) {
    path = FileManager.default.temporaryDirectory.appending(path: "mlc-\(UUID().uuidString)").path()
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw Diagnostic("file.write", "cannot write in '\(path)': \(error.localizedDescription)", kind: .environment)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
