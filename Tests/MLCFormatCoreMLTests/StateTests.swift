import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCOps
import Testing

/// States are inputs and outputs of the graph that belong together, and states again in a package.
@Suite struct StateTests {
  /// `acc += x; y = 2 · acc`, as coremltools wrote it.
  @Test func reads() throws {
    let main = try CoreMLPackage.read(ImportTests.fixture("mil_state.mlpackage")).main
    #expect(main.inputs.map { main[$0].name } == ["x", "acc"] && main.outputNames.count == 2)
    #expect(main.states == [State("acc", input: 1, output: 1)])
    try main.verify()
    let (x, acc) = (numbers(.float16, [1, 8]), Tensor(.float16, [1, 8], [Double](repeating: 3, count: 8)))
    let results = try Interpreter(main).run([x, acc])
    #expect(results[1].doubles == x.doubles.map { Double(Float16($0 + 3)) })
    #expect(results[0].doubles == results[1].doubles.map { $0 * 2 })
  }

  @Test func writes() throws {
    let program = try CoreMLPackage.read(ImportTests.fixture("mil_state.mlpackage"))
    let inputs = [numbers(.float16, [1, 8]), numbers(.float16, [1, 8])]
    let report = try roundTrip(program, target: .iOS18, inputs: inputs)
    #expect(report.refusals.isEmpty, "\(report.refusals)")
    #expect(try roundTrip(program, target: .iOS17, inputs: inputs).refusals.contains { $0.op == "state" })
    // Read as a stranger's, it has the same states.
    let scratch = try Scratch()
    let path = scratch.file("state.mlpackage")
    _ = try CoreMLPackage.write(program, to: path, options: .init(minimumDeploymentTarget: .iOS18))
    try forgetNote(path)
    #expect(try CoreMLPackage.read(path).main.states == program.main.states)
  }

  /// One that is only read, and one that an output shares its value with.
  @Test func writesStatesOfEveryUse() throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float16, [4]))
    let (a, b) = (builder.input("a", TensorType(.float16, [4])), builder.input("b", TensorType(.float16, [4])))
    let sum = try builder(Add(), x, a, name: "sum")
    let all = try builder(Add(), sum, b, name: "all")
    var function = builder.finish([("all", all), ("a", all), ("b", b)])
    function.states = [State("a", input: 1, output: 1), State("b", input: 2, output: 2)]
    let inputs = (0..<3).map { _ in numbers(.float16, [4]) }
    #expect(try roundTrip(Program([function]), target: .iOS18, inputs: inputs).refusals.isEmpty)
    let text = ProgramText(Program([function]))
    #expect(try text.program { OperatorSet.named($0) }.main.states == function.states)
  }

  /// `y = x > 0 ? acc += x : 2 · x`, as coremltools wrote it.
  @Test(arguments: [3.0, -3.0]) func writesInsideOfBranches(x: Double) throws {
    let main = try CoreMLPackage.read(ImportTests.fixture("mil_state_in_branch.mlpackage")).main
    try main.verify()
    let results = try Interpreter(main).run([Tensor(.float16, [1], [x]), Tensor(.float16, [1], [5])])
    #expect(main.states == [State("acc", input: 1, output: 1)])
    #expect(results.map { $0.doubles } == (x > 0 ? [[5 + x], [5 + x]] : [[2 * x], [5]]))
  }

  /// `for _ in 0..<x { acc += acc }`, in a loop.
  @Test func writesInsideOfLoops() throws {
    let main = try CoreMLPackage.read(ImportTests.fixture("mil_state_in_loop.mlpackage")).main
    try main.verify()
    let results = try Interpreter(main).run([Tensor(.float16, [1], [3]), Tensor(.float16, [1], [5])])
    #expect(results.map { $0.doubles } == [[3], [40]])
  }

  @Test func refusesStatesOutsideOfTheFunction() throws {
    let text = """
      program {
        func @main(%x: fp32[4], %a: fp32[4]) -> ("y" = %x) states("a" input 1 output 1) {
        }
      }
      """
    expectDiagnostic("text.syntax") { _ = try ProgramText(text: text).program { OperatorSet.named($0) } }
  }
}
