import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGraph
import MLCKernels
import MLCRuntime
import TestSupport
import Testing

/// Published models and architecture graphs compiled for every x86-64 level that this CPU runs, against the reference
/// interpreter and against what ONNX Runtime answered.
@Suite(.serialized) struct CompiledModelTests {
  private static let isThere = Corpus.exists(Corpus.golden)

  @Test(.enabled(if: isThere, "no recorded answers in .cache: run 'make corpora'"))
  func everyTargetAgrees() throws {
    var problems: [String] = []
    for model in RealModel.all {
      do throws(Diagnostic) { problems += try play(model, precision: .fp32) } catch {
        problems.append("\(model.name): \(error)")
      }
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test(.enabled(if: isThere, "no recorded answers in .cache: run 'make corpora'"))
  func halfPrecisionKeepsTheSignal() throws {
    var problems: [String] = []
    for model in RealModel.all {
      do throws(Diagnostic) { problems += try play(model, precision: .fp16) } catch {
        problems.append("\(model.name): \(error)")
      }
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  private enum Precision { case fp32, fp16 }

  /// Convolutional nets must reach 90 dB in fp32, those with matrix products and recurrences 80 dB, all 40 dB in fp16.
  private func floor(_ model: RealModel, _ precision: Precision) throws(Diagnostic) -> Double {
    if precision == .fp16 { return 40 }
    let operations = try model.function().body.operations
    return operations.contains { ["matmul", "linear", "lstm", "gru"].contains($0.name) } ? 80 : 90
  }

  private func play(_ model: RealModel, precision: Precision) throws(Diagnostic) -> [String] {
    let function = try model.function()
    var compiled = function
    if precision == .fp16 {
      for hazard in try HalfPrecision().apply(to: &compiled).kept { print("\(model.name) stays fp32: \(hazard)") }
    }
    var options = CompileOptions()
    let devices = DeviceSet.catalog.filter { CPU.obstacle(isa: $0.isa, requires: $0.requires) == nil }.map { $0.name }
    options.targets = precision == .fp16 ? Array(devices.suffix(1)) : devices
    let path = FileManager.default.temporaryDirectory.appending(path: "mlc-\(model.name)-\(UUID()).mlmodelc").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try Compiler(options).compile(Program([compiled]), to: path)
    let least = try floor(model, precision)
    var problems: [String] = []
    for device in options.targets {
      var wanted = Model.Options()
      wanted.device = device
      let loaded = try Model.load(path: path, drivers: [try CPUDriver(threads: 2)], options: wanted)
      for name in model.caseNames {
        let found = try failures(model, name, function, loaded, precision, least)
        problems += found.map { "\(model.name)/\(name) on \(device): \($0)" }
      }
    }
    return problems
  }

  private func failures(
    _ model: RealModel,
    _ name: String,
    _ function: Function,
    _ loaded: Model,
    _ precision: Precision,
    _ least: Double
  ) throws(Diagnostic) -> [String] {
    let given = try model.tensors("\(name).inputs.npz")
    let answers = try model.tensors("\(name).expected.npz")
    let inputs = function.inputs.compactMap { given[function[$0].name] }
    let reference = try Interpreter(function).run(inputs)
    let results = try loaded.predict(inputs)
    var problems: [String] = []
    for (index, output) in function.outputNames.enumerated() {
      let tolerance = Tolerance(relative: 1e-3, absolute: 1e-4)
      let comparison = try Comparison(expected: reference[index], actual: results[index], tolerance: tolerance)
      if comparison.signalToNoise < least {
        problems.append(
          "'\(output)': \(comparison.signalToNoise) dB against the interpreter; at least \(least) is wanted"
        )
      }
      guard precision == .fp32, let answer = answers[output] else { continue }
      if let problem = disagreement(results[index], answer, rtol: 1e-3, atol: 1e-4) {
        problems.append("'\(output)' and ONNX Runtime: \(problem)")
      }
    }
    return problems
  }
}
