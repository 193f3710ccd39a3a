import MLCCore
import MLCGraph

/// What an application sees of a function, changed; what it computes stays.
extension Function {
  /// The function with an input or output under another name. Throws `interface.name` where there is none, or the other
  /// is taken.
  package func renaming(_ old: String, to new: String) throws(Diagnostic) -> Function {
    var result = self
    let inputs = self.inputs.filter { self[$0].name == old }
    guard !inputs.isEmpty || outputNames.contains(old) else { throw unknown(old, "input or output") }
    if self.inputs.contains(where: { self[$0].name == new }) || outputNames.contains(new) || new.isEmpty {
      throw Diagnostic("interface.name", "the name '\(new)' cannot be given: it is taken or empty", kind: .usage)
    }
    for index in result.values.indices where result.values[index].name == new {
      result.values[index].name = "\(new)_inner"
    }
    for input in inputs { result[input].name = new }
    result.outputNames = outputNames.map { $0 == old ? new : $0 }
    for place in result.features.inputs.indices where result.features.inputs[place].name == old {
      result.features.inputs[place].name = new
    }
    for place in result.features.outputs.indices where result.features.outputs[place].name == old {
      result.features.outputs[place].name = new
    }
    if result.features.classifier?.label == old { result.features.classifier?.label = new }
    if result.features.classifier?.probabilities == old { result.features.classifier?.probabilities = new }
    return result
  }

  /// The function whose input `name`, `T[1, C, H, W]` of floats, is an image: what it took is `scale · pixel + bias`,
  /// with one bias for all channels or one for each. Throws `interface.image`, `interface.name`.
  package func takingImage(
    _ name: String,
    _ space: Feature.ColorSpace,
    scale: Double = 1,
    bias: [Double] = []
  ) throws(Diagnostic) -> Function {
    guard let input = inputs.first(where: { self[$0].name == name }) else { throw unknown(name, "input") }
    let type = self.type(input)
    guard type.dtype.isFloat, type.rank == 4, type.shape[0] == 1, type.shape[1].constant == space.channels,
      [0, 1, space.channels].contains(bias.count)
    else {
      let wanted = "an image (\(space.rawValue)) is floats [1, \(space.channels), height, width]"
      throw Diagnostic("interface.image", "input '\(name)' is \(type); \(wanted)", kind: .usage)
    }
    var builder = Builder(self)
    var pixels = input
    if scale != 1 {
      let factor = builder.constant(Tensor(type.dtype, [], [scale]), name: "\(name)_scale")
      pixels = try builder(Mul(), pixels, factor, name: "\(name)_scaled")
    }
    if bias.contains(where: { $0 != 0 }) {
      let shape = bias.count == 1 ? [] : [bias.count, 1, 1]
      let offset = builder.constant(Tensor(type.dtype, shape, bias), name: "\(name)_bias")
      pixels = try builder(Add(), pixels, offset, name: "\(name)_preprocessed")
    }
    var result = builder.finish(Array(zip(outputNames, outputs)).map { (name: $0.0, value: $0.1) })
    let count = body.operations.count
    let made = Array(result.body.operations[count...])
    result.body.operations.removeSubrange(count...)
    if pixels != input { result.body.replaceUses(of: input, by: pixels) }
    result.body.operations = made + result.body.operations
    result.features.inputs.removeAll { $0.name == name }
    result.features.inputs.append(Feature(name, .image(space)))
    return result
  }

  /// The function as a classifier: output `scores`, a number for each class, or the first one of such, and `label`, the
  /// class of the greatest. Throws `interface.classes`, `interface.name`.
  package func classifying(_ labels: ClassLabels, scores: String? = nil, label: String = "classLabel")
    throws(Diagnostic) -> Function
  {
    func fits(_ value: ValueID) -> Bool {
      type(value).dtype.isFloat && type(value).staticShape?.checkedProduct == labels.count
    }
    let place = scores.map { outputNames.firstIndex(of: $0) } ?? outputs.firstIndex(where: fits)
    if let scores, place == nil { throw unknown(scores, "output") }
    guard let place, fits(outputs[place]), labels.count > 0, !outputNames.contains(label) else {
      let types = zip(outputNames, outputs).map { "'\($0)' is \(type($1))" }.joined(separator: ", ")
      throw Diagnostic("interface.classes", "\(labels.count) classes; \(types)", kind: .usage)
    }
    var builder = Builder(self)
    let shape = builder.constant(Tensor(.int32, [1], [labels.count]), name: "\(label)_shape")
    let line = try builder(Reshape(), outputs[place], shape, name: "\(label)_scores")
    let best = try builder(ReduceArgmax(axis: 0), line, name: "\(label)_index")
    let names = builder.constant(labels.tensor, name: "\(label)_labels")
    let value = try builder(Gather(axis: 0), names, best, name: label)
    let hidden = states.map { $0.output }.min() ?? outputs.count
    var all = Array(zip(outputNames, outputs)).map { (name: $0.0, value: $0.1) }
    all.insert((label, value), at: hidden)
    var result = builder.finish(all)
    for index in result.states.indices { result.states[index].output += 1 }
    result.features.outputs.removeAll { $0.name == outputNames[place] }
    result.features.outputs.append(Feature(outputNames[place], .scores(labels)))
    if labels.dtype != .string { result.features.outputs.append(Feature(label, .number)) }
    result.features.classifier = .init(label: label, probabilities: outputNames[place])
    return result
  }

  private func unknown(_ name: String, _ what: String) -> Diagnostic {
    let names = (inputs.map { self[$0].name } + outputNames).map { "'\($0)'" }.joined(separator: ", ")
    return Diagnostic("interface.name", "there is no \(what) '\(name)'; there are \(names)", kind: .usage)
  }
}

extension Block {
  fileprivate mutating func replaceUses(of old: ValueID, by new: ValueID) {
    for index in operations.indices {
      operations[index].inputs = operations[index].inputs.map { $0.map { $0 == old ? new : $0 } }
      for nested in operations[index].blocks.indices {
        operations[index].blocks[nested].replaceUses(of: old, by: new)
      }
    }
    outputs = outputs.map { $0 == old ? new : $0 }
  }
}
