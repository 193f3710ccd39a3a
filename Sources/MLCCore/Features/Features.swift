/// What a function's ports are to an application.
package struct Features: Hashable, Codable, Sendable {
  /// Those that are more than arrays, in the order of their ports.
  package var inputs: [Feature] = [], outputs: [Feature] = []
  package var classifier: Classifier?

  /// Which outputs a classifier's answers are.
  package struct Classifier: Hashable, Codable, Sendable {
    /// The class, a text or an integer.
    package var label: String
    /// The scores of all classes.
    package var probabilities: String?

    package init(label: String, probabilities: String? = nil) {
      (self.label, self.probabilities) = (label, probabilities)
    }
  }

  package init() {}

  package var isEmpty: Bool { self == Features() }

  /// The labels of the classifier's classes, where its scores name them.
  package var classLabels: ClassLabels? {
    guard let name = classifier?.probabilities, let feature = outputs.first(where: { $0.name == name }),
      case .scores(let labels) = feature.form
    else { return nil }
    return labels
  }

  /// What contradicts the ports, if anything.
  package func inconsistency(inputs: [(name: String, type: TensorType)], outputs: [(name: String, type: TensorType)])
    -> String?
  {
    for (kind, features, ports) in [("input", self.inputs, inputs), ("output", self.outputs, outputs)] {
      if let twice = features.map(\.name).firstRepeated { return "the \(kind) '\(twice)' is described twice" }
      for feature in features {
        if let place = ports.firstIndex(where: { $0.name == feature.ports[0] }),
          ports[place...].prefix(feature.ports.count).map(\.name) != feature.ports
        {
          return "the ports of the \(kind) '\(feature.name)' do not stand together"
        }
        if let problem = feature.inconsistency(ports) { return "\(kind) '\(feature.name)' \(problem)" }
      }
    }
    guard let classifier else { return nil }
    for name in [classifier.label, classifier.probabilities].compactMap({ $0 }) {
      let isThere =
        outputs.contains { $0.name == name } || self.outputs.contains { $0.name == name }
      if !isThere { return "the classifier gives no '\(name)'" }
    }
    return nil
  }
}

extension Feature {
  /// Why it cannot be what `ports` are, if so.
  fileprivate func inconsistency(_ ports: [(name: String, type: TensorType)]) -> String? {
    var types: [TensorType] = []
    for name in self.ports {
      guard let port = ports.first(where: { $0.name == name }) else { return "is no port" }
      types.append(port.type)
    }
    let isNumeric = types[types.count - 1].dtype != .string
    if defaultValue != nil, !isNumeric || !isOptional { return "has a default and is no optional number" }
    let rank = types[0].rank
    let fits =
      switch form {
      case .array: true
      case .number: isNumeric && types[0].shape.allSatisfy { $0.constant == 1 }
      case .sequence: types[0].dtype.isInteger && rank == 1
      case .image(let space):
        isNumeric && 3...4 ~= rank && types[0].shape[rank - 3].constant == space.channels
          && (rank == 3 || types[0].shape[0].constant == 1)
      case .dictionary(let isText):
        types.allSatisfy { $0.rank == 1 } && types[0].dtype == (isText ? .string : .int64) && isNumeric
          && types[0].shape == types[1].shape
      case .scores(let labels): isNumeric && types[0].staticShape?.checkedProduct == labels.count
      }
    return fits ? nil : "is \(types.map { "\($0)" }.joined(separator: " and ")), which cannot be \(form.noun)"
  }
}

extension Feature.Form {
  /// As people read it.
  package var noun: String {
    switch self {
    case .array: "an array"
    case .number: "a number"
    case .sequence: "a list of integers"
    case .image(let space): "an image (\(space.rawValue))"
    case .dictionary(let isText): "a dictionary of \(isText ? "texts" : "integers")"
    case .scores(let labels): "scores of \(labels.count) \(labels.count == 1 ? "class" : "classes")"
    }
  }
}
