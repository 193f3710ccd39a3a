import MLCCore

extension AccessChecker {
  /// Whether a routine's parameters have the elements that its sizes promise.
  func check(_ routine: Routine, _ kernel: Kernel) -> [Verdict] {
    let s = routine.sizes
    let known = ["non_zero": 1, "cumsum": 3, "topk": 4, "scatter": 3, "lstm": 3, "gru": 3, "recurrent": 3]
    guard let wanted = known[routine.name] else {
      return [.broken("is a routine '\(routine.name)' that nothing is known of")]
    }
    guard s.count == wanted else { return [.broken("has \(s.count) sizes, its routine \(wanted)")] }
    switch routine.name {
    case "non_zero": return counts([s[0], s[0], 1], kernel)
    case "cumsum": return counts([Dim](repeating: s.reduce(1, *), count: 2), kernel)
    case "topk":
      let found = s[0] * s[3] * s[2]
      return counts([s[0] * s[1] * s[2], found, found], kernel)
    case "scatter": return counts([s[0] * s[1], s[2], s[2] * s[1]], kernel)
    default: return recurrent(routine, kernel)
    }
  }

  private func counts(_ wanted: [Dim], _ kernel: Kernel) -> [Verdict] {
    guard wanted.count == kernel.params.count else {
      return [.broken("has \(kernel.params.count) parameters, its routine \(wanted.count)")]
    }
    return wanted.enumerated().map { agree(shape($0, kernel).reduce(1, *), $1, "elements in parameter \($0)") }
  }

  /// Gates `[S·B, D·G·H]`, weights `[D, G·H, H]`, states `[D, B, H]`, steps `[S, D, B, H]`.
  private func recurrent(_ routine: Routine, _ kernel: Kernel) -> [Verdict] {
    let (steps, batch, hidden) = (routine.sizes[0], routine.sizes[1], routine.sizes[2])
    let directions: Dim = routine.options["direction"] == "bidirectional" ? 2 : 1
    let state = directions * batch * hidden
    func packed(_ gates: Dim, _ rest: [Dim]) -> [Verdict] {
      let first = [steps * batch * directions * gates * hidden, directions * gates * hidden * hidden]
      return counts(first + rest, kernel)
    }
    if routine.name == "lstm" { return packed(4, [state, state, steps * state, state, state]) }
    if routine.name == "gru" { return packed(3, [directions * hidden, state, steps * state, state]) }
    let gates: Dim = ["lstm": 4, "gru": 3][routine.options["kind"] ?? ""] ?? 1
    let sequence = routine.options["output_sequence"] == "1" ? steps * state : state
    let roles: [String: Dim] = [
      "gates": steps * batch * directions * gates * hidden, "y": sequence, "h": state, "c": state,
      "weight0": gates * hidden * hidden, "weight1": gates * hidden * hidden, "lengths": batch,
      "initial_h": state, "initial_c": state,
    ]
    return roles.sorted { $0.key < $1.key }.compactMap { role, count in
      guard let param = routine.options[role].flatMap({ Int($0) }) else { return nil }
      guard kernel.params.indices.contains(param) else { return .broken("has no parameter for its \(role)") }
      return agree(shape(param, kernel).reduce(1, *), count, "elements in its \(role)")
    }
  }
}
