import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

extension NNContext {
  /// Layers in order. What follows one that may end a round of the loop runs where that goes on.
  mutating func add(_ specs: ArraySlice<NNLayerSpec>) throws(Diagnostic) {
    for (index, spec) in zip(specs.indices, specs) {
      let layer = NNLayer(spec)
      try add(layer)
      guard NNWrites([spec]).names.contains(NNWrites.goesOn), let goesOn = values[NNWrites.goesOn] else { continue }
      let rest = specs[(index + 1)...]
      guard !rest.isEmpty, case .branch? = spec.layer else { return }
      return try branch(on: goesOn, [rest, []])
    }
  }

  /// One layer, whose outputs get their names. Throws `coreml.unsupported`, `coreml.outputs` and what the layer throws.
  private mutating func add(_ layer: NNLayer) throws(Diagnostic) {
    self.layer = layer
    if unrolled > 0 { copies += 1 }
    let results = try locating(origin) { () throws(Diagnostic) in
      guard let rule = NNLayerTable.rule(layer.kind) else {
        throw Diagnostic("coreml.unsupported", "mlc has no layer \(layer.kind)", kind: .unsupported)
      }
      let results = try rule.convert(layer, in: &self)
      guard results.count >= layer.spec.output.count else {
        throw Diagnostic("coreml.outputs", "\(layer.spec.output.count) outputs, but the layer has \(results.count)")
      }
      return results
    }
    for (name, value) in zip(layer.spec.output, results) {
      values[name] = value
      if !builder.function.inputs.contains(where: { fact(named: name, is: $0) }) { rename(value, name) }
    }
  }

  private func fact(named name: String, is input: ValueID) -> Bool { builder.function[input].name == name }

  /// Names a value as the network does.
  mutating func rename(_ value: ValueID, _ name: String) {
    guard builder.function[value].name.hasPrefix("\(layer.name).") else { return }
    builder.function[value].name = builder.uniqueName(name)
  }

  /// One side or the other of layers, as `condition: bool[]` says. What both write, or one of what there was before,
  /// has its value from there on. Where the condition is known, its side alone is there.
  mutating func branch(on condition: ValueID, _ sides: [ArraySlice<NNLayerSpec>]) throws(Diagnostic) {
    if let side = builder.known(condition)?.integers.first {
      let layer = self.layer
      try add(sides[side != 0 ? 0 : 1])
      self.layer = layer
      return
    }
    let written = sides.map { NNWrites($0).names }
    let names = written.reduce(Set()) { $0.union($1) }.sorted().filter { name in
      values[name] != nil || written.allSatisfy { $0.contains(name) }
    }
    let (layer, before) = (self.layer, values)
    var blocks: [Block] = []
    for side in sides {
      _ = builder.beginBlock()
      try add(side)
      let results = names.compactMap { values[$0] }
      blocks.append(builder.endBlock(yielding: results))
      values = before
      guard results.count == names.count else { throw NNContext.wrong("a branch ends before it writes '\(names)'") }
    }
    self.layer = layer
    guard !names.isEmpty else { return }
    let labels = names.map { $0.hasPrefix("\0") ? "\(layer.name).round" : $0 }
    let results = try builder.append(Cond(), [[condition]], names: labels, blocks: blocks, origin: origin)
    for (name, result) in zip(names, results) { values[name] = result }
  }

  /// The one truth value that `value` holds.
  mutating func condition(_ value: ValueID) throws(Diagnostic) -> ValueID {
    let truth = try truth(value)
    return rank(truth) == 0 ? truth : try reshape(truth, [])
  }
}
