import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import MLCTargetC
import TestSupport
import Testing

/// What the verifier of kernel programs refuses, by hand-made programs each with one thing wrong.
@Suite struct KernelVerifierTests {
  private static let i = Index.axis(0), j = Index.axis(1)

  /// `x[rows, columns]` given, `y[rows, columns]` wanted.
  private func program(_ rows: Dim = 4, _ columns: Dim = 3) -> (KernelProgram, x: TensorID, y: TensorID) {
    var program = KernelProgram()
    program.symbols = rows.symbols.union(columns.symbols).sorted()
    let x = program.add(KernelTensor("x", .float32, [rows, columns], .input(0)))
    let y = program.add(KernelTensor("y", .float32, [rows, columns], .output(0)))
    return (program, x, y)
  }

  /// `to[store] = from[load]` over loops of `extents`.
  private func copy(
    _ from: TensorID,
    _ to: TensorID,
    _ extents: [Dim],
    load: [Index] = [i, j],
    store: [Index] = [i, j],
    condition: Scalar? = nil
  ) -> KernelProgram.Step {
    let element = Scalar.load(param: 0, load)
    let value = condition.map { .select($0, element, .constant(0, .float32)) } ?? element
    let nest = LoopNest(
      extents.enumerated().map { Axis($0, $1) },
      [.store(param: 1, index: store, axes: [], value: value)]
    )
    return .kernel(Kernel("copy", [.init(from, .read), .init(to, .write)], .loopNest(nest), origins: []))
  }

  private func problem(_ program: KernelProgram) -> String? {
    do throws(Diagnostic) {
      _ = try program.verify(after: "a test")
      return nil
    } catch { return error.description }
  }

  private func expect(_ program: KernelProgram, refusedWith text: String, _ place: SourceLocation = #_sourceLocation) {
    let problem = problem(program)
    #expect(problem?.contains(text) == true, "\(problem ?? "accepted")", sourceLocation: place)
    #expect(problem?.contains("[kernel.invalid]") == true, sourceLocation: place)
  }

  private static let shapes: [(Dim, Dim)] = [(4, 3), ("n", 3), ("n", "m"), (2 * "n" + 1, "m"), (0, 3)]

  @Test(arguments: shapes) func aCopyHolds(_ sizes: (Dim, Dim)) throws {
    var (program, x, y) = program(sizes.0, sizes.1)
    program.symbols = ["n", "m"]
    program.steps = [copy(x, y, [sizes.0, sizes.1])]
    #expect(try program.verify(after: "a test").unproven.isEmpty)
    let turned = Index.dim(sizes.0 - 1) + Self.i * -1
    program.steps = [copy(x, y, [sizes.0, sizes.1], load: [turned, Self.j])]
    #expect(try program.verify(after: "a test").unproven.isEmpty)
  }

  @Test(arguments: [Dim(4), Dim.symbol("n")]) func storesStayWithin(_ rows: Dim) {
    var (program, x, y) = program(rows, 3)
    program.steps = [copy(x, y, [rows, 3], store: [Self.i + .constant(1), Self.j])]
    expect(program, refusedWith: "stores to 'y'")
    program.steps = [copy(x, y, [rows + 1, 3], load: [.constant(0), Self.j])]
    expect(program, refusedWith: "stores to 'y'")
  }

  @Test(arguments: [Dim(4), Dim.symbol("n")]) func loadsStayWithin(_ rows: Dim) {
    var (program, x, y) = program(rows, 3)
    for index in [Self.i + .constant(1), Self.i * 2, Self.i + .constant(-1)] {
      program.steps = [copy(x, y, [rows, 3], load: [index, Self.j])]
      expect(program, refusedWith: "loads from 'x'")
    }
    program.steps = [copy(x, y, [rows, 3], load: [Self.j, Self.i])]
    expect(program, refusedWith: "loads from 'x'")
  }

