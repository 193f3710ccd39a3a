import MLCCore

extension Kernel {
  /// Rebuilds every scalar expression of the body: values of stages, epilogues, and data-dependent indices.
  package mutating func rewriteScalars(_ change: (Scalar) -> Scalar) {
    switch body {
    case .loopNest(var nest):
      nest.stages = nest.stages.map { stage in
        switch stage {
        case .reduce(let r, let axes, let value): .reduce(r, axes: axes, value: value.rewritten(change))
        case .compute(let value): .compute(value.rewritten(change))
        case .store(let param, let index, let axes, let value):
          .store(param: param, index: index, axes: axes, value: value.rewritten(change))
        }
      }
      body = .loopNest(nest)
    case .matmul(var matmul):
      matmul.epilogue = matmul.epilogue.rewritten(change)
      body = .matmul(matmul)
    case .convolution(var convolution):
      convolution.epilogue = convolution.epilogue.rewritten(change)
      body = .convolution(convolution)
    case .attention(var attention):
      attention.score = attention.score.rewritten(change)
      body = .attention(attention)
    case .routine: break
    }
  }

  /// Every scalar expression of the body.
  package var scalars: [Scalar] {
    switch body {
    case .loopNest(let nest):
      nest.stages.map { stage in
        switch stage {
        case .reduce(_, _, let value), .compute(let value), .store(_, _, _, let value): value
        }
      }
    case .matmul(let matmul): [matmul.epilogue]
    case .convolution(let convolution): [convolution.epilogue]
    case .attention(let attention): [attention.score]
    case .routine: []
    }
  }

  /// Renumbers parameters: those of `old` that are not in `kept` go.
  package mutating func dropUnusedParams() {
    var used = Set<Int>()
    func note(_ s: Scalar) { s.visitNodes { if case .load(let p, _) = $0 { used.insert(p) } } }
    for scalar in scalars { note(scalar) }
    switch body {
    case .loopNest(let nest):
      for case .store(let param, let index, _, _) in nest.stages {
        used.insert(param)
        for case .value(let s) in index { note(s) }
      }
    case .matmul(let m): used.formUnion([m.lhs.param, m.rhs.param, m.output.param])
    case .convolution(let c): used.formUnion([c.x, c.weight, c.output])
    case .attention(let a): used.formUnion(a.params)
    case .routine: return
    }
    if used.count == params.count { return }
    let kept = params.indices.filter { used.contains($0) }
    let number = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    renumberParams(number)
    params = kept.map { params[$0] }
  }

  /// Replaces parameter numbers throughout the body.
  package mutating func renumberParams(_ number: [Int: Int]) {
    func new(_ p: Int) -> Int { number[p] ?? p }
    rewriteScalars { if case .load(let p, let index) = $0 { .load(param: new(p), index) } else { $0 } }
    switch body {
    case .loopNest(var nest):
      nest.stages = nest.stages.map {
        guard case .store(let param, let index, let axes, let value) = $0 else { return $0 }
        return .store(param: new(param), index: index, axes: axes, value: value)
      }
      body = .loopNest(nest)
    case .matmul(var m):
      (m.lhs.param, m.rhs.param, m.output.param) = (new(m.lhs.param), new(m.rhs.param), new(m.output.param))
      body = .matmul(m)
    case .convolution(var c):
      (c.x, c.weight, c.output) = (new(c.x), new(c.weight), new(c.output))
      body = .convolution(c)
    case .attention(let a): body = .attention(a.mapAccesses { .init(new($0.param), $0.index) })
    case .routine: break
    }
  }
}

extension Scalar {
  /// How many nodes it has, and how much one evaluation costs in units of an addition.
  package var size: Int { measure { _ in 1 } }
  package var cost: Int { measure { $0.ownCost } }

  /// Whether it calls a function that is computed by a polynomial.
  package var callsFunction: Bool {
    var found = false
    visitNodes { found = found || $0.ownCost >= 12 }
    return found
  }

  /// What this node costs without its operands.
  private var ownCost: Int {
    switch self {
    case .constant, .integer, .stage, .accumulator, .load, .index, .cast, .compare, .select: 1
    case .unary(let f, _):
      switch f {
      case .neg, .abs, .sign, .floor, .ceil, .round, .trunc, .logicalNot, .bitwiseNot, .isNaN, .isInf: 1
      case .sqrt, .rsqrt, .inverse: 4
      default: 12
      }
    case .binary(.div, _, _): 4
    case .binary(.pow, _, _), .binary(.mod, _, _), .binary(.fmod, _, _): 24
    case .binary: 1
    }
  }

  private func measure(_ weight: (Scalar) -> Int) -> Int {
    var total = 0
    visitNodes { total += weight($0) }
    return total
  }

  /// The parameters it loads, with multiplicity.
  package var loads: [(param: Int, index: [Index])] {
    var found: [(param: Int, index: [Index])] = []
    visitNodes { if case .load(let p, let index) = $0 { found.append((p, index)) } }
    return found
  }
}
