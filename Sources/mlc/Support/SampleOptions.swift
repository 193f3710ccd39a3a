import ArgumentParser
import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX
import MLCPackage
import MLCTensorIO

/// What models are tried on.
struct SampleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Inputs: an archive, or a folder with input_0.pb … (or with test_data_set_… folders).",
      valueName: "FILE.npz|DIR"
    ),
    completion: .file()
  )
  var inputs: String?

  @Option(
    help: ArgumentHelp(
      "What the outputs shall be: an archive, or a folder with output_0.pb ….",
      valueName: "FILE.npz|DIR"
    ),
    completion: .file()
  )
  var expected: String?

  @Option(help: "Seed of generated inputs.") var seed: UInt64 = 0
  @OptionGroup var sizes: SizeOptions

  /// The cases to play, and what was chosen for them.
  func samples(for function: Function) throws(Diagnostic) -> Samples {
    guard let inputs else {
      if expected != nil {
        throw Diagnostic(
          "verify.inputs",
          "--expected needs --inputs: outputs of random inputs are not known",
          kind: .usage
        )
      }
      let choice = try SizeChoice(function, wanted: try sizes.byName())
      let generator = InputGenerator(function, sizes: choice.byName, seed: seed)
      let tensors = try generator.inputs()
      let drawn = tensors.indices.map { index in
        (function[function.inputs[index]].name, "\(tensors[index].type)", generator.domain(index))
      }
      return Samples(cases: [.init("seed \(seed)", inputs: tensors)], sizes: choice.byName, drawn: drawn)
    }
    if !sizes.sizes.isEmpty {
      throw Diagnostic("size.unused", "--size is for generated inputs; --inputs has its sizes", kind: .usage)
    }
    var cases: [VerificationCase] = []
    for folder in try sets(inputs) {
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
      if expected != nil && sample.expected.allSatisfy({ $0 == nil }) {
        throw Diagnostic("verify.expected", "there is no output of the model in it", at: Location(file: answers))
      }
      if sample.expected.allSatisfy({ $0 == nil }) { sample.expected = [] }
      cases.append(sample)
    }
    return Samples(cases: cases, sizes: sizesBound(function, cases.first?.inputs ?? []), drawn: [])
  }

  /// The numbers that the inputs give to bare names.
  private func sizesBound(_ function: Function, _ inputs: [Tensor]) -> [String: Int] {
    var sizes: [String: Int] = [:]
    for (value, tensor) in zip(function.inputs, inputs) {
      for (dim, extent) in zip(function.type(value).shape, tensor.shape) {
        if let name = dim.symbol { sizes[name] = extent }
      }
    }
    return sizes
  }

  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// `path` itself, or the `test_data_set_…` folders in it.
  private func sets(_ path: String) throws(Diagnostic) -> [String] {
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

/// Cases, and in words what was drawn for them.
struct Samples {
  var cases: [VerificationCase]
  var sizes: [String: Int]
  /// Input, type, domain.
  var drawn: [(String, String, String)]
}
