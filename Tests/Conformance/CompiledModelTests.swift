import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCRuntime
import TestSupport
import Testing

/// Published models and architecture graphs on the interpreter, against what ONNX Runtime answered and inference
/// promised; compiled for the highest level that this CPU runs and for one of the others, which take turns, against
/// both; every second one in fp16 for the highest, since what stays fp32 is found by many runs of the interpreter.
@Suite struct CompiledModelTests {
  /// Without recorded answers there are no models to play.
  @Test func modelsAreThere() throws { try RealModel.requireAll() }

  @Test(arguments: Array(RealModel.all.enumerated()).map { ($0.offset, $0.element) })
  func everyTargetAgrees(number: Int, model: RealModel) throws {
    let function = try model.function()
    try function.verify()
    let cases = try model.caseNames.map { try Case($0, model, function) }
    let levels = DeviceSet.here.map { $0.name }
    let devices = Turns.levels(levels.dropLast(), of: number) + levels.suffix(1)
    var problems = cases.flatMap { $0.problems }
    problems += try play(function, cases, devices, least: function.leastSignalToNoise, againstAnswers: true)
    if Turns.everyLevel || number.isMultiple(of: 2) {
      var half = function
      for hazard in try HalfPrecision().apply(to: &half).kept { print("\(model.name) stays fp32: \(hazard)") }
      problems += try play(half, cases, devices.suffix(1), least: 40, againstAnswers: false).map { "fp16, \($0)" }
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  /// Recorded inputs, what ONNX Runtime answered, and what the interpreter answers.
  private struct Case {
    var name: String
    var inputs: [Tensor] = [], reference: [Tensor]
    var answers: [String: Tensor]
    /// What the interpreter answers otherwise, and shapes that are not what inference promised.
    var problems: [String]

    init(_ name: String, _ model: RealModel, _ function: Function) throws(Diagnostic) {
      self.name = name
      let given = try model.tensors("\(name).inputs.npz")
      for id in function.inputs {
        guard let tensor = given[function[id].name] else {
          throw Diagnostic("test.input", "\(model.name)/\(name): no input '\(function[id].name)'", kind: .badModel)
        }
        inputs.append(tensor)
      }
      let run = try AuditedRun(function, inputs)
      reference = run.outputs
      answers = try model.tensors("\(name).expected.npz")
      problems = run.broken.prefix(4).map { "\(name): \($0)" }
      for (output, result) in zip(function.outputNames, reference) {
        let problem =
          answers[output].map { disagreement(result, $0, rtol: 1e-3, atol: 1e-4) } ?? "is no output of ONNX Runtime"
        if let problem { problems.append("\(name) on the interpreter, '\(output)': \(problem)") }
      }
    }
  }

  private func play(
    _ function: Function,
    _ cases: [Case],
    _ devices: [String],
    least: Double,
    againstAnswers: Bool
  ) throws(Diagnostic) -> [String] {
    let compiled = try CompiledPackage(Program([function]), for: devices)
    var problems: [String] = []
    for device in devices {
      let loaded = try compiled.model(on: device)
      for item in cases {
        let results = try loaded.predict(item.inputs)
        for (index, output) in function.outputNames.enumerated() {
          let place = "\(item.name) on \(device), '\(output)'"
          let found = try noise(results[index], item.reference[index])
          if found < least { problems.append("\(place): \(found) dB against the interpreter; \(least) are wanted") }
          guard againstAnswers, let answer = item.answers[output] else { continue }
          if let problem = disagreement(results[index], answer, rtol: 1e-3, atol: 1e-4) {
            problems.append("\(place) and ONNX Runtime: \(problem)")
          }
        }
      }
    }
    return problems
  }

  private func noise(_ result: Tensor, _ reference: Tensor) throws(Diagnostic) -> Double {
    let tolerance = Tolerance(relative: 1e-3, absolute: 1e-4)
    return try Comparison(expected: reference, actual: result, tolerance: tolerance).signalToNoise
  }
}

extension RealModel: CustomTestStringConvertible {
  var testDescription: String { name }
}
