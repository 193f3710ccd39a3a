import Foundation

/// Every file below `path` with its bytes, a lone file under an empty name; `nil` when there is nothing.
package func fileTree(_ path: String) -> [String: Data]? {
  var isFolder: ObjCBool = false
  guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
  guard isFolder.boolValue else { return ["": FileManager.default.contents(atPath: path) ?? Data()] }
  var files: [String: Data] = [:]
  for case let file as String in FileManager.default.enumerator(atPath: path) ?? .init() {
    files[file] = FileManager.default.contents(atPath: "\(path)/\(file)")
  }
  return files
}
