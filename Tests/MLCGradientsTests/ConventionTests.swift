import MLCCore
import MLCGradients
import MLCGraph
import MLCOps
import Testing

/// What gradients are where there are several slopes, or no elements.
@Suite struct ConventionTests {
  /// The gradients of the sum of the first result by each variable.
  private func gradients(_ op: any Operator, _ operands: Tensor...) throws -> [[Double]] {
    var builder = Builder()
    let inputs = operands.map { $0.dtype.isFloat ? builder.input("v", $0.type) : builder.constant($0) }
    let result = try builder.append(op, inputs.map { [$0] })[0]
    let function = builder.finish([("y", try builder(ReduceSum(), result))])
    var differentiation = try Differentiation(function, parameters: function.inputs, result: function.outputs[0])
    let values = try differentiation.gradients(of: differentiation.value(function.outputs[0]))
    let whole = differentiation.writer.finished(values.map { ("g", $0) })
    return try Interpreter(whole).run(operands.filter { $0.dtype.isFloat }).map { $0.doubles }
  }

  private func vector(_ values: Double...) -> Tensor { Tensor(.float32, [values.count], values) }

  @Test func corners() throws {
    #expect(try gradients(Relu(), vector(-1, 0, 1)) == [[0, 0, 1]])
    #expect(try gradients(Relu6(), vector(0, 6)) == [[0, 0]])
    #expect(try gradients(LeakyRelu(alpha: 0.25), vector(0)) == [[0.25]])
    #expect(try gradients(Abs(), vector(-2, 0, 2)) == [[-1, 0, 1]])
    #expect(try gradients(Clip(alpha: -1, beta: 1), vector(-2, -1, 1, 2)) == [[0, 1, 1, 0]])
    #expect(try gradients(ReduceL2Norm(axes: [0]), vector(0, 0)) == [[0, 0]])
    #expect(try gradients(Pow(), vector(0, 0), vector(0, 2)) == [[0, 0], [0, 0]])
  }

  @Test func equalElements() throws {
    #expect(try gradients(Maximum(), vector(1, 2), vector(1, 1)) == [[0.5, 1], [0.5, 0]])
    #expect(try gradients(Minimum(), vector(1, 2), vector(1, 1)) == [[0.5, 0], [0.5, 1]])
    #expect(try gradients(ReduceMax(axes: [0]), vector(3, 1, 3)) == [[0.5, 0, 0.5]])
    #expect(try gradients(ReduceMin(axes: [0]), vector(3, 1, 1)) == [[0, 0.5, 0.5]])
    var pool = MaxPool()
    pool.kernelSizes = [3]
    #expect(try gradients(pool, Tensor(.float32, [1, 1, 4], [2.0, 5, 5, 5])) == [[0, 2, 0, 0]])
  }

  @Test func noElements() throws {
    let none = Tensor(.float32, [0, 2], [Double]())
    #expect(try gradients(Linear(), none, Tensor(.float32, [1, 2], [1.0, 2]), vector(3)) == [[], [0, 0], [0]])
    #expect(try gradients(MatMul(), none, Tensor(.float32, [2, 1], [1.0, 2])) == [[], [0, 0]])
    #expect(try gradients(Add(), none, vector(1, 2)) == [[], [0, 0]])
    #expect(try gradients(Softmax(), none) == [[]])
    let column = Tensor(.float32, [2, 0], [Double]())
    #expect(try gradients(Reshape(allowZero: true), column, Tensor.shape([0])) == [[]])
  }
}
