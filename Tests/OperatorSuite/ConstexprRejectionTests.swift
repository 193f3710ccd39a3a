import MLCCore
import MLCGraph
import MLCOps
import Testing

/// The smallest parts of compressed constants that do not fit each other.
@Suite struct ConstexprRejectionTests {
  private func reject(_ id: String, _ op: any Operator, _ inputs: [[Tensor]], computed: Bool = false) {
    var builder = Builder()
    let values = inputs.map { port in
      port.map { computed ? builder.input("x", $0.type) : builder.constant($0) }
    }
    do throws(Diagnostic) {
      try builder.append(op, values)
      Issue.record("nothing was thrown, expected \(id)")
    } catch {
      #expect(error.id.rawValue == id, "\(error)")
    }
  }

  private let scale = Tensor([1], floats: [1])

  @Test func argumentsAreConstants() {
    reject("constexpr.operand", ConstexprCast(), [[Tensor(.float16, [1], [0.0])]], computed: true)
  }

  @Test func elementTypes() {
    let wide = Tensor(.int32, [1], [1])
    reject("constexpr.dtype", ConstexprBlockwiseShiftScale(), [[wide], [scale], []])
    reject("constexpr.dtype", ConstexprBlockwiseShiftScale(), [[Tensor(.int8, [1], [1])], [wide], []])
    reject("constexpr.dtype", ConstexprLutToDense(), [[wide], [Tensor([1, 2, 1], floats: [0, 1])]])
    reject("constexpr.dtype", ConstexprSparseToDense(), [[wide], [Tensor(.uint1, [1], [1])]])
    reject("constexpr.dtype", ConstexprSparseToDense(), [[scale], [Tensor(.uint8, [1], [1])]])
    reject("constexpr.dtype", ConstexprCast(.int8), [[scale]])
  }

  @Test func blocks() {
    let data = Tensor(.int8, [3], [1, 2, 3])
    reject("constexpr.blocks", ConstexprBlockwiseShiftScale(), [[data], [Tensor([2], floats: [1, 1])], []])
    reject("constexpr.blocks", ConstexprBlockwiseShiftScale(), [[data], [Tensor([0], floats: [])], []])
    reject("constexpr.blocks", ConstexprBlockwiseShiftScale(), [[data], [Tensor([1, 1], floats: [1])], []])
    let offset = Tensor(.int8, [3], [0, 0, 0])
    reject("constexpr.blocks", ConstexprBlockwiseShiftScale(), [[data], [scale], [offset]])
  }

  @Test func palettes() {
    let indices = Tensor(.uint1, [2], [0, 1])
    reject("constexpr.palette", ConstexprLutToDense(), [[indices], [Tensor([1, 4, 1], floats: [0, 1, 2, 3])]])
    reject("constexpr.palette", ConstexprLutToDense(), [[indices], [Tensor([2, 1], floats: [0, 1])]])
    reject("constexpr.palette", ConstexprLutToDense(), [[indices], [Tensor([1, 2, 2], floats: [0, 1, 2, 3])]])
    reject("constexpr.palette", ConstexprLutToDense(), [[indices], [Tensor([1, 2, 0], floats: [])]])
    reject(
      "constexpr_lut_to_dense.axis",
      ConstexprLutToDense(vectorAxis: 1),
      [[indices], [Tensor([1, 2, 2], floats: [0, 1, 2, 3])]]
    )
  }

  @Test func masks() {
    let mask = Tensor(.uint1, [2], [1, 1])
    reject("constexpr.mask", ConstexprSparseToDense(), [[scale], [mask]])
    reject("constexpr.mask", ConstexprSparseToDense(), [[Tensor([2, 1], floats: [1, 1])], [mask]])
    reject("constexpr.mask", ConstexprSparseBlockwiseShiftScale(), [[mask], [Tensor(.int8, [1], [1])], [scale], []])
    let lut = Tensor([1, 2, 1], floats: [0, 1])
    reject("constexpr.mask", ConstexprLutToSparse(), [[mask], [Tensor(.uint1, [1], [1])], [lut]])
  }

  /// Folding and merging leave compressed constants alone, a loop expands them once.
  @Test func nestedConstantsExpandOnce() throws {
    var builder = Builder()
    let zero = builder.constant(Tensor.scalar(.int64, 0))
    let (one, three) = (builder.constant(Tensor.scalar(.int64, 1)), builder.constant(Tensor.scalar(.int64, 3)))
    let start = builder.input("x", TensorType(.float32, [2]))
    let a = builder.beginBlock(inputs: [("i", TensorType(.int64, [Int]())), ("v", TensorType(.float32, [2]))])
    let condition = builder.endBlock(yielding: [try builder(Less(), a[0], three)])
    let b = builder.beginBlock(inputs: [("j", TensorType(.int64, [Int]())), ("w", TensorType(.float32, [2]))])
    let indices = builder.constant(Tensor(.uint1, [2], [0, 1]))
    let weight = try builder(ConstexprLutToDense(), indices, builder.constant(Tensor([1, 2, 1], floats: [1, 2])))
    let body = builder.endBlock(yielding: [try builder(Add(), b[0], one), try builder(Add(), b[1], weight)])
    let loop = try builder.append(WhileLoop(), [[zero, start]], blocks: [condition, body])
    let function = builder.finish([("y", loop[1])])
    try function.verify()
    var expansions = 0
    let result = try Interpreter(function).run([Tensor([2], floats: [0, 10])]) { operation, _ in
      if operation.isConstantExpression { expansions += 1 }
    }
    #expect(result[0] == Tensor([2], floats: [3, 16]))
    #expect(expansions == 1)
  }
}