  @Test(arguments: [Dim(4), Dim.symbol("n")]) func guardsKeepLoadsWithin(_ rows: Dim) throws {
    var (program, x, y) = program(rows, 3)
    let before = Self.i + .constant(-1)
    let inside = Scalar.inside([(index: before, extent: rows)])
    program.steps = [copy(x, y, [rows, 3], load: [before, Self.j], condition: inside)]
    #expect(try program.verify(after: "a test").unproven.isEmpty)
    let turned = Index.dim(rows - 1) + before * -1
    program.steps = [copy(x, y, [rows, 3], load: [turned, Self.j], condition: inside)]
    #expect(try program.verify(after: "a test").unproven.isEmpty)
    program.steps = [copy(x, y, [rows, 3], load: [before + .constant(2), Self.j], condition: inside)]
    expect(program, refusedWith: "loads from 'x'")
  }

  @Test func dividedIndicesAreTriedAtEveryPosition() throws {
    var (program, x, y) = program(4, 3)
    let linear = Self.i * 3 + Self.j
    let rows = linear.dividedFloor(by: 3)
    program.steps = [copy(x, y, [4, 3], load: [rows, linear.modulo(3)])]
    #expect(try program.verify(after: "a test").unproven.isEmpty)
    program.steps = [copy(x, y, [4, 3], load: [linear.dividedFloor(by: 2), linear.modulo(3)])]
    expect(program, refusedWith: "loads from 'x'")
    program.steps = [copy(x, y, [4, 3], load: [rows, linear.modulo(4)])]
    expect(program, refusedWith: "loads from 'x'")
  }

  @Test(arguments: [Dim(4), Dim.symbol("n")]) func everyElementIsWrittenOnce(_ rows: Dim) throws {
    var (program, x, y) = program(rows, 3)
    program.steps = [copy(x, y, [rows, 2])]
    expect(program, refusedWith: "not every element")
    let rest = copy(x, y, [rows, 1], store: [Self.i, Self.j + .constant(2)])
    program.steps.append(rest)
    #expect(try program.verify(after: "a test").unproven.isEmpty)
    program.steps = [copy(x, y, [rows, 2]), copy(x, y, [rows, 2], store: [Self.i, Self.j + .constant(1)])]
    expect(program, refusedWith: "more than once")
    program.steps = [copy(x, y, [rows, 3]), copy(x, y, [rows, 3])]
    expect(program, refusedWith: "written already")
    program.steps = [copy(x, y, [rows, 3, 2])]
    expect(program, refusedWith: "once for each step of loop 2")
    program.steps = []
    expect(program, refusedWith: "before anything is written")
  }

  @Test func interleavedStoresCoverByCount() throws {
    var (program, x, y) = program(4, 3)
    let even = copy(x, y, [2, 3], store: [Self.i * 2, Self.j])
    program.steps = [even, copy(x, y, [2, 3], store: [Self.i * 2 + .constant(1), Self.j])]
    #expect(try program.verify(after: "a test").unproven.isEmpty)
    program.steps = [even, even]
    expect(program, refusedWith: "not every element")
  }

  @Test func tensorsAreReadAfterTheyAreWritten() throws {
    var (program, x, y) = program()
    let t = program.add(KernelTensor("t", .float32, [4, 3], .temporary))
    program.steps = [copy(x, t, [4, 3]), copy(t, y, [4, 3])]
    #expect(try program.verify(after: "a test").unproven.isEmpty)
    program.steps = [copy(t, y, [4, 3]), copy(x, t, [4, 3])]
    expect(program, refusedWith: "reads 't' before anything is written to it")
  }

  @Test func bothSidesOfABranchWrite() throws {
    var (program, x, y) = program()
    let condition = program.add(KernelTensor("c", .bool, [], .input(1)))
    let whole = copy(x, y, [4, 3])
    program.steps = [.branch(condition: condition, then: [whole], otherwise: [whole])]
    #expect(try program.verify(after: "a test").unproven.isEmpty)
    program.steps = [.branch(condition: condition, then: [whole], otherwise: [])]
    expect(program, refusedWith: "before anything is written")
  }

