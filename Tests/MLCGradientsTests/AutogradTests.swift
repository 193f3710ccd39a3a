import Foundation
import MLCCore
import MLCGradients
import MLCGraph
import MLCImportONNX
import MLCOps
import MLCTensorIO
import TestSupport
import Testing

/// Nodes of ONNX, and operators that no node becomes, beside what PyTorch's autograd answered
/// (`Tests/Corpora/gradients`), in float32.
@Suite struct AutogradTests {
  private static let tolerance = 1e-4

  @Test func gradientsAreTorchs() throws {
    let archive = try ModelArchive("gradients.zip", in: "gradients")
    defer { withExtendedLifetime(archive) {} }
    let nodes = archive.names(with: ".onnx")
    #expect(nodes.count > 800)
    let said = OperatorSet.standard.filter { $0 is any Differentiable.Type || $0 is any Composite.Type }
    var unseen = Set(said.map { $0.name })
    for name in nodes + archive.names(with: ".mil") {
      let function = try Self.function(name, isNode: nodes.contains(name), archive.folder)
      unseen.subtract(function.body.operations.map { $0.name })
      let tensors = try NPZ.read(archive.folder.appending(path: "\(name).npz").path())
      func tensor(_ key: String) throws -> Tensor { try #require(tensors.first { $0.name == key }?.tensor, "\(key)") }
      let weights = try function.outputs.indices.map { try tensor("weight\($0)") }
      let loss = try Self.loss(function, weights)
      let variables = try loss.inputs.indices.map { try tensor("v\($0)") }
      let outputs = try Interpreter(function).run(variables)
      for (place, output) in outputs.enumerated() {
        let distance = Self.distance(output, try tensor("y\(place)"))
        #expect(distance <= Self.tolerance, "\(name): output \(place) is \(distance) off")
      }
      let gradients = try Interpreter(try Self.gradients(of: loss)).run(variables)
      for (place, gradient) in gradients.enumerated() {
        let distance = Self.distance(gradient, try tensor("gradient\(place)"))
        #expect(distance <= Self.tolerance, "\(name): the gradient by v\(place) is \(distance) off")
      }
    }
    #expect(unseen == Self.passing)
  }

  /// What hands its operand on, which is its whole gradient.
  private static let passing: Set<String> = ["ensure"]

  private static func function(_ name: String, isNode: Bool, _ folder: URL) throws -> Function {
    if isNode { return try ONNXImporter.read(folder.appending(path: "\(name).onnx").path()).main }
    let text = try String(contentsOf: folder.appending(path: "\(name).mil"), encoding: .utf8)
    return try ProgramText(text: text).program(named: OperatorSet.named).main
  }

  /// `Σ weights · outputs` of what `function` takes.
  private static func loss(_ function: Function, _ weights: [Tensor]) throws -> Function {
    var writer = GraphWriter(function)
    for operation in function.body.operations { try writer.keep(operation, isChanged: false) }
    var terms: [ValueID] = []
    for (output, weight) in zip(function.outputs, weights) {
      let product = try writer.apply(Mul(), output, writer.constant(weight, "weight"))
      terms.append(weight.rank == 0 ? product : try writer.apply(ReduceSum(axes: []), product))
    }
    let sum = try terms.dropFirst().reduce(terms[0]) { try writer.apply(Add(), $0, $1) }
    return writer.finished([("loss", sum)])
  }

  private static func gradients(of loss: Function) throws -> Function {
    var differentiation = try Differentiation(loss, parameters: loss.inputs, result: loss.outputs[0])
    let gradients = try differentiation.gradients(of: differentiation.value(loss.outputs[0]))
    let function = differentiation.writer.finished(gradients.enumerated().map { ("g\($0)", $1) })
    try function.verify()
    return function
  }

  /// The largest difference of elements, of the largest element.
  private static func distance(_ found: Tensor, _ expected: Tensor) -> Double {
    guard found.shape == expected.shape else { return .infinity }
    let (a, b) = (found.doubles, expected.doubles)
    let largest = b.map { abs($0) }.max() ?? 0
    let difference = zip(a, b).map { $0.isFinite ? abs($0 - $1) : .infinity }.max() ?? 0
    return difference == 0 ? 0 : difference / max(largest, 1e-6)
  }
}
