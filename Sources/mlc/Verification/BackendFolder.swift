import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX
import MLCPackage

/// ONNX' backend tests in a folder of the user's: folders, at any depth up to `deepest`, with a `model.onnx` and
/// `test_data_set_…` folders of `input_0.pb`, `output_0.pb` ….
struct BackendFolder {
  private static let deepest = 4
  let path: String
  /// Folders of cases from `path` on, sorted; `.` is `path` itself.
  let cases: [String]

  /// Throws `file.missing`, `verify.onnx-tests` where there is no case.
  init(_ path: String) throws(Diagnostic) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Diagnostic("file.missing", "there is no file or folder '\(path)'")
    }
    (self.path, cases) = (path, isFolder.boolValue ? BackendFolder.found(in: path, "", depth: 0) : [])
    if cases.isEmpty {
      let message = "there is no folder with a model.onnx and test_data_set_… folders in it"
      throw Diagnostic("verify.onnx-tests", message, at: Location(file: path))
    }
  }

  private static func found(in root: String, _ place: String, depth: Int) -> [String] {
    let folder = place.isEmpty ? root : "\(root)/\(place)"
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    if names.contains("model.onnx") { return [place.isEmpty ? "." : place] }
    if depth == deepest { return [] }
    return names.flatMap { found(in: root, place.isEmpty ? $0 : "\(place)/\($0)", depth: depth + 1) }
  }

  /// Plays case `name` on the interpreter, or on code for `targets`; a finding for each that ran it.
  func play(_ name: String, on targets: [String]?, _ limits: Limits, _ asked: Tolerance?) -> [BackendFinding] {
    let folder = "\(path)/\(name)"
    do throws(Diagnostic) {
      var findings: [BackendFinding] = []
      let tolerance = asked ?? BackendFolder.tolerance(folder)
      for set in try SampleFiles(folder).setNames() {
        let (source, sample) = try loaded(folder, set, limits)
        for executor in try executors(source, targets) {
          var finding = BackendFinding(name: name, set: sample.name, target: executor.name)
          finding.compare(executor, sample, tolerance)
          findings.append(finding)
        }
      }
      return findings
    } catch { return [BackendFinding(name: name, set: "", target: "", problem: error)] }
  }

  /// The model, and what a set gives it. Parameters that mlc needs to be constants, which these cases give as inputs,
  /// have the set's values.
  private func loaded(_ folder: String, _ set: String, _ limits: Limits) throws(Diagnostic)
    -> (ModelSource, VerificationCase)
  {
    let path = "\(folder)/model.onnx"
    let budget = limits.budget(for: path)
    var (program, names, vectors): (Program?, [String], Bool?) = (nil, [], nil)
    while program == nil {
      do throws(Diagnostic) {
        program = try ONNXImporter.read(path, budget: budget) { (model) throws(Diagnostic) in
          names = model.graph.requiredInputs.map { $0.name }
          guard let vectors else { return }
          var given: [Tensor?] = []
          for index in names.indices { given.append(try BackendFolder.tensor(set, "input", index)) }
          model.graph.fixParameters(given, vectors: vectors)
        }
      } catch {
        guard error.id == "onnx.not-constant", vectors != true else { throw error }
        vectors = vectors == nil ? false : true
      }
    }
    let source = ModelSource(path: path, program: program ?? Program([]), budget: budget)
    var sample = VerificationCase(URL(filePath: set).lastPathComponent, inputs: [])
    for port in source.program.main.inputPorts {
      let index = names.firstIndex(of: port.name)
      guard let index, let tensor = try BackendFolder.tensor(set, "input", index) else {
        let message = "nothing is given for input '\(port.name)', \(port.type)"
        throw Diagnostic("input.missing", message, at: Location(file: set))
      }
      sample.inputs.append(try InputFiles.fitted(tensor.bits(as: port.type.dtype), to: port, from: set))
    }
    for index in source.program.main.outputNames.indices {
      sample.expected.append(try BackendFolder.tensor(set, "output", index))
    }
    if sample.expected.allSatisfy({ $0 == nil }) {
      throw Diagnostic("verify.expected", "there is no output of the model in it", at: Location(file: set))
    }
    return (source, sample)
  }

  private static func tensor(_ set: String, _ stem: String, _ index: Int) throws(Diagnostic) -> Tensor? {
    let file = "\(set)/\(stem)_\(index).pb"
    return FileManager.default.fileExists(atPath: file) ? try ONNXTensorFile.read(file).tensor : nil
  }

  private func executors(_ source: ModelSource, _ targets: [String]?) throws(Diagnostic) -> [Executor] {
    guard let targets else {
      return [Runnable.reference(source.program, budget: source.budget, exposesStates: true).executor]
    }
    return try VerifyTargets(
      source,
      compiled: nil,
      wanted: targets,
      threads: nil,
      demands: PackageDemands(),
      cache: nil
    ).executors
  }

  /// The suite's, 10⁻³ relative, for bfloat16 2⁻⁶, and 10⁻⁷ absolute, unless the case says others in its `data.json`.
  private static func tolerance(_ folder: String) -> Tolerance {
    struct Form: Decodable {
      var rtol: Double?, atol: Double?
    }
    let data = FileManager.default.contents(atPath: "\(folder)/data.json")
    let form = data.flatMap { try? JSONDecoder().decode(Form.self, from: $0) }
    return Tolerance(relative: form?.rtol ?? 1e-3, absolute: form?.atol ?? 1e-7)
  }
}

/// What became of one set of a case on one target.
struct BackendFinding {
  var name: String, set: String, target: String
  /// Which numbers differ, or why it was not played.
  var difference: String?
  var problem: Diagnostic?

  /// Whether mlc says that it does not take the model.
  var isRefused: Bool { problem?.kind == .unsupported }
  var outcome: String { isRefused ? "refused" : problem == nil && difference == nil ? "pass" : "FAIL" }

  fileprivate mutating func compare(_ executor: Executor, _ sample: VerificationCase, _ tolerance: Tolerance) {
    do throws(Diagnostic) {
      for (index, (expected, actual)) in zip(sample.expected, try executor.run(sample.inputs)).enumerated() {
        guard let expected = expected?.bits(as: actual.dtype) else { continue }
        var allowed = expected.dtype.isFloat ? tolerance : .exact
        if expected.dtype == .bfloat16 { allowed.relative = max(allowed.relative, 0x1p-6) }
        let comparison = try Comparison(expected: expected, actual: actual, tolerance: allowed)
        guard !comparison.passed else { continue }
        difference = "output \(index): \(comparison.failures.of("element")) of \(comparison.count) out of tolerance"
        return
      }
    } catch { problem = error }
  }
}

extension Tensor {
  /// This, or where it is `uint16` and `dtype` bfloat16, its bits: early packages wrote that as numbers.
  fileprivate func bits(as dtype: DType) -> Tensor {
    self.dtype == .uint16 && dtype == .bfloat16 ? reinterpreted(as: dtype) : self
  }
}
