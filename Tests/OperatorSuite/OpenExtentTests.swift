import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGraph
import MLCOps
import MLCRuntime
import MLCTargetC
import TestSupport
import Testing

/// Results whose extents only data decides, as generated code, beside the interpreter.
@Suite struct OpenExtentTests {
  private func ints(_ values: Int...) -> Tensor { Tensor(.int64, [values.count], values) }
  private func floats(_ shape: [Int]) -> Tensor {
    Tensor(shape, floats: (0..<shape.reduce(1, *)).map { Float($0 * 37 % 101) / 50 - 1 })
  }

  /// `operation` of a value `x` and integers `n`, and what follows of it, which has open extents too.
  private func function(_ x: TensorType, count: Int, _ operation: any Operator) throws -> Function {
    var builder = Builder()
    let (x, n) = (builder.input("x", x), builder.input("n", TensorType(.int64, [Dim(count)])))
    let result = try builder(operation, x, n)
    return builder.finish([("y", result), ("z", try builder(Neg(), try builder(Square(), result)))])
  }

  private func expectAgreement(_ function: Function, _ runs: [[Tensor]]) throws {
    try function.verify()
    for name in ["x86-64-v2", "host"] {
      let results = try CompiledRunner(DeviceSet([name]).devices[0]).run(function, runs)
      for (inputs, outputs) in zip(runs, results) {
        for (output, reference) in zip(outputs, try Interpreter(function).run(inputs)) {
          let problem = disagreement(output, reference, rtol: 1e-6, atol: 1e-6)
          #expect(problem == nil, "\(inputs[1]) on \(name): \(problem ?? "")")
        }
      }
    }
  }

  @Test func reshapes() throws {
    let shapes = [ints(2, -1, 10), ints(4, 0, 1), ints(1, 1, 400), ints(-1, 4, 4), ints(400, 1, -1)]
    try expectAgreement(
      try function(TensorType(.float32, [4, 100]), count: 3, Reshape()),
      shapes.map { [floats([4, 100]), $0] }
    )
    let empty = [ints(0, 7), ints(5, 0)]
    try expectAgreement(
      try function(TensorType(.float32, ["a", 3]), count: 2, Reshape(allowZero: true)),
      empty.map { [floats([0, 3]), $0] } + [[floats([2, 3]), ints(-1, 2)]]
    )
  }

