import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import TestSupport
import Testing

/// `while_loop` as generated code, beside the interpreter.
@Suite struct LoopTests {
  private func play(_ function: Function, _ inputs: [Tensor]) throws -> [Tensor] {
    try function.verify()
    let expected = try Interpreter(function).run(inputs)
    for name in ["x86-64-v2", "host"] {
      let results = try CompiledRunner(DeviceSet([name]).devices[0]).run(function, [inputs, inputs])
      for (result, reference) in zip(results.joined(), expected + expected) {
        let problem = disagreement(result, reference, rtol: 1e-5, atol: 1e-6)
        #expect(problem == nil, "on \(name): \(problem ?? "")")
      }
    }
    return expected
  }

  /// A loop over a counter that begins with 0, as long as it is less than `limit`; `body` gives the next of `values`.
  private func loop(
    _ builder: inout Builder,
    below limit: ValueID,
    _ values: [(initial: ValueID, type: TensorType)],
    _ body: (inout Builder, [ValueID]) throws -> [ValueID]
  ) throws -> [ValueID] {
    let counter = TensorType(.int32, [Dim]())
    let inputs = [("i", counter)] + values.enumerated().map { ("v\($0)", $1.type) }
    let head = builder.beginBlock(inputs: inputs)
    let cond = builder.endBlock(yielding: [try builder(Less(), head[0], limit)])
    let inner = builder.beginBlock(inputs: inputs)
    let next = try builder(Add(), inner[0], builder.constant(.scalar(.int32, 1)))
    let rest = try body(&builder, Array(inner.dropFirst()))
    let block = builder.endBlock(yielding: [next] + rest)
    let start = builder.constant(.scalar(.int32, 0))
    return Array(try builder.append(WhileLoop(), [[start] + values.map(\.initial)], blocks: [cond, block]).dropFirst())
  }

