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
    var model = try ONNXReader.read(path, budget: budget)
    let given = try ONNXValueFile.values(set, "input", model.graph.requiredInputs)
    let importer = ONNXImporter(file: path, bindings: ONNXValueFile.bindings(given), budget: budget)
    let program = try BackendFolder.program(&model, given, importer)
    let source = ModelSource(path: path, program: program, budget: budget)
    let ports = (inputs: program.main.inputPorts, outputs: program.main.outputPorts)
    var sample = VerificationCase(URL(filePath: set).lastPathComponent, inputs: [])
    let rest = given.filter { model.graph.initializers[$0.info.name] == nil }
    let inputs = try ONNXValueFile.tensors(of: rest, ports: ports.inputs.map { ($0.name, $0.type) })
    for (port, tensor) in zip(ports.inputs, inputs) {
      guard let tensor else {
        let message = "nothing is given for input '\(port.name)', \(port.type)"
        throw Diagnostic("input.missing", message, at: Location(file: set))
      }
      sample.inputs.append(try InputFiles.fitted(tensor.bits(as: port.type.dtype), to: port, from: set))
    }
    let outputs = try ONNXValueFile.values(set, "output", model.graph.outputs)
    sample.expected = try ONNXValueFile.tensors(of: outputs, ports: ports.outputs.map { ($0.name, $0.type) })
    if sample.expected.allSatisfy({ $0 == nil }) {
      throw Diagnostic("verify.expected", "there is no output of the model in it", at: Location(file: set))
    }
    return (source, sample)
  }

  /// The program, with as many of `given` as constants as it takes.
  private static func program(_ model: inout ONNXModel, _ given: [ONNXValueFile.Named], _ importer: ONNXImporter)
    throws(Diagnostic) -> Program
  {
    for vectors in [false, true] {
      do throws(Diagnostic) { return try importer.program(model) } catch {
        guard error.id == "onnx.not-constant" else { throw error }
        model.graph.fixParameters(given, vectors: vectors)
      }
    }
    return try importer.program(model)
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
