import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import MLCPasses
import Testing

/// Two branches, one of them around a block that reads a value from outside.
private let branches = """
  program {
  func @main(%x: fp32[n, 4], %p: bool[]) -> ("y" = %y, "z" = %s) {
    %c = const {val = fp32[](2.0)}
    %s = sin(x = %x)
    %t = tanh(x = %x)
    %u = add(x = %t, y = %c)
    %d = cond(pred = %p) {
      true_branch() {
        %f = exp(x = %s)
        %g = mul(x = %f, y = %c)
      } yield (%g)
      false_branch() {
      } yield (%s)
    }
    %e = cos(x = %d)
    %v = add(x = %e, y = %u)
    %y = neg(x = %v)
  }
  }
  """

@Suite struct FunctionResumingTests {
  private let function: Function
  private let inputs: [Tensor]

  init() throws {
    function = try ProgramText(text: branches, blobs: []).program(named: OperatorSet.named).main
    inputs = [Tensor(.float32, [2, 4], (0..<8).map { Double($0) / 3 }), Tensor(.bool, [], [1])]
  }

  /// What each operation makes.
  private func values() throws -> [ValueID: Tensor] {
    let values = Values()
    _ = try Interpreter(function).run(inputs) { operation, results in
      for (id, tensor) in zip(operation.outputs, results) { values.all[id] = tensor }
    }
    return values.all
  }

  /// With one operation in float16 the outputs are the same, bit for bit, and what comes before it is not there.
  @Test func outputsAreTheSame() throws {
    let known = try values()
    let names = function.body.operations.map { function[$0.outputs[0]].name }
    for (name, absent) in [("v", ["cond", "sin", "tanh", "cos"]), ("e", ["cond", "tanh"]), ("t", ["cond", "cos"])] {
      let half = try CastToFp16(keeping: Set(names).subtracting([name])).converted(function).function
      let rest = half.resuming(at: known)
      #expect(try Interpreter(rest).run(inputs) == Interpreter(half).run(inputs), "\(name)")
      #expect(Set(absent).isDisjoint(with: rest.body.operations.map { $0.name }), "\(name)")
    }
  }

  @Test func whatIsUnknownRuns() throws {
    var known = try values()
    #expect(function.resuming(at: known).body.operations.allSatisfy { $0.op is Const })
    #expect(function.resuming(at: [:]).body.operations.map { $0.name } == function.body.operations.map { $0.name })
    let tanh = try #require(function.body.operations.first { $0.name == "tanh" })
    known[tanh.outputs[0]] = nil
    // Whatever follows from it is made again.
    let rest = function.resuming(at: known).body.operations.filter { !($0.op is Const) }.map { $0.name }
    #expect(rest == ["tanh", "add", "add", "neg"])
    #expect(try Interpreter(function.resuming(at: known)).run(inputs) == Interpreter(function).run(inputs))
  }
}

private final class Values {
  var all: [ValueID: Tensor] = [:]
}
