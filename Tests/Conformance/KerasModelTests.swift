import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportKeras
import MLCKernels
import MLCPasses
import MLCRuntime
import MLCTargetC
import MLCTensorIO
import TestSupport
import Testing

/// Keras models, as `.h5` and as `.keras`, on the interpreter and on a level of this CPU, against what Keras answered.
/// They take the levels in turn: what operators mean on each of them the operator suite plays.
@Suite(.serialized) struct KerasModelTests {
  @Test func everyExecutorAgrees() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-keras-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var models: [KerasModel] = []
    if let other = ProcessInfo.processInfo.environment["MLC_KERAS_MODELS"] {
      models = KerasModel.all(in: other)
    } else {
      try KerasModel.unpack(to: folder)
      models = KerasModel.all(in: folder.path())
    }
    var (problems, refused): ([String], [String]) = ([], [])
    for (number, model) in models.enumerated() {
      do throws(Diagnostic) {
        let device = DeviceSet.here[number % DeviceSet.here.count].name
        problems += try play(model, device).map { "\(model.name): \($0)" }
      } catch {
        if error.id == "keras.unsupported" {
          refused.append("\(model.name): \(error.notes.joined(separator: "; "))")
        } else {
          problems.append("\(model.name): \(error)")
        }
      }
    }
    print("\(models.count) Keras models: \(refused.count) with other layers")
    print("\(models.count - refused.count) compared, \(problems.count) problems")
    for line in refused { print("refused \(line)") }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    #expect(refused.isEmpty || ProcessInfo.processInfo.environment["MLC_KERAS_MODELS"] != nil, "\(refused)")
    #expect(models.count >= 100)
  }

  /// Attention under masks of keys, of the author and of causality: scores, softmax and sum are one kernel for each
  /// layer.
  @Test func maskedAttentionIsOneKernel() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-keras-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try KerasModel.unpack(to: folder)
    for name in ["multi_head_mask", "multi_head_masked", "multi_head_masked_blocks"] {
      let model = KerasModel(name: "k3/\(name)", folder: folder.path())
      var function = try model.function("keras")
      try PassPipeline.standard.run(&function)
      var families: [String] = []
      KernelProgram.forEachKernel(try KernelProgram.optimized(function, for: CTarget.v3).steps) {
        families.append($0.family)
      }
      #expect(families.count { $0.hasSuffix("attention") } == 2, "\(families)")
      #expect(!families.contains { $0.contains("softmax") }, "\(families)")
    }
  }

  /// Each weight that Keras trains is a constant of the program, and no other is said to learn.
  @Test func trainedWeightsAreConstants() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-keras-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try KerasModel.unpack(to: folder)
    var count = 0
    for model in KerasModel.all(in: folder.path()) {
      for suffix in ["h5", "keras"] {
        let training = try KerasTraining.read("\(folder.path())/\(model.name).\(suffix)", helper: KerasModel.helper)
        let function = try model.function(suffix)
        let constants = function.body.operations.filter { $0.op is Const }.map { function[$0.outputs[0]].name }
        let missing = training.weights.subtracting(constants)
        #expect(missing.isEmpty, "\(model.name).\(suffix): \(missing.sorted())")
        count += training.weights.count
      }
    }
    #expect(count >= 1000)
  }

  /// A published model of Keras 2.0.5, against what tf-keras answers.
  @Test func publishedModelAgrees() throws {
    try Corpus.require(Self.emotion)
    let record = Corpus.testFolder.deletingLastPathComponent().appending(path: "Corpora/keras/fer.npz").path()
    let tensors = Dictionary(uniqueKeysWithValues: try NPZ.read(record).map { ($0.name, $0.tensor) })
    let (input, answer) = (try #require(tensors["in_0"]), try #require(tensors["out_0"]))
    let function = try KerasImporter.read(Self.emotion, helper: KerasModel.helper).main
    try function.verify()
    var problems = compare(try Interpreter(function).run([input]), [answer], "the interpreter")
    problems += try compileAndPlay(function, [input], [answer], "hdf5", on: DeviceSet.here.map { $0.name })
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }
  private static let emotion = Corpus.folder + "/models/fer-emotion.hdf5"

  private func play(_ model: KerasModel, _ device: String) throws(Diagnostic) -> [String] {
    let (inputs, answers) = (try model.tensors("in"), try model.tensors("out"))
    var problems: [String] = []
    var compiled: String?
    for suffix in ["h5", "keras"] {
      let function = try model.function(suffix)
      try function.verify()
      let run = try AuditedRun(function, inputs)
      problems += run.broken.prefix(4)
      problems += compare(run.outputs, answers, "\(suffix) on the interpreter")
      // Both files give one program; it is compiled once. Where they do not, each is.
      let text = ProgramText(Program([function])).text
      if text != compiled { problems += try compileAndPlay(function, inputs, answers, suffix, on: [device]) }
      compiled = text
    }
    return problems
  }

  private func compare(_ results: [Tensor], _ answers: [Tensor], _ place: String) -> [String] {
    guard results.count == answers.count else { return ["\(place): \(results.count) outputs, not \(answers.count)"] }
    return zip(results, answers).enumerated().compactMap { index, pair in
      disagreement(pair.0, pair.1, rtol: 1e-4, atol: 1e-5).map { "\(place): output \(index) \($0)" }
    }
  }

  private func compileAndPlay(
    _ function: Function,
    _ inputs: [Tensor],
    _ answers: [Tensor],
    _ suffix: String,
    on devices: [String]
  ) throws(Diagnostic) -> [String] {
    let compiled = try CompiledPackage(Program([function]), for: devices)
    var problems: [String] = []
    for device in devices {
      let results = try compiled.model(on: device).predict(inputs)
      problems += compare(results, answers, "\(suffix) on \(device)")
    }
    return problems
  }
}
