import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import MLCTargetC
import TestSupport
import Testing

/// Which states kernels change in place.
@Suite struct StateMemoryTests {
  private static let square = TensorType(.float32, [6, 6])

  /// The states in place of a function whose first inputs are states of type `type`, and whose outputs are what `body`
  /// makes of these and of a further input, the states' next contents first.
  private func inPlace(
    _ count: Int = 1,
    _ type: TensorType = Self.square,
    _ body: (inout Builder, [ValueID], ValueID) throws -> [ValueID]
  ) throws -> [Int] {
    var builder = Builder()
    let states = (0..<count).map { builder.input("s\($0)", type) }
    let x = builder.input("x", type)
    let results = try body(&builder, states, x)
    var function = builder.finish(results.enumerated().map { ("y\($0)", $1) })
    function.states = (0..<count).map { State("s\($0)", input: $0, output: $0) }
    try function.verify()
    let placed = try PlacedProgram(function, on: [CTarget.v3], .firstThatTakes, verifyingEach: true)
    let program = placed.partition.segments[0].program
    try program.verify(after: "states")
    return program.statesInPlace
  }

  @Test func elementByElement() throws {
    let found = try inPlace { b, s, x in [try b(Add(), try b(Mul(), s[0], x), x)] }
    #expect(found == [0])
  }

  @Test func whatNothingOfTheStateIsReadFor() throws {
    let found = try inPlace { b, s, x in [try b(Tanh(), x), try b(Exp(), s[0])] }
    #expect(found == [0])
  }

  @Test func behindAProduct() throws {
    let found = try inPlace { b, s, x in [try b(Sub(), s[0], try b(MatMul(transposeX: true), x, x))] }
    #expect(found == [0])
  }

  @Test func behindAProductOfTheState() throws {
    let found = try inPlace { b, s, x in
      let gradient = try b(MatMul(transposeX: true), x, try b(MatMul(), x, s[0]))
      return [try b(Sub(), s[0], gradient)]
    }
    #expect(found == [0])
  }

  /// An epilogue of a convolution could lie over what it reads only in some strategies, so it is a kernel of its own.
  @Test func besideAConvolution() throws {
    let type = TensorType(.float32, [1, 16, 8, 8])
    let found = try inPlace(1, type) { b, s, x in
      var conv = Conv()
      conv.pad = [1, 1, 1, 1]
      let w = b.constant(Tensor(.float32, [16, 16, 3, 3], [Double](repeating: 0.5, count: 16 * 16 * 9)))
      return [try b(Add(), s[0], try b(conv, x, w))]
    }
    #expect(found == [0])
  }

  /// A sum over rows, then a column's own element.
  @Test func behindASum() throws {
    let found = try inPlace(1, TensorType(.float32, [1, 6])) { b, s, x in
      let rows = try b(ReduceSum(axes: [0], keepDims: true), try b(Mul(), b.constant(ones([6, 6])), x))
      return [try b(Sub(), s[0], rows)]
    }
    #expect(found == [0])
  }

  /// What reads a state before it changes runs first, wherever it stands.
  @Test func readLater() throws {
    let found = try inPlace(2) { b, s, x in
      let next = try b(Add(), s[0], x)
      let power = try b(MatMul(), s[0], s[0])
      return [next, try b(Add(), s[1], power), try b(MatMul(), try b(Exp(), power), s[0])]
    }
    #expect(found == [0, 1])
  }

  @Test func turned() throws {
    let found = try inPlace { b, s, x in [try b(Add(), try b(Transpose([1, 0]), s[0]), x)] }
    #expect(found == [])
  }

  @Test func shifted() throws {
    let found = try inPlace(1, TensorType(.float32, [12])) { b, s, x in [try b(Mul(), try b(Reverse([0]), s[0]), x)] }
    #expect(found == [])
  }

  @Test func byRows() throws {
    let found = try inPlace { b, s, _ in [try b(Softmax(), s[0])] }
    #expect(found == [])
  }

  @Test func operandOfItsOwnProduct() throws {
    let found = try inPlace { b, s, x in [try b(MatMul(), s[0], x)] }
    #expect(found == [])
  }

  /// Each is made of what the other was before: one can be last, the other not.
  @Test func crosswise() throws {
    let found = try inPlace(2) { b, s, x in
      [try b(Add(), try b(Mul(), s[0], x), s[1]), try b(Sub(), s[1], s[0])]
    }
    #expect(found.count == 1)
  }

  @Test func swapped() throws {
    let found = try inPlace(2) { b, s, _ in [try b(Identity(), s[1]), try b(Identity(), s[0])] }
    #expect(found.count <= 1)
  }

  private func ones(_ shape: [Int]) -> Tensor {
    Tensor(.float32, shape, [Double](repeating: 1, count: shape.reduce(1, *)))
  }
}
