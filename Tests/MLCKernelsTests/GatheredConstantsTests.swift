import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import MLCTargetC
import TestSupport
import Testing

@Suite struct GatheredConstantsTests {
  private let table = Tensor([50, 8], floats: (0..<400).map { Float($0) })

  /// How many constants are gathered from in a function of a table and indices.
  private func count(_ body: (inout Builder, ValueID, ValueID) throws -> ValueID) throws -> Int {
    try lowered(50, body).gatheredConstants.count
  }

  private func lowered(_ indices: Int, _ body: (inout Builder, ValueID, ValueID) throws -> ValueID) throws
    -> KernelProgram
  {
    var builder = Builder()
    let ids = builder.input("ids", TensorType(.int32, [indices]))
    let output = try body(&builder, builder.constant(table), ids)
    var program = try KernelProgram.lowering(builder.finish([("y", output)]))
    program.fuse(for: CTarget.v3)
    return program
  }

  @Test func rowsThatDataChoosesAreGathered() throws {
    #expect(try count { b, table, ids in try b(Gather(), table, ids) } == 1)
    #expect(try count { b, table, ids in try b(Exp(), try b(Gather(), table, ids)) } == 1)
  }

  @Test func whatIsReadWholeIsNot() throws {
    #expect(try count { b, table, ids in try b(Exp(), table) } == 0)
    #expect(try count { b, table, ids in try b(Add(), try b(Gather(), table, ids), table) } == 0)
  }

  @Test(arguments: [(5, 5 * 4 + 2 * 160), (100, 100 * 4 + 1600 + 3200)]) func onlyRowsThatAreReadCount(
    indices: Int,
    bytes: Int
  ) throws {
    let program = try lowered(indices) { b, table, ids in try b(Gather(), table, ids) }
    var total: Dim = 0
    KernelProgram.forEachKernel(program.steps) { total = total + $0.bytes(in: program) }
    #expect(total == Dim(bytes))
  }
}