  @Test func lateSizesAreSetBeforeTheyAreUsed() throws {
    var (program, x, y) = program("late", 3)
    program[x].shape = [4, 3]
    program.symbols = []
    program.lateSymbols = [.init("late", bound: 4)]
    let number = program.add(KernelTensor("n", .int64, [1], .input(1)))
    program.steps = [.bindSize("late", from: number), copy(x, y, ["late", 3])]
    #expect(try program.verify(after: "a test").unproven.isEmpty)
    program.steps = program.steps.reversed()
    expect(program, refusedWith: "uses the size 'late' before it is set")
    program.lateSymbols = [.init("late", bound: 5)]
    program.steps = program.steps.reversed()
    expect(program, refusedWith: "loads from 'x'")
  }

  @Test func inputsAndConstantsAreNotWritten() {
    var (program, x, y) = program()
    program.steps = [copy(y, x, [4, 3])]
    expect(program, refusedWith: "not its to write")
  }

  @Test func whatIsWrittenHasOneName() {
    var (program, x, y) = program(1, 3)
    let other = program.add(KernelTensor("z", .float32, [3, 1], .alias(of: y)))
    program.steps = [copy(x, y, [1, 3]), copy(other, y, [1, 3])]
    expect(program, refusedWith: "as two parameters")
  }

  @Test func contractionsAgreeWithTheirOperands() throws {
    var (program, x, y) = program(4, 3)
    let w = program.add(KernelTensor("w", .float32, [3, 3], .input(1)))
    func matmul(_ m: Dim, _ n: Dim, _ k: Dim, _ output: [Index], epilogue: Scalar = .accumulator) -> [KernelProgram
      .Step]
    {
      let product = Matmul(
        batch: [],
        m: Axis(0, m),
        n: Axis(1, n),
        k: Axis(2, k),
        lhs: .init(0, [.axis(0), .axis(2)]),
        rhs: .init(1, [.axis(2), .axis(1)]),
        output: .init(2, output),
        epilogue: epilogue
      )
      let params: [Kernel.Param] = [.init(x, .read), .init(w, .read), .init(y, .write)]
      return [.kernel(Kernel("matmul", params, .matmul(product), origins: []))]
    }
    program.steps = matmul(4, 3, 3, [.axis(0), .axis(1)])
    #expect(try program.verify(after: "a test").unproven.isEmpty)
    for (m, n, k, text) in [(5, 3, 3, "stores to 'y'"), (4, 4, 3, "'w'"), (4, 3, 4, "loads from 'x'")] {
      program.steps = matmul(Dim(m), Dim(n), Dim(k), [.axis(0), .axis(1)])
      #expect(problem(program)?.contains("matmul") == true, "\(text)")
    }
    program.steps = matmul(4, 3, 3, [.axis(0), .axis(2)])
    expect(program, refusedWith: "uses loop 2 outside of it")
    program.steps = matmul(
      4,
      3,
      3,
      [.axis(0), .axis(1)],
      epilogue: .accumulator + .load(param: 1, [.axis(0), .axis(1)])
    )
    expect(program, refusedWith: "loads from 'w'")
    program.steps = matmul(3, 3, 3, [.axis(0), .axis(1)])
    expect(program, refusedWith: "not every element")
  }
}

/// Sizes that a model leaves open although its kernels fit some only.
@Suite struct SizeRequirementTests {
  private func requirements(_ body: (inout Builder) throws -> ValueID) throws -> [SizeRequirement] {
    var builder = Builder()
    let y = try body(&builder)
    var program = try KernelProgram.lowering(builder.finish([("y", y)]))
    try program.optimize(for: CTarget.v3, verifyingEach: true)
    return program.requirements
  }

