import MLCCore

extension AccessChecker {
  /// Whether a routine's parameters have the elements that its sizes promise.
  func check(_ routine: Routine, _ kernel: Kernel) -> [Verdict] {
    switch routine {
    case .nonZero(let count): return counts([count, count, 1], kernel)
    case .cumulation(let cumulation):
      return counts([Dim](repeating: cumulation.lines.extents.reduce(1, *), count: 2), kernel)
    case .bitCast(let count), .pack(let count): return counts([count, count], kernel)
    case .topK(let topK):
      let found = topK.lines.extents(topK.count).reduce(1, *)
      return counts([topK.lines.extents.reduce(1, *), found, found, topK.tasks * topK.area], kernel)
    case .suppression(let suppression): return counts(suppression.counts, kernel)
    case .listing(let batches, let classes, let limit):
      let lines = batches * classes
      return counts([lines * limit, lines, lines * limit * 3, 1], kernel)
    case .scatter(let scatter):
      return counts([scatter.rows * scatter.length, scatter.updates, scatter.updates * scatter.length], kernel)
    case .packedLSTM(let packed):
      let state = packed.state
      return counts(
        packed.operands(gates: 4) + [state, state, packed.steps * state, state, state] + packed.last,
        kernel
      )
    case .packedGRU(let packed, _):
      let (state, bias) = (packed.state, Dim(packed.direction.count * packed.hidden))
      return counts(packed.operands(gates: 3) + [bias, state, packed.steps * state, state] + packed.last, kernel)
    case .packedRNN(let packed, _):
      let state = packed.state
      return counts(packed.operands(gates: 1) + [state, packed.steps * state, state] + packed.last, kernel)
    case .recurrence(let recurrence): return check(recurrence, kernel)
    case .trees(let trees): return counts(trees.extents, kernel)
    case .text(let text): return counts(text.counts, kernel)
    }
  }

  private func counts(_ wanted: [Dim], _ kernel: Kernel) -> [Verdict] {
    guard wanted.count == kernel.params.count else {
      return [.broken("has \(kernel.params.count) parameters, its routine \(wanted.count)")]
    }
    return wanted.enumerated().map { agree(shape($0, kernel).reduce(1, *), $1, "elements in parameter \($0)") }
  }

  private func check(_ recurrence: Routine.Recurrence, _ kernel: Kernel) -> [Verdict] {
    let (directions, gates) = (Dim(recurrence.direction.count), Dim(recurrence.cell.gateCount))
    let (params, hidden) = (recurrence.params, Dim(recurrence.hidden))
    let state = directions * recurrence.batch * hidden
    let sequence = recurrence.keepsSequence ? recurrence.steps * state : state
    var roles: [(role: String, param: Int?, count: Dim)] = [
      ("gates", params.gates, recurrence.steps * recurrence.batch * directions * gates * hidden),
      ("initial h", params.initialH, state), ("initial c", params.initialC, state),
      ("lengths", params.lengths, recurrence.batch), ("y", params.y, sequence), ("h", params.h, state),
      ("c", params.c, state),
    ]
    roles += params.weights.map { ("weights", $0, gates * hidden * hidden) }
    return roles.compactMap { role, param, count in
      guard let param else { return nil }
      guard kernel.params.indices.contains(param) else { return .broken("has no parameter for its \(role)") }
      return agree(shape(param, kernel).reduce(1, *), count, "elements in its \(role)")
    }
  }
}

extension Routine.PackedRecurrence {
  /// Elements of a state.
  fileprivate var state: Dim { Dim(direction.count) * batch * Dim(hidden) }

  /// Elements of the sequences' lengths, where there are any, and of the memory.
  fileprivate var last: [Dim] {
    (hasLengths ? [batch] : []) + [Dim(direction.count) * batch * Dim(Self.memory(hidden))]
  }

  /// Elements of the gates and of the recurrent weights.
  fileprivate func operands(gates: Int) -> [Dim] {
    let width = Dim(direction.count * gates * hidden)
    return [steps * batch * width, width * Dim(hidden)]
  }
}
