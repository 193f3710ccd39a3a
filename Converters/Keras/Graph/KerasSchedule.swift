import MLCCore

/// The order in which the calls of a model's layers are made, and what they gave.
///
/// Keras' order: the calls that are farthest from the outputs first, and among equals the layer that the model lists
/// first.
struct KerasSchedule {
  typealias Reference = KerasTopology.Reference

  private var results: [Reference: [KerasTensor]] = [:]
  private var order: ArraySlice<Reference>

  init(_ topology: KerasTopology) {
    let given = Set(topology.inputs.map { KerasSchedule.whole($0) })
    var needs: [Reference: Set<Reference>] = [:]
    var users: [Reference: [Reference]] = [:]
    var ready: [Reference] = Array(given)
    for (layer, calls) in topology.calls.enumerated() {
      for (index, call) in calls.enumerated() {
        let node = Reference(layer: layer, call: index, output: 0)
        if given.contains(node) { continue }
        needs[node] = Set(call.all.map { KerasSchedule.whole($0) })
        for need in needs[node]! { users[need, default: []].append(node) }
        if needs[node]!.isEmpty { ready.append(node) }
      }
    }
    // First any order in which each finds what it needs; calls that wait for each other are not in it.
    var missing = needs.mapValues { $0.count }
    var position = 0
    while position < ready.count {
      for user in users[ready[position]] ?? [] {
        missing[user]! -= 1
        if missing[user] == 0 { ready.append(user) }
      }
      position += 1
    }
    var depths: [Reference: Int] = [:]
    for node in ready.reversed() {
      for need in needs[node] ?? [] { depths[need] = max(depths[need, default: 0], depths[node, default: 0] + 1) }
    }
    let calls = ready.filter { !given.contains($0) }
    order =
      calls.sorted { a, b in
        let (left, right) = (depths[a, default: 0], depths[b, default: 0])
        return left != right ? left > right : (a.layer, a.call) < (b.layer, b.call)
      }[...]
  }

  /// The call that a reference is an output of.
  private static func whole(_ reference: Reference) -> Reference {
    Reference(layer: reference.layer, call: reference.call, output: 0)
  }

  mutating func next() -> Reference? { order.popFirst() }

  mutating func provide(_ call: Reference, _ outputs: [KerasTensor]) { results[KerasSchedule.whole(call)] = outputs }

  /// Takes the masks off tensors that are there.
  mutating func endMasks(_ references: [Reference]) {
    for reference in references { results[KerasSchedule.whole(reference)]?[reference.output].mask = nil }
  }

  /// Throws `keras.topology` for what no call made: calls that wait for each other, outputs that a layer does not have.
  func tensors(_ references: [Reference]) throws(Diagnostic) -> [KerasTensor] {
    var tensors: [KerasTensor] = []
    for reference in references {
      guard let outputs = results[KerasSchedule.whole(reference)] else {
        throw Diagnostic("keras.topology", "layers wait for each other's outputs")
      }
      guard reference.output < outputs.count else {
        throw Diagnostic(
          "keras.topology",
          "a layer has \(outputs.count) outputs; number \(reference.output) is asked for"
        )
      }
      tensors.append(outputs[reference.output])
    }
    return tensors
  }
}