  @Test func reshapesToOtherCountsAreRefused() throws {
    let function = try function(TensorType(.float32, ["a", 3]), count: 2, Reshape())
    let runner = try CompiledRunner(DeviceSet(["host"]).devices[0])
    for shape in [ints(3, 4), ints(4, -1)] {
      #expect { try runner.run(function, [[floats([2, 3]), shape]]) } throws: {
        ($0 as? Diagnostic)?.id == "runtime.size"
      }
    }
  }

  @Test(arguments: ["constant", "reflect", "replicate", "wrap"]) func pads(_ mode: String) throws {
    let amounts = [ints(2, 1, 0, 3), ints(0, 0, 0, 0), ints(-1, 2, 1, -2), ints(1, 1, 4, 4)]
    try expectAgreement(
      try function(TensorType(.float32, [3, 4, "w"]), count: 4, Pad(mode: mode)),
      amounts.map { [floats([3, 4, 5]), $0] }
    )
  }

  @Test func repeats() throws {
    try expectAgreement(
      try function(TensorType(.float32, [3, "w"]), count: 2, Tile()),
      [ints(1, 1), ints(3, 2), ints(0, 2)].map { [floats([3, 4]), $0] }
    )
  }

  /// What data decides has to be what the other operand has: it is computed where it is, and refused elsewhere.
  @Test func meetKnownExtents() throws {
    var builder = Builder()
    let (x, n) = (builder.input("x", TensorType(.float32, [4, 100])), builder.input("n", TensorType(.int64, [2])))
    let open = try builder(Reshape(), x, n)
    let joined = try builder.append(Concat(axis: 0), [[open, builder.constant(floats([1, 20]))]])[0]
    let product = try builder(MatMul(), open, builder.constant(floats([20, 3])))
    let function = builder.finish([("joined", joined), ("product", try builder(Square(), product))])
    try expectAgreement(function, [[floats([4, 100]), ints(20, 20)], [floats([4, 100]), ints(-1, 20)]])
    let runner = try CompiledRunner(DeviceSet(["host"]).devices[0])
    let error = #expect(throws: Diagnostic.self) { try runner.run(function, [[floats([4, 100]), ints(40, 10)]]) }
    #expect(error?.id == "runtime.size", "\(String(describing: error))")
  }

  /// One row repeats for none, and what was broadcast meets its operands again.
  @Test func repeatForNone() throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, ["n", 3]))
    let y = builder.input("y", TensorType(.float32, ["m", 3]))
    let sum = try builder(Add(), x, y)
    let again = try builder(Mul(), try builder(Sub(), sum, y), x)
    let function = builder.finish([("sum", sum), ("again", again)])
    #expect(Set(function.outputs.map { function.type($0).shape }).count == 1)
    let sizes = [(0, 1), (1, 0), (0, 0), (1, 1), (1, 4), (4, 1), (4, 4)]
    try expectAgreement(function, sizes.map { [floats([$0, 3]), floats([$1, 3])] })
  }

  /// Tensors of as many bytes, but of other elements, keep the limit of the wider ones' number.
  @Test func theLeastLimitOfAsManyBytesCounts() throws {
    var builder = Builder()
    let n = builder.input("n", TensorType(.int64, [1]))
    let filled = try builder(Fill(), n, builder.constant(.scalar(.float32, 2)))
    let wide = try builder(Cast(.float64), filled)
    let twice = try builder.append(Concat(axis: 0), [[filled, filled]])[0]
    let function = builder.finish([("wide", wide), ("twice", twice)])
    let runner = try CompiledRunner(DeviceSet(["host"]).devices[0])
    let half = CompiledRunner.sizeLimit / 2
    #expect(try runner.run(function, [[ints(half)]])[0][1].count == 2 * half)
    let error = #expect(throws: Diagnostic.self) { try runner.run(function, [[ints(half + 1)]]) }
    #expect(error?.id == "runtime.size", "\(String(describing: error))")
  }

  /// Four extents that nothing bounds, with the limit of elements that packages have unless they are told otherwise:
  /// memory for it is an address range, and the result has what it needs.
  @Test func manyExtentsShareOneLimit() throws {
    var builder = Builder()
    let n = builder.input("n", TensorType(.int64, [4]))
    let filled = try builder(Fill(), n, builder.constant(.scalar(.float32, 2)))
    let function = builder.finish([("y", try builder(Square(), filled))])
    let path = FileManager.default.temporaryDirectory.appending(path: "mlc-open-\(UUID().uuidString).mlmodelc").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    var options = CompileOptions()
    _ = try Compiler(options, targets: [CTarget.self]).compile(Program([function]), to: path)
    var model = try Model.load(path: path, drivers: [CPUDriver(threads: 1)])
    #expect(try model.predict([ints(1, 64, 512, 33)])[0].shape == [1, 64, 512, 33])
    #expect(try model.predict([ints(2, 1, 3, 0)])[0].shape == [2, 1, 3, 0])
    #expect(try model.predict([ints(1, 1, 1, 2)])[0] == Tensor([1, 1, 1, 2], floats: [4, 4]))
    func expectRefusal(_ shape: Tensor) {
      let error = #expect(throws: Diagnostic.self) { try model.predict([shape]) }
      #expect(error?.id == "runtime.size", "\(String(describing: error))")
    }
    for shape in [ints(-1, 1, 1, 1), ints(1 << 29, 1, 1, 1), ints(1 << 20, 1 << 20, 1 << 20, 1 << 20)] {
      expectRefusal(shape)
    }
    options.sizeLimit = 100
    _ = try Compiler(options, targets: [CTarget.self]).compile(Program([function]), to: path)
    model = try Model.load(path: path, drivers: [CPUDriver(threads: 1)])
    #expect(try model.predict([ints(1, 10, 10, 1)])[0].count == 100)
    for shape in [ints(1, 101, 1, 1), ints(1, 10, 11, 1), ints(3, 3, 3, 4)] { expectRefusal(shape) }
    #expect(try model.predict([ints(10, 10, 1, 1)])[0].count == 100)
  }
}
