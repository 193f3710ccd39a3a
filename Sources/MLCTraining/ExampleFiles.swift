import Foundation
import MLCCore
import MLCTensorIO

/// Examples as they lie in files: one file of tensors, or a folder of `.npy` files, each a tensor of its name, or of
/// `.npz` files, whose tensors of one name follow each other in the order of the files' names.
package enum ExampleFiles {
  /// Tensors of `.npy` files stay views of the mapped files.
  ///
  /// Throws `update.data-folder` for a folder with neither kind of files or both, and for files whose tensors do not
  /// follow each other, and what `TensorFile.read` throws.
  package static func read(_ path: String) throws(Diagnostic) -> [(name: String, tensor: Tensor)] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      return try TensorFile.read(path)
    }
    let files = try files(in: path)
    if files[0].hasSuffix(".npz") { return try joined(files) }
    var tensors: [(name: String, tensor: Tensor)] = []
    for file in files { tensors += try TensorFile.read(file) }
    return tensors
  }

  /// Numbers in names count as numbers: `part-10.npz` follows `part-9.npz`.
  private static func files(in folder: String) throws(Diagnostic) -> [String] {
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw Diagnostic("file.open", "cannot read '\(folder)': \(error.localizedDescription)", kind: .environment)
    }
    let kinds = [".npy", ".npz"].map { kind in names.filter { $0.hasSuffix(kind) && !$0.hasPrefix(".") } }
    guard let kind = kinds.first(where: { !$0.isEmpty }), kinds.contains(where: { $0.isEmpty }) else {
      let found = kinds[0].isEmpty ? "neither .npy nor .npz files" : "both .npy and .npz files"
      throw Diagnostic("update.data-folder", "the folder holds \(found)", at: Location(file: folder))
    }
    let sorted = kind.sorted { a, b in
      let order = a.compare(b, options: .numeric)
      return order == .orderedSame ? a < b : order == .orderedAscending
    }
    return sorted.map { "\(folder)/\($0)" }
  }

  private static func joined(_ files: [String]) throws(Diagnostic) -> [(name: String, tensor: Tensor)] {
    let first = try TensorFile.read(files[0])
    var parts = first.map { [$0.tensor] }
    for file in files.dropFirst() {
      let others = try TensorFile.read(file)
      func refusal(_ reason: String) -> Diagnostic {
        Diagnostic("update.data-folder", "\(reason) '\(files[0])' has", at: Location(file: file))
      }
      guard Set(others.map { $0.name }) == Set(first.map { $0.name }) else {
        throw refusal("the file does not have the tensors that")
      }
      for (place, (name, tensor)) in first.enumerated() {
        guard let next = others.first(where: { $0.name == name })?.tensor else { continue }
        guard next.follows(tensor) else {
          throw refusal("'\(name)' is \(next.type) and cannot follow \(tensor.type), which")
        }
        parts[place].append(next)
      }
    }
    return zip(first, parts).map { ($0.name, Tensor(joining: $1)) }
  }
}
