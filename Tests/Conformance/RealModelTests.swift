import Foundation
import MLCCore
import MLCGraph
import MLCImportONNX
import MLCTensorIO
import TestSupport
import Testing

/// Published models and architecture graphs on the interpreter, against what ONNX Runtime answered.
@Suite struct RealModelTests {
  /// Every output of every recorded case, and every shape that inference promised on the way.
  @Test func interpreterAgrees() throws {
    try RealModel.requireAll()
    var problems: [String] = []
    for model in RealModel.all {
      do throws(Diagnostic) {
        let function = try model.function()
        try function.verify()
        for name in model.caseNames {
          let start = ContinuousClock.now
          problems += try failures(model, name, function)
          print("\(model.name)/\(name): \(ContinuousClock.now - start)")
        }
      } catch { problems.append("\(model.name): \(error)") }
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  /// Sizes inside a model follow from the sizes of its inputs, except those that depend on data.
  @Test func shapesFollowFromInputs() throws {
    try RealModel.requireAll()
    var problems: [String] = []
    for model in RealModel.all {
      let function = try model.function()
      let known = function.inputs.reduce(into: Set<String>()) { names, id in
        for extent in function.type(id).shape { names.formUnion(extent.symbols) }
      }
      for value in function.values {
        let own = Set(value.fact.shape.flatMap { $0.symbols }).subtracting(known)
        if !own.isEmpty, !model.dataDependentSizes {
          problems.append("\(model.name): \(value.name) \(value.fact.type)")
        }
      }
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  private func failures(_ model: RealModel, _ name: String, _ function: Function) throws(Diagnostic) -> [String] {
    let given = try model.tensors("\(name).inputs.npz")
    let expected = try model.tensors("\(name).expected.npz")
    var inputs: [Tensor] = []
    for id in function.inputs {
      guard let tensor = given[function[id].name] else { return ["\(model.name): no input '\(function[id].name)'"] }
      inputs.append(tensor)
    }
    let run = try AuditedRun(function, inputs)
    var problems = run.broken.prefix(4).map { "\(model.name)/\(name): \($0)" }
    for (output, result) in zip(function.outputNames, run.outputs) {
      guard let wanted = expected[output] else {
        problems.append("\(model.name)/\(name): ONNX Runtime has no output '\(output)'")
        continue
      }
      if let problem = disagreement(result, wanted, rtol: 1e-3, atol: 1e-4) {
        problems.append("\(model.name)/\(name): '\(output)' \(problem)")
      }
    }
    return problems
  }
}