  /// Fibonacci's numbers: each value becomes the other one.
  @Test(arguments: [0, 1, 2, 9]) func valuesChangePlaces(_ rounds: Int) throws {
    var builder = Builder()
    let limit = builder.input("limit", TensorType(.int32, [Dim]()))
    let (a, b) = (builder.constant(.scalar(.int32, 0)), builder.constant(.scalar(.int32, 1)))
    let type = TensorType(.int32, [Dim]())
    let results = try loop(&builder, below: limit, [(a, type), (b, type)]) { builder, values in
      [values[1], try builder(Add(), values[0], values[1])]
    }
    let function = builder.finish([("a", results[0]), ("b", results[1])])
    let numbers = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55]
    let expected = [numbers[rounds], numbers[rounds + 1]].map { Tensor.scalar(.int32, Double($0)) }
    #expect(try play(function, [Tensor(.int32, [], [rounds])]) == expected)
  }

  /// A power of a matrix: the body reads a constant, an input and what was computed before the loop.
  @Test(arguments: [0, 1, 5]) func productsInTheBody(_ rounds: Int) throws {
    var builder = Builder()
    let limit = builder.input("limit", TensorType(.int32, [Dim]()))
    let x = builder.input("x", TensorType(.float32, ["n", 6]))
    let weight = builder.constant(Tensor([6, 6], floats: (0..<36).map { Float($0 % 7 - 3) / 8 }))
    let before = try builder(Sigmoid(), x)
    let results = try loop(&builder, below: limit, [(x, TensorType(.float32, ["n", 6]))]) { builder, values in
      let product = try builder(MatMul(), values[0], weight)
      return [try builder(Relu(), try builder(Add(), try builder(Add(), product, before), x))]
    }
    let function = builder.finish([("y", try builder(Add(), results[0], before))])
    let data = Tensor([3, 6], floats: (0..<18).map { Float($0) / 9 - 1 })
    _ = try play(function, [Tensor(.int32, [], [rounds]), data])
  }

  /// A value that grows by a row each round.
  @Test(arguments: [0, 1, 7]) func valuesGrow(_ rounds: Int) throws {
    var builder = Builder()
    let limit = builder.input("limit", TensorType(.int32, [Dim]()))
    let x = builder.input("x", TensorType(.float32, [1, 3]))
    let results = try loop(&builder, below: limit, [(x, TensorType(.float32, ["rows", 3]))]) { builder, values in
      var sum = ReduceSum()
      (sum.axes, sum.keepDims) = ([0], true)
      let row = try builder(Add(), x, try builder(sum, values[0]))
      return [try builder.append(Concat(axis: 0), [[values[0], row]])[0]]
    }
    let function = builder.finish([("y", try builder(Neg(), results[0]))])
    let expected = try play(function, [Tensor(.int32, [], [rounds]), Tensor([1, 3], floats: [1, -2, 0.5])])
    #expect(expected[0].shape == [rounds + 1, 3])
  }

  /// Rounds of rounds.
  @Test func loopsInLoops() throws {
    var builder = Builder()
    let limit = builder.input("limit", TensorType(.int32, [Dim]()))
    let x = builder.input("x", TensorType(.float32, [4]))
    let type = TensorType(.float32, [4])
    let results = try loop(&builder, below: limit, [(x, type)]) { builder, outer in
      let inner = try loop(&builder, below: limit, [(outer[0], type)]) { builder, values in
        [try builder(Add(), values[0], outer[0])]
      }
      return [try builder(Sub(), inner[0], x)]
    }
    let function = builder.finish([("y", results[0])])
    _ = try play(function, [Tensor(.int32, [], [3]), Tensor([4], floats: [1, 2, -1, 0])])
  }

  /// Rows that the body writes into a carried value and reads nowhere else stay where they are; a value that is read
  /// too, or whose scatter is read, is copied from round to round.
  @Test(arguments: [("alone", 1), ("read", 0), ("twice", 0)]) func scattersStayInPlace(_ form: String, _ count: Int)
    throws
  {
    var builder = Builder()
    let limit = builder.input("limit", TensorType(.int32, [Dim]()))
    let x = builder.input("x", TensorType(.float32, [3]))
    let rows = builder.constant(Tensor([5, 3], floats: [Float](repeating: 0.5, count: 15)))
    let types = [(x, TensorType(.float32, [3])), (rows, TensorType(.float32, [5, 3]))]
    let results = try loop(&builder, below: limit, types) { builder, values in
      let next = try builder(Add(), values[0], x)
      var sum = ReduceSum()
      sum.axes = [0]
      let one = builder.constant(Tensor(.int32, [1, 1], [form == "alone" ? 3 : 1]))
      let written = form == "read" ? try builder(Add(), next, try builder(sum, values[1])) : next
      let row = try builder(ExpandDims([0]), written)
      let scattered = try builder(ScatterNd(mode: .add), values[1], one, row)
      return [form == "twice" ? try builder(Add(), next, try builder(sum, scattered)) : next, scattered]
    }
    let function = builder.finish([("y", results[0]), ("z", try builder(Neg(), results[1]))])
    let data = Tensor([3], floats: [1, -2, 0.5])
    for rounds in [0, 1, 4] { _ = try play(function, [Tensor(.int32, [], [rounds]), data]) }
    var inPlace = 0
    for step in try KernelProgram.lowering(function).steps {
      if case .loop(let loop) = step { inPlace += loop.carried.count { $0.state == $0.next } }
    }
    #expect(inPlace == count)
  }

  /// What outgrows the limit of tensors that nothing bounds is a fault, not a store past the end. A round begins only
  /// if there is room for what it computes, here twice as much as it is given.
  @Test func sizesBeyondTheLimitAreRefused() throws {
    var builder = Builder()
    let limit = builder.input("limit", TensorType(.int32, [Dim]()))
    let x = builder.input("x", TensorType(.float32, [1]))
    let results = try loop(&builder, below: limit, [(x, TensorType(.float32, ["rows"]))]) { builder, values in
      [try builder.append(Concat(axis: 0), [[values[0], values[0]]])[0]]
    }
    let function = builder.finish([("y", results[0])])
    let runner = try CompiledRunner(DeviceSet(["host"]).devices[0])
    let x1 = Tensor([1], floats: [1])
    #expect(try runner.run(function, [[Tensor(.int32, [], [19]), x1]])[0][0].shape == [1 << 19])
    let error = #expect(throws: Diagnostic.self) { try runner.run(function, [[Tensor(.int32, [], [20]), x1]]) }
    #expect(error?.id == "runtime.size", "\(String(describing: error))")
  }
}
