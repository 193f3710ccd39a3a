import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import Testing

@Suite struct LayerSearchTests {
  /// `x → relu → relu → …`, every operation named after its position.
  private func chain(_ length: Int) throws -> Function {
    var builder = Builder()
    var value = builder.input("x", TensorType(.float32, [4]))
    for index in 0..<length {
      value = try builder(Relu(), value, name: "v\(index)", origin: Location(node: "Relu_\(index)", op: "Relu"))
    }
    return builder.finish([("y", value)])
  }

  /// An executor that is wrong by `error` from the value `v(first)` on.
  private func faulty(_ part: Function, from first: Int, _ error: Double) -> Executor {
    Executor("faulty") { (inputs) throws(Diagnostic) in
      try zip(part.outputNames, Interpreter(part).run(inputs)).map { name, tensor in
        let index = Int(name.dropFirst()) ?? 0
        return index < first ? tensor : Tensor(.float32, tensor.shape, tensor.doubles.map { $0 + error })
      }
    }
  }

  private let input = Tensor([4], floats: [1, 2, 3, 4])

  @Test(arguments: [0, 1, 17, 98, 99])
  func findsTheFirstWrongOperation(first: Int) throws {
    let search = LayerSearch(
      try chain(100),
      inputs: [input],
      tolerance: { _ in Tolerance(relative: 1e-3, absolute: 0) },
      compile: { (part) throws(Diagnostic) in faulty(part, from: first, 0.5) }
    )
    let (layers, culprit) = try search.run()
    #expect(culprit?.node == "Relu_\(first)")
    #expect(layers.count < 60 && layers.map { $0.position } == layers.map { $0.position }.sorted())
  }

  /// Within tolerance everywhere, the steepest fall is what is looked for.
  @Test func findsTheSteepestFall() throws {
    let search = LayerSearch(
      try chain(50),
      inputs: [input],
      tolerance: { _ in Tolerance(relative: 1, absolute: 1) },
      compile: { (part) throws(Diagnostic) in faulty(part, from: 31, 1e-4) }
    )
    #expect(try search.run().culprit?.node == "Relu_31")
  }

  @Test func namesNothingWithoutError() throws {
    let search = LayerSearch(
      try chain(9),
      inputs: [input],
      tolerance: { _ in .exact },
      compile: { (part) throws(Diagnostic) in faulty(part, from: 99, 1) }
    )
    let (layers, culprit) = try search.run()
    #expect(culprit == nil && !layers.isEmpty)
  }

  /// An error that grows by `factor` at `v10`, from rounding before it.
  private func growing(_ part: Function, by factor: Double) -> Executor {
    Executor("growing") { (inputs) throws(Diagnostic) in
      try zip(part.outputNames, Interpreter(part).run(inputs)).map { name, tensor in
        let error = 1e-6 * ((Int(name.dropFirst()) ?? 0) < 10 ? 1 : factor)
        return Tensor(.float32, tensor.shape, tensor.doubles.map { $0 * (1 + error) })
      }
    }
  }

  /// An error within tolerance is named where it is more than 64 times that of its operands.
  @Test(arguments: [(1, 1.0, nil), (1, 40, nil), (1, 100, "Relu_10"), (1e-5, 40, "Relu_10")])
  func namesWhatFailsOrStandsOut(relative: Double, factor: Double, culprit: String?) throws {
    let search = LayerSearch(
      try chain(20),
      inputs: [input],
      tolerance: { _ in Tolerance(relative: relative, absolute: 0) },
      compile: { (part) throws(Diagnostic) in growing(part, by: factor) }
    )
    #expect(try search.run().culprit?.node == culprit)
  }

  /// One element at least is out of tolerance where the ratio is below what the tolerance requires.
  @Test func requiresARatio() throws {
    let tolerance = Tolerance(relative: 9e-3, absolute: 1e-3)
    #expect(abs(tolerance.requiredSignalToNoise - 40) < 1e-9 && Tolerance.exact.requiredSignalToNoise == .infinity)
  }
}
