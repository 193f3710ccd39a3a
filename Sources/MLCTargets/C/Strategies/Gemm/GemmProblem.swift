import MLCCore
import MLCKernels

/// A matmul as the strategies see it: `out[b…, m, n] = epilogue(Σₖ lhs[b…, m, k] · rhs[b…, k, n])`, computed in
/// float32, of bytes in int32, or of wider types in their own, every operand a strided view of a plain tensor. Code is
/// vectorised along n.
struct GemmProblem: Sendable {
  var matmul: Matmul
  var lhs, rhs, output: LinearAccess
  /// Element types of the kernel's parameters.
  var types: [DType]
  /// Whether sums are of integers: uint8 times a constant int8, four of each in a step of k (`GemmProblem+Bytes`).
  var areBytes: Bool
  /// Words of a row of bytes where k is counted in whole rows of tiles, zeros behind the last word.
  var wordsPerRow: Int?
  /// The element type of sums.
  var sumElement: DType
  /// What factors are rounded to before they are multiplied, where they are.
  var factors: Factors?
  /// The right operand's elements when they are known and nothing else in the kernel reads them.
  var constant: Tensor?
  /// The same for a right operand that is kept as codes.
  var compressed: CompressedConstant?

  /// Whether the right operand is known at compile time.
  var isConstant: Bool { constant != nil || compressed != nil }
  /// Elements of the constant.
  var constantCount: Int { constant?.count ?? compressed?.count ?? 0 }

  /// `nil` when an operand is not a strided float16, bfloat16 or float32 tensor, nor wider numbers of one type, nor
  /// bytes as they are multiplied.
  init?(_ kernel: Kernel, in program: KernelProgram) {
    guard case .matmul(let given) = kernel.body,
      let straight = GemmProblem(given, kernel, program)
    else { return nil }
    let swapped = Matmul(
      batch: given.batch,
      m: given.n,
      n: given.m,
      k: given.k,
      lhs: given.rhs,
      rhs: given.lhs,
      output: given.output,
      epilogue: given.epilogue
    )
    if straight.areBytes {
      guard let problem = straight.folded().inWords() else { return nil }
      self = problem
      return
    }
    // Codes are read as the right operand only.
    let mustSwap = program.compressed(kernel.params[given.lhs.param].tensor) != nil
    if mustSwap || program.compressed(kernel.params[given.rhs.param].tensor) != nil {
      guard let problem = mustSwap ? GemmProblem(swapped, kernel, program) : straight, problem.compressed != nil,
        program.compressed(kernel.params[problem.matmul.lhs.param].tensor) == nil
      else { return nil }
      self = problem.folded()
      return
    }
    let other = straight.prefersSwap ? GemmProblem(swapped, kernel, program) : nil
    self = (other ?? straight).folded()
  }

  private init?(_ matmul: Matmul, _ kernel: Kernel, _ program: KernelProgram) {
    areBytes = program[kernel.params[matmul.lhs.param].tensor].dtype.bitWidth == 8
    sumElement = kernel.accumulatorType(in: program)
    let floats: Set<DType> = [.float16, .bfloat16, .float32]
    let factors = sumElement == .float32 ? floats : [sumElement]
    func access(_ access: Matmul.Access, _ types: Set<DType>) -> LinearAccess? {
      guard kernel.params.indices.contains(access.param) else { return nil }
      let tensor = program[kernel.params[access.param].tensor]
      guard tensor.layout == .plain, types.contains(tensor.dtype) else { return nil }
      return LinearAccess(access.index, shape: tensor.shape)
    }
    guard let lhs = access(matmul.lhs, areBytes ? [.uint8] : factors),
      let rhs = access(matmul.rhs, areBytes ? [.int8] : factors),
      let output = access(matmul.output, areBytes ? floats.union([.uint8, .int8, .int32]) : floats.union([sumElement]))
    else { return nil }
    (self.matmul, self.lhs, self.rhs, self.output) = (matmul, lhs, rhs, output)
    types = kernel.params.map { program[$0.tensor].dtype }
    let tensor = program[kernel.params[matmul.rhs.param].tensor]
    if let value = program.compressed(kernel.params[matmul.rhs.param].tensor), matmul.lhs.param != matmul.rhs.param,
      !epilogueReads(matmul.rhs.param)
    {
      compressed = value
    }
    guard case .constant(let value) = program[program.root(kernel.params[matmul.rhs.param].tensor)].kind,
      matmul.lhs.param != matmul.rhs.param, !epilogueReads(matmul.rhs.param),
      let shape = tensor.type.staticShape, shape.checkedProduct == value.count
    else { return }
    constant = value.reshaped(shape)
  }

  func epilogueReads(_ param: Int) -> Bool {
    var found = false
    func visit(_ node: Scalar) { if case .load(param, _) = node { found = true } }
    matmul.epilogue.visitNodes(visit)
    return found
  }

  /// Whether rows and columns should change roles: the output runs along m, or has one column only.
  private var prefersSwap: Bool {
    let (alongM, alongN) = (output.stride(matmul.m), output.stride(matmul.n))
    if matmul.n.extent == 1 && matmul.m.extent != 1 { return alongM == 1 }
    return alongM == 1 && alongN != 1
  }

  var lhsType: DType { types[matmul.lhs.param] }
  var rhsType: DType { types[matmul.rhs.param] }
  var outputType: DType { types[matmul.output.param] }
}
