import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX
import MLCKernels
import MLCPasses
import MLCTargetC
import TestSupport
import Testing

/// ONNX' own backend tests with extents of their inputs left open, each a size of its own: right or refused. All
/// extents and half of them take turns.
@Suite struct OpenBackendTests {
  @Test(arguments: [(chance: 1.0, place: 0), (0.5, 1)])
  func openSizes(_ chance: Double, _ place: Int) throws {
    try Corpus.require(Corpus.cases)
    var (generator, played, problems) = (SeededNumbers(seed: UInt64(place) + 1), 0, [String]())
    let cases = Turns.cases(try ONNXBackendTests.expectedPasses(), on: place, of: 2)
    for item in cases.map({ BackendCase(name: $0) }) {
      do throws(Diagnostic) {
        if let problem = try item.problem(openBy: chance, &generator) { problems.append("\(item.name): \(problem)") }
        played += 1
      } catch {
        if error.kind == .bug { problems.append("\(item.name): \(error)") }
      }
    }
    #expect(problems.isEmpty, "\(problems.count) of \(played):\n\(problems.joined(separator: "\n"))")
    #expect(played > cases.count * 4 / 5, "\(played)")
  }
}

extension BackendCase {
  /// What is wrong with the model when each extent of its inputs is open by `chance`. Throws what refuses it.
  fileprivate func problem(openBy chance: Double, _ generator: inout SeededNumbers) throws(Diagnostic) -> String? {
    let (function, inputs) = try imported { model in
      for place in model.graph.outputs.indices { model.graph.outputs[place].type = nil }
      model.graph.valueInfo = []
      for place in model.graph.inputs.indices {
        guard let type = model.graph.inputs[place].type else { continue }
        let shape = type.shape.enumerated().map { axis, extent in
          Double.random(in: 0..<1, using: &generator) < chance ? Dim.symbol("n\(place)_\(axis)") : extent
        }
        model.graph.inputs[place].type = TensorType(type.dtype, shape)
      }
    }
    try function.verify()
    let run = try AuditedRun(function, inputs)
    let expected = try expected(function)
    if let wrong = run.broken.first ?? mismatch(run.outputs, expected) { return wrong }
    var sizes: [String: Int] = [:]
    for (value, tensor) in zip(function.inputs, inputs) {
      for (extent, number) in zip(function.type(value).shape, tensor.shape) { extent.symbol.map { sizes[$0] = number } }
    }
    var compiled = function
    var options = PassOptions()
    options.verifies = true
    try PassPipeline.standard.run(&compiled, options: options)
    let program = try KernelProgram.optimized(compiled, for: CTarget.v3, verifyingEach: true)
    let broken = program.requirements.filter { !$0.holds(sizes) }
    return broken.isEmpty ? nil : "its own sizes \(sizes) are refused: \(broken)"
  }
}
