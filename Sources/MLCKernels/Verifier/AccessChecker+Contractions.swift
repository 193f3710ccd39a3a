import MLCCore

extension AccessChecker {
  func check(_ matmul: Matmul, _ kernel: Kernel) -> [Verdict] {
    let batch = matmul.batch
    let operands: [(Matmul.Access, [Axis], String)] = [
      (matmul.lhs, batch + [matmul.m, matmul.k], "loads from"),
      (matmul.rhs, batch + [matmul.n, matmul.k], "loads from"),
      (matmul.output, batch + [matmul.m, matmul.n], "stores to"),
    ]
    return check(operands, kernel) + epilogue(matmul.epilogue, batch + [matmul.m, matmul.n], kernel)
  }

  func check(_ attention: Attention, _ kernel: Kernel) -> [Verdict] {
    let (batch, m, n) = (attention.batch, attention.m, attention.n)
    let operands: [(Matmul.Access, [Axis], String)] = [
      (attention.query, batch + [m, attention.k], "loads from"),
      (attention.key, batch + [n, attention.k], "loads from"),
      (attention.value, batch + [n, attention.f], "loads from"),
      (attention.output, batch + [m, attention.f], "stores to"),
    ]
    return check(operands, kernel) + epilogue(attention.score, batch + [m, n], kernel)
  }

  private func check(_ operands: [(Matmul.Access, [Axis], String)], _ kernel: Kernel) -> [Verdict] {
    operands.flatMap { operand, loops, verb -> [Verdict] in
      guard kernel.params.indices.contains(operand.param) else {
        return [.broken("has no parameter \(operand.param)")]
      }
      if (verb == "stores to") == (kernel.params[operand.param].access == .read) {
        return [.broken("\(verb) a parameter that is not for it")]
      }
      return sharedExtents(operand, loops, kernel)
        + [access(operand.param, operand.index, kernel, scope(loops), verb)]
    }
  }

  /// As lowered, an operand's dimension that a loop walks has the loop's extent: products over a part come of fusion
  /// alone.
  private func sharedExtents(_ operand: Matmul.Access, _ loops: [Axis], _ kernel: Kernel) -> [Verdict] {
    guard isLowered else { return [] }
    return zip(operand.index, shape(operand.param, kernel)).compactMap { index, extent in
      guard case .axis(let id) = index, let loop = loops.first(where: { $0.id == id }), loop.extent != extent else {
        return nil
      }
      return requirement(SizeRequirement.equality(loop.extent, extent))
    }
  }

  private func epilogue(_ value: Scalar, _ loops: [Axis], _ kernel: Kernel) -> [Verdict] {
    loads(in: value, kernel, scope(loops), hasAccumulator: true)
  }

  func check(_ c: Convolution, _ kernel: Kernel) -> [Verdict] {
    guard [c.x, c.weight, c.output].allSatisfy({ kernel.params.indices.contains($0) }) else {
      return [.broken("lacks an operand")]
    }
    let (x, weight, out) = (shape(c.x, kernel), shape(c.weight, kernel), shape(c.output, kernel))
    let rank = c.depth == nil ? 4 : 5
    guard x.count == rank, weight.count == rank, out.count == rank, c.groups > 0 else {
      return [.broken("is a convolution of ranks \(x.count), \(weight.count), \(out.count)")]
    }
    var verdicts = [
      agree(x[0], out[0], "images"), agree(x[1], weight[1] * Dim(c.groups), "input channels"),
      agree(weight[0], out[1], "output channels"),
    ]
    for (axis, span) in c.spans.enumerated() {
      let (taps, count) = (weight[2 + axis], out[2 + axis])
      // A window of open size stands in the weight's shape alone.
      if taps.constant != nil { verdicts.append(agree(taps, Dim(span.kernel), "taps")) }
      let last = (count - 1) * Dim(span.stride) + (taps - 1) * Dim(span.dilation)
      let padded = x[2 + axis] + Dim(span.low + span.high)
      verdicts.append(atLeastZero(padded - 1 - last, whereAtLeastOne: count, "walks out of the padded input"))
    }
    return verdicts + epilogue(c.epilogue, out.enumerated().map { Axis($0, $1) }, kernel)
  }

  /// Whether two extents are equal for all sizes.
  func agree(_ a: Dim, _ b: Dim, _ what: String) -> Verdict {
    let (a, b) = (sizes.resolved(a), sizes.resolved(b))
    if a == b { return .holds }
    if let verdict = requirement(SizeRequirement.equality(a, b)) { return verdict }
    let isOther = !isConditional && sizes.samples.contains { a.evaluate($0) != b.evaluate($0) }
    if a.constant != nil && b.constant != nil || isOther { return .broken("has \(a) and \(b) \(what)") }
    return .unproven("\(a) = \(b) \(what)")
  }

  private func atLeastZero(_ dim: Dim, whereAtLeastOne count: Dim, _ what: String) -> Verdict {
    let (dim, count) = (sizes.resolved(dim), sizes.resolved(count))
    if sizes.isNonNegative(dim) || count == 0 { return .holds }
    if let verdict = requirement([SizeRequirement(dim, extents: [count])]) { return verdict }
    let isBroken =
      !isConditional && sizes.samples.contains { (count.evaluate($0) ?? 0) > 0 && (dim.evaluate($0) ?? 0) < 0 }
    return isBroken ? .broken(what) : .unproven(what)
  }
}
