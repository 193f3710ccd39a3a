import MLCCore
import MLCKernels
import MLCTargetC
import Testing

/// Vectors of doubles, of int32 and of int64 hold what vectors of floats hold.
@Suite struct LaneTypeTests {
  typealias T = NestCase
  static let types: [DType] = [.float32, .float64, .int32, .int64, .uint32, .uint64]

  private static func load(_ p: Int, _ axes: Int...) -> Scalar { .load(param: p, axes.map { .axis($0) }) }

  private func play(_ cases: [NestCase]) throws {
    for device in CompileAndRun.devices { for test in cases { try test.check(on: device, tolerance: 1e-6) } }
  }

  /// `value` stored at `[i]`, `n` of them.
  private func map(_ name: String, _ inputs: [DType], to type: DType, _ value: Scalar, _ n: Int) -> NestCase {
    let tensors = (inputs + [type]).map { T.tensor($0, [Dim(n)]) }
    let nest = LoopNest([Axis(0, Dim(n))], [.store(param: inputs.count, index: [.axis(0)], axes: [], value: value)])
    return NestCase(name: name, tensors: tensors, nest: nest, fill: { p, i in Double((i * 37 + p * 11) % 23 + 1) })
  }

  /// Along the loop that is reduced and across it, at lengths with and without a tail.
  @Test func reductions() throws {
    var cases: [NestCase] = []
    for type in Self.types {
      for r in [LoopNest.Reduction.sum, .product, .max, .min] {
        for (n, m) in [(3, 5), (19, 130)] {
          for (axis, other) in [(1, 0), (0, 1)] {
            let extents = [Dim(n), Dim(m)]
            let stages: [LoopNest.Stage] = [
              .reduce(r, axes: [Axis(axis, extents[axis])], value: Self.load(0, 0, 1)),
              .store(param: 1, index: [.axis(other)], axes: [], value: .stage(0)),
            ]
            cases.append(
              NestCase(
                name: "\(r)_\(type)_\(axis)",
                tensors: [T.tensor(type, extents), T.tensor(type, [extents[other]])],
                nest: LoopNest([Axis(other, extents[other])], stages),
                fill: { _, i in i % 17 == 5 ? 2 : 1 }
              )
            )
          }
        }
      }
    }
    try play(cases)
  }

  @Test func arithmetic() throws {
    let (x, y) = (Self.load(0, 0), Self.load(1, 0))
    var cases: [NestCase] = []
    for type in Self.types {
      cases.append(map("arithmetic_\(type)", [type, type], to: type, x * y + y * y - y, 45))
      if type == .uint32 || type == .uint64 { continue }
      let chosen = Scalar.select(.compare(.less, x, y), .unary(.neg, x), .binary(.max, y, .number(7, type)))
      cases.append(map("chosen_\(type)", [type, type], to: type, .binary(.min, chosen, .unary(.abs, x - y)), 45))
      cases.append(map("order_\(type)", [type, type], to: .bool, .compare(.greaterEqual, x, y), 45))
      cases.append(map("place_\(type)", [type], to: type, x + .index(.axis(0) * Dim(3), type), 45))
    }
    for f in [Scalar.Unary.sqrt, .rsqrt, .inverse, .floor, .ceil, .round, .trunc] {
      let half = Scalar.unary(f, x * .number(0.25, .float64))
      cases.append(map("\(f)", [.float64], to: .float64, half, 45))
    }
    for f in [Scalar.Unary.isNaN, .isInf] {
      let broken = Scalar.select(.compare(.less, x, y), .number(f == .isNaN ? .nan : -.infinity, .float64), x)
      cases.append(map("\(f)", [.float64, .float64], to: .bool, .unary(f, broken), 45))
    }
    try play(cases)
  }

  @Test func casts() throws {
    var cases: [NestCase] = []
    for from in Self.types + [.int8, .uint8, .bool] {
      for to in Self.types + [.bool] {
        cases.append(map("\(from)_\(to)", [from], to: to, .cast(Self.load(0, 0), to), 37))
      }
    }
    try play(cases)
  }

  /// No product of tensors is left to one element at a time, whatever its type.
  @Test(arguments: types) func contractionsHaveVectors(type: DType) throws {
    let extents: [Dim] = [20, 30, 40]
    let nest = LoopNest(
      [Axis(0, extents[0]), Axis(1, extents[2])],
      [
        .reduce(.sum, axes: [Axis(2, extents[1])], value: Self.load(0, 0, 2) * Self.load(1, 2, 1)),
        .store(param: 2, index: [.axis(0), .axis(1)], axes: [], value: .stage(0)),
      ]
    )
    var program = KernelProgram()
    let shapes = [[extents[0], extents[1]], [extents[1], extents[2]], [extents[0], extents[2]]]
    let tensors = shapes.map { program.add(T.tensor(type, $0)) }
    let params = tensors.enumerated().map { Kernel.Param($1, $0 == 2 ? .write : .read) }
    let kernel = Kernel("product", params, .loopNest(nest), origins: [])
    for device in CompileAndRun.devices {
      let code = LoopNestEmitter(kernel, in: program, on: device).emit(nest).source("kernel")
      #expect(code.contains("i1 + VL <= hi; i1 += VL"), "\(code)")
    }
    let fill: (Int, Int) -> Double = { p, i in Double((i * 7 + p) % 5) }
    try play([NestCase(name: "product_\(type)", tensors: shapes.map { T.tensor(type, $0) }, nest: nest, fill: fill)])
  }
}
