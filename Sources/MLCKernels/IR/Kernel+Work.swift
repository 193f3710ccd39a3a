import MLCCore

extension Kernel {
  /// Operations on numbers in one run over all its points, a multiplication with its addition counted as two; indices
  /// are not counted. `nil` for routines, which data or an emitter decides.
  package func operations(in program: KernelProgram) -> Dim? {
    func points(_ axes: [Axis]) -> Dim { axes.map(\.extent).reduce(1, *) }
    switch body {
    case .matmul(let m):
      return points(m.batch + [m.m, m.n]) * (m.k.extent * 2 + Dim(m.epilogue.operations))
    case .convolution(let c):
      let (output, weight) = (program[params[c.output].tensor], program[params[c.weight].tensor])
      let products = weight.shape.dropFirst().reduce(1, *)
      return output.shape.reduce(1, *) * (products * 2 + Dim(c.epilogue.operations))
    case .attention(let a):
      let depth = (a.k.extent + a.f.extent) * 2
      return points(a.batch + [a.m, a.n]) * (depth + Dim(a.score.operations + 1))
    case .loopNest(let nest):
      return nest.stages.reduce(0) { total, stage in
        switch stage {
        case .reduce(_, let axes, let value): total + points(nest.axes + axes) * Dim(value.operations + 1)
        case .compute(let value): total + points(nest.axes) * Dim(value.operations)
        case .store(_, _, let axes, let value): total + points(nest.axes + axes) * Dim(value.operations)
        }
      }
    case .routine: return nil
    }
  }

  /// What kind of kernel it is, for reports.
  package var kind: String {
    switch body {
    case .matmul: "matmul"
    case .convolution: "convolution"
    case .attention: "attention"
    case .loopNest(let nest):
      nest.stages.contains { if case .reduce = $0 { true } else { false } } ? "reduction" : "elementwise"
    case .routine: "routine"
    }
  }

  /// The element type of what a contraction multiplies: `int8` of bytes, float32 also of what it widens; `nil` for
  /// other kernels.
  package func factorType(in program: KernelProgram) -> DType? {
    switch body {
    case .matmul, .convolution:
      let sums = accumulatorType(in: program)
      let bits: Int =
        switch body {
        case .matmul(let m): program[params[m.lhs.param].tensor].dtype.bitWidth
        case .convolution(let c): program[params[c.x].tensor].dtype.bitWidth
        default: 32
        }
      return sums == .int32 && bits == 8 ? .int8 : sums
    case .attention: return .float32
    case .loopNest, .routine: return nil
    }
  }

  /// The tensors that it writes, each once.
  package func results(in program: KernelProgram) -> [TensorType] {
    var seen: Set<TensorID> = []
    return params.filter { $0.access != .read && seen.insert($0.tensor).inserted }.map { program[$0.tensor].type }
  }

  /// Bytes of the tensors that it reads and writes, each counted once; of one that it reads only where data says no
  /// more than it reads.
  package func bytes(in program: KernelProgram) -> Dim {
    let reads = readsByData
    var seen: Set<TensorID> = []
    return params.enumerated().reduce(0) { total, param in
      let root = program.root(param.element.tensor)
      guard seen.insert(root).inserted else { return total }
      let (whole, dtype) = (program[root].storedBytes, program[root].dtype)
      guard let count = reads[param.offset] else { return total + whole }
      return total + Dim.min(whole, (count * Dim(dtype.bitWidth)).ceilDiv(8))
    }
  }

  /// How many elements it reads of each parameter that it reads only where data says.
  private var readsByData: [Int: Dim] {
    guard case .loopNest(let nest) = body else { return [:] }
    let chosen = paramsReadByData
    var reads: [Int: Dim] = [:]
    for stage in nest.stages {
      let (inner, value): ([Axis], Scalar) =
        switch stage {
        case .reduce(_, let axes, let value), .store(_, _, let axes, let value): (axes, value)
        case .compute(let value): ([], value)
        }
      let points = (nest.axes + inner).map(\.extent).reduce(1, *)
      value.visitNodes { node in
        if case .load(let param, _) = node, chosen.contains(param) { reads[param] = (reads[param] ?? 0) + points }
      }
    }
    return reads
  }
}

extension KernelTensor {
  /// What it takes in memory, as codes if it is kept so.
  package var storedBytes: Dim {
    if case .compressed(let codes) = kind { return Dim(codes.byteCount) }
    return (storedElements * Dim(dtype.bitWidth)).ceilDiv(8)
  }
}

extension Scalar {
  /// Arithmetic, comparisons and choices, each one operation.
  fileprivate var operations: Int {
    var count = 0
    visitNodes { node in
      switch node {
      case .unary, .binary, .compare, .select: count += 1
      case .constant, .integer, .load, .index, .cast, .stage, .accumulator: break
      }
    }
    return count
  }
}
