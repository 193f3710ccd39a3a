import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX
import MLCPackage
import MLCTensorIO

/// A model's inputs, and where they are there its outputs, in files: an archive of tensors by name, a folder with
/// `input_0.pb`, `output_0.pb` …, or a folder of such `test_data_set_…` folders.
struct SampleFiles {
  let path: String

  init(_ path: String) { self.path = path }

  /// One case for each set of inputs; what the outputs shall be is read from `expected`, else from the folder itself.
  ///
  /// Throws `file.missing`, `input.missing`, `input.unknown`, `input.shape`, `input.dtype`, `output.unknown`,
  /// `verify.expected` and what the files' readers throw.
  func cases(for function: Function, expected: String? = nil) throws(Diagnostic) -> [VerificationCase] {
    var cases: [VerificationCase] = []
    for folder in try sets() {
      let tensors = try load(folder, "input", function.inputPorts.map { $0.name })
      var sample = VerificationCase(URL(filePath: folder).lastPathComponent, inputs: [])
      for (port, tensor) in zip(function.inputPorts, tensors) {
        guard let tensor else {
          throw Diagnostic(
            "input.missing",
            "nothing is given for input '\(port.name)', \(port.type)",
            at: Location(file: folder)
          )
        }
        sample.inputs.append(try InputFiles.fitted(tensor, to: port, from: folder))
      }
      let answers = expected ?? (isFolder(folder) ? folder : nil)
      if let answers { sample.expected = try load(answers, "output", function.outputNames) }
      if sample.expected.allSatisfy({ $0 == nil }) {
        if expected != nil {
          throw Diagnostic("verify.expected", "there is no output of the model in it", at: Location(file: answers))
        }
        sample.expected = []
      }
      cases.append(sample)
    }
    return cases
  }

  /// Refuses what cannot be read, whatever the model is. Throws `file.missing` and what the files' readers throw.
  func check() throws(Diagnostic) {
    for set in try sets() where !isFolder(set) { _ = try TensorInput.read(set) }
  }

  /// The folders of the cases. Throws `file.missing`.
  func setNames() throws(Diagnostic) -> [String] { try sets() }

  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// `path` itself, or the `test_data_set_…` folders in it.
  private func sets() throws(Diagnostic) -> [String] {
    guard FileManager.default.fileExists(atPath: path) else {
      throw Diagnostic("file.missing", "there is no file or folder '\(path)'")
    }
    guard isFolder(path) else { return [path] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let sets = names.filter { $0.hasPrefix("test_data_set_") }.sorted { ($0.count, $0) < ($1.count, $1) }
    return sets.isEmpty ? [path] : sets.map { "\(path)/\($0)" }
  }

  /// A tensor for each of `names`: by name from an archive, by number (`input_0.pb`) from a folder.
  private func load(_ path: String, _ stem: String, _ names: [String]) throws(Diagnostic) -> [Tensor?] {
    var found = [Tensor?](repeating: nil, count: names.count)
    guard isFolder(path) else {
      for (name, tensor) in try TensorInput.read(path) {
        guard let index = names.firstIndex(of: name) else {
          throw Diagnostic(
            Diagnostic.ID("\(stem).unknown"),
            "the model has no \(stem) '\(name)'; its \(stem)s are \(quotedList(names))",
            kind: .usage,
            at: Location(file: path)
          )
        }
        found[index] = tensor
      }
      return found
    }
    for index in names.indices {
      let file = "\(path)/\(stem)_\(index).pb"
      guard FileManager.default.fileExists(atPath: file) else { continue }
      let (name, tensor) = try ONNXTensorFile.read(file)
      found[names.firstIndex(of: name) ?? index] = tensor
    }
    return found
  }
}
