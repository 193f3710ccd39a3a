import MLCCore
import MLCGraph
import MLCOps
import Testing

/// Operators with blocks, on the interpreter.
@Suite struct RegionTests {
  /// `pred ? x + x : concat(x, x)`, where both branches use a value from outside.
  private func conditional() throws -> Function {
    var builder = Builder()
    let pred = builder.input("pred", TensorType(.bool, [Dim]()))
    let x = builder.input("x", TensorType(.float32, [2]))
    _ = builder.beginBlock()
    let sum = try builder(Add(), x, x)
    let yes = builder.endBlock(yielding: [sum])
    _ = builder.beginBlock()
    let twice = try builder.append(Concat(axis: 0), [[x, x]])[0]
    let no = builder.endBlock(yielding: [twice])
    let outputs = try builder.append(Cond(), [[pred]], names: ["y"], blocks: [yes, no])
    return builder.finish([("y", outputs[0])])
  }

  @Test func condTakesTheBranch() throws {
    let function = try conditional()
    try function.verify()
    let x = Tensor([2], floats: [1, 2])
    let yes = try Interpreter(function).run([Tensor(.bool, [], [1]), x])
    let no = try Interpreter(function).run([Tensor(.bool, [], [0]), x])
    #expect(yes == [Tensor([2], floats: [2, 4])])
    #expect(no == [Tensor([4], floats: [1, 2, 1, 2])])
  }

  @Test func condExtentsThatDifferAreSymbols() throws {
    let function = try conditional()
    #expect(function.type(function.outputs[0]).shape[0].constant == nil)
  }

  @Test func condRefusesBranchesOfDifferentTypes() throws {
    var builder = Builder()
    let pred = builder.input("pred", TensorType(.bool, [Dim]()))
    let x = builder.input("x", TensorType(.float32, [2]))
    _ = builder.beginBlock()
    let yes = builder.endBlock(yielding: [x])
    _ = builder.beginBlock()
    let whole = try builder(Cast(.int32), x)
    let no = builder.endBlock(yielding: [whole])
    let error = #expect(throws: Diagnostic.self) { try builder.append(Cond(), [[pred]], blocks: [yes, no]) }
    #expect(error?.id == "cond.dtype")
  }

  /// Doubles `x` while `i < 3`.
  @Test func whileLoopRunsUntilItsConditionFails() throws {
    var builder = Builder()
    let start = builder.constant(.scalar(.int32, 0))
    let x = builder.input("x", TensorType(.float32, [1]))
    let head = builder.beginBlock(inputs: [("i", TensorType(.int32, [Dim]())), ("v", TensorType(.float32, [1]))])
    let limit = builder.constant(.scalar(.int32, 3))
    let cond = builder.endBlock(yielding: [try builder(Less(), head[0], limit)])
    let inner = builder.beginBlock(inputs: [("i", TensorType(.int32, [Dim]())), ("v", TensorType(.float32, [1]))])
    let one = builder.constant(.scalar(.int32, 1))
    let next = try builder(Add(), inner[0], one)
    let body = builder.endBlock(yielding: [next, try builder(Add(), inner[1], inner[1])])
    let outputs = try builder.append(WhileLoop(), [[start, x]], blocks: [cond, body])
    let function = builder.finish([("i", outputs[0]), ("y", outputs[1])])
    try function.verify()
    let results = try Interpreter(function).run([Tensor([1], floats: [1.5])])
    #expect(results == [.scalar(.int32, 3), Tensor([1], floats: [12])])
  }
}