  @Test func piecesOfAnOpenAxisRequireIt() throws {
    let found = try requirements { b in
      let x = b.input("x", TensorType(.float32, ["n", 3]))
      return try b.append(Split(axis: 0, sizes: [1, 3]), [[x]])[1]
    }
    for n in 0..<4 { #expect(!found.allSatisfy { $0.holds(["n": n]) }, "\(n)") }
    #expect(found.allSatisfy { $0.holds(["n": 4]) })
  }

  @Test func contractionsOfOpenDepthRequireIt() throws {
    let found = try requirements { b in
      let x = b.input("x", TensorType(.float32, [2, "k"]))
      return try b(MatMul(), x, b.constant(Tensor(.float32, [3, 4], [Double](repeating: 1, count: 12))))
    }
    #expect(found.allSatisfy { $0.holds(["k": 3]) })
    for k in [0, 1, 2, 4] { #expect(!found.allSatisfy { $0.holds(["k": k]) }, "\(k)") }
  }

  @Test func broadcastsOfOpenSizesRequireThem() throws {
    let found = try requirements { b in
      let x = b.input("x", TensorType(.float32, ["n", 3]))
      return try b(Add(), x, b.input("y", TensorType(.float32, [4, 3])))
    }
    for n in [0, 2, 3, 5, 8] { #expect(!found.allSatisfy { $0.holds(["n": n]) }, "\(n)") }
    for n in [1, 4] { #expect(found.allSatisfy { $0.holds(["n": n]) }, "\(n)") }
  }

  @Test func everyAxisOfAGatherRequiresItsOwn() throws {
    let found = try requirements { b in
      let x = b.input("x", TensorType(.float32, ["n", 3, "m"]))
      return try b(GatherAlongAxis(axis: 1), x, b.input("i", TensorType(.int32, [5, 2, 7])))
    }
    for (n, m) in [(5, 7), (6, 9)] { #expect(found.allSatisfy { $0.holds(["n": n, "m": m]) }, "\(n), \(m)") }
    for (n, m) in [(4, 7), (5, 6), (0, 7), (5, 0)] {
      #expect(!found.allSatisfy { $0.holds(["n": n, "m": m]) }, "\(n), \(m)")
    }
  }

  /// A program's text may say that an extent is a number where it follows from the inputs.
  @Test func recordedExtentsAreRequired() throws {
    let text = """
      program { func @main(%x: fp32[n, m]) -> ("y" = %y) {
      %y = reduce_argmax(x = %x) {axis = 1, output_dtype = int64} : int64[2] } }
      """
    let function = try ProgramText(text: text, blobs: []).program(named: OperatorSet.named).main
    var program = try KernelProgram.lowering(function)
    try program.optimize(for: CTarget.v3, verifyingEach: true)
    for n in [0, 1, 3, 8] { #expect(!program.requirements.allSatisfy { $0.holds(["n": n, "m": 4]) }, "\(n)") }
    #expect(program.requirements.allSatisfy { $0.holds(["n": 2, "m": 4]) })
  }

  @Test func groupsOfOpenChannelsAgreeWithTheirWeight() throws {
    let found = try requirements { b in
      let x = b.input("x", TensorType(.float32, [1, "c", 5, 5]))
      var op = ConvTranspose()
      op.groups = 2
      return try b(op, x, b.input("w", TensorType(.float32, ["d", 2, 3, "k"])))
    }
    for (c, d, k) in [(4, 4, 3), (2, 2, 1)] { #expect(found.allSatisfy { $0.holds(["c": c, "d": d, "k": k]) }) }
    for (c, d, k) in [(28, 7, 14), (4, 2, 3), (3, 3, 3), (4, 4, 0)] {
      #expect(!found.allSatisfy { $0.holds(["c": c, "d": d, "k": k]) }, "\(c), \(d), \(k)")
    }
  }

  @Test func partsOfAConcatAgreeInTheOtherAxes() throws {
    let found = try requirements { b in
      let x = b.input("x", TensorType(.float32, ["n", 3]))
      return try b.append(Concat(axis: 1), [[x, b.input("y", TensorType(.float32, ["m", 3]))]])[0]
    }
    #expect(found.allSatisfy { $0.holds(["n": 3, "m": 3]) })
    #expect(!found.allSatisfy { $0.holds(["n": 3, "m": 2]) })
    #expect(!found.allSatisfy { $0.holds(["n": 2, "m": 3]) })
  }

  @Test func sizesThatAlwaysFitRequireNothing() throws {
    let found = try requirements { b in
      let x = b.input("x", TensorType(.float32, ["n", "m"]))
      let y = try b(Transpose([1, 0]), try b(Softmax(), x))
      return try b(ReduceSum(), try b.append(Concat(axis: 0), [[y, y]])[0])
    }
    #expect(found.isEmpty, "\(found)")
  }
}
