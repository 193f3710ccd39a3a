import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import MLCTargetC
import TestSupport
import Testing

/// A contraction of which only a part is used: kernels stay within their tensors, whatever part it is.
@Suite struct ContractionPartsTests {
  private static let contractions = ["matmul", "batched", "runtime", "linear", "attention"]
  private static let betweens = ["none", "relu", "transpose"]
  private static let parts = ["prefix", "suffix", "column", "first", "last", "nd", "split", "one"]

  /// A product `[2, rows, 4]`, or `[rows, 4]`.
  private func contraction(_ name: String, _ rows: Dim, _ b: inout Builder) throws -> ValueID {
    func weight(_ shape: [Int]) -> ValueID {
      b.constant(Tensor(.float32, shape, [Double](repeating: 0.5, count: shape.reduce(1, *))))
    }
    switch name {
    case "matmul": return try b(MatMul(), b.input("x", TensorType(.float32, [rows, 9])), weight([9, 4]))
    case "linear":
      return try b(Linear(), b.input("x", TensorType(.float32, [rows, 9])), weight([4, 9]), weight([4]))
    case "runtime":
      let x = b.input("x", TensorType(.float32, [rows, 9]))
      return try b(MatMul(), x, b.input("w", TensorType(.float32, [9, 4])))
    case "batched":
      let x = b.input("x", TensorType(.float32, [2, rows, 9]))
      return try b(MatMul(), x, b.input("w", TensorType(.float32, [2, 9, 4])))
    default:
      let x = b.input("x", TensorType(.float32, [2, rows, 4]))
      return try b(ScaledDotProductAttention(), x, x, x)
    }
  }

  private func part(_ name: String, of y: ValueID, _ b: inout Builder) throws -> ValueID {
    let rank = b.fact(y).rank
    func numbers(_ values: [Int]) -> ValueID { b.constant(Tensor(.int64, [values.count], values)) }
    func slice(_ axis: Int, _ begin: Int, _ end: Int) throws -> ValueID {
      var (low, high) = ([Int](repeating: 0, count: rank), [Int](repeating: Int(Int32.max), count: rank))
      (low[axis], high[axis]) = (begin, end)
      return try b(SliceByIndex(), y, numbers(low), numbers(high))
    }
    switch name {
    case "prefix": return try slice(rank - 2, 0, 2)
    case "suffix": return try slice(rank - 2, -2, Int(Int32.max))
    case "column": return try slice(rank - 1, 0, 3)
    case "first": return try b(Gather(axis: rank - 2), y, b.constant(Tensor(.int64, [], [0])))
    case "last": return try b(Gather(axis: rank - 2), y, b.constant(Tensor(.int64, [], [-1])))
    case "nd": return try b(GatherNd(), y, b.constant(Tensor(.int64, [1, 1], [0])))
    case "one": return try slice(0, 0, 1)
    default: return try b.append(Split(axis: rank - 1, sizes: [1, b.fact(y).shape.last!.constant! - 1]), [[y]])[0]
    }
  }

  @Test(arguments: contractions, [Dim(5), Dim.symbol("n")]) func kernelsStayWithin(_ contraction: String, _ rows: Dim)
    throws
  {
    var problems: [String] = []
    for between in Self.betweens {
      for part in Self.parts {
        var b = Builder()
        var y = try self.contraction(contraction, rows, &b)
        let rank = b.fact(y).rank
        if between == "relu" { y = try b(Relu(), y) }
        if between == "transpose" { y = try b(Transpose(rank == 2 ? [1, 0] : [1, 0, 2]), y) }
        let columns = b.fact(y).shape.last!.constant
        if part == "split" && columns == nil { continue }
        y = try self.part(part, of: y, &b)
        do throws(Diagnostic) {
          var program = try KernelProgram.lowering(b.finish([("y", y)]))
          try program.optimize(for: CTarget.v3, verifyingEach: true)
        } catch { problems.append("\(contraction) \(between) \(part): \(error)") }
      }
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }
}
