import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

extension PartContext: ClassicalBuilder {
  package mutating func append(_ op: any Operator, all inputs: [[ValueID]], blocks: [Block]) throws(Diagnostic)
    -> [ValueID]
  {
    try builder.append(op, inputs, names: ["\(part.name).\(type(of: op).name)"], blocks: blocks, origin: origin)
  }
}

/// What classical models take.
extension PartContext {
  func damaged(_ id: Diagnostic.ID, _ message: String) -> Diagnostic { Diagnostic(id, message, at: origin) }

  /// All inputs that the description names, beside each other in their order: `fp64[1, F]`. Throws `coreml.features`.
  mutating func row() throws(Diagnostic) -> ValueID {
    var parts: [ValueID] = []
    for feature in part.description.input { parts.append(try numbers(try tensor(feature.name), feature.name)) }
    guard !parts.isEmpty else { throw damaged("coreml.features", "the model takes no features") }
    let all = try concat(parts, axis: 0)
    return try reshape(all, [1, Dim(try count(all, "the features"))])
  }

  /// The one feature that a transformer takes. Throws `coreml.features`.
  func onlyInput() throws(Diagnostic) -> FeatureValue {
    guard part.description.input.count == 1 else {
      throw damaged("coreml.features", "\(part.description.input.count) inputs of a model that takes one")
    }
    return try feature(part.description.input[0].name)
  }

  /// The same, as an array, a number or a text.
  func onlyTensor() throws(Diagnostic) -> ValueID {
    _ = try onlyInput()
    return try tensor(part.description.input[0].name)
  }

  /// As `fp64[n]`.
  mutating func numbers(_ value: ValueID, _ name: String) throws(Diagnostic) -> ValueID {
    if fact(value).dtype == .string { throw wrongType(name, "a text, where numbers are needed") }
    return try reshape(try converted(value, to: .float64), [Dim(try count(value, "the feature '\(name)'"))])
  }

  /// Keys `K[n]` and values `fp64[n]` of a dictionary. Throws `coreml.type`.
  mutating func dictionary(_ name: String) throws(Diagnostic) -> (keys: ValueID, values: ValueID) {
    switch try feature(name) {
    case .dictionary(let keys, let values): return (keys, try converted(values, to: .float64))
    case .scores(let value, let labels): return (constant(labels.tensor, "keys"), try numbers(value, name))
    case .tensor(let value): throw wrongType(name, "\(fact(value).type), where a dictionary is needed")
    }
  }

  /// `fp64[n]`: the value of each of `wanted: K[n]` in a dictionary of fp64, 0 where it has none. Throws `coreml.type`.
  mutating func values(_ dictionary: (keys: ValueID, values: ValueID), at wanted: Tensor, _ name: String)
    throws(Diagnostic) -> ValueID
  {
    guard fact(dictionary.keys).dtype == wanted.dtype else {
      throw wrongType(name, "a dictionary of \(fact(dictionary.keys).dtype.rawValue), not of \(wanted.dtype.rawValue)")
    }
    let column = constant(wanted.reshaped([wanted.count, 1]), "wanted")
    let isFound = try apply(Equal(), column, dictionary.keys)
    let found = try apply(Select(), isFound, dictionary.values, scalar(0, like: dictionary.values))
    return try apply(ReduceSum(axes: [1]), found)
  }

  private func count(_ value: ValueID, _ what: String) throws(Diagnostic) -> Int {
    guard let count = fact(value).type.staticShape?.checkedProduct, count > 0 else {
      throw damaged("coreml.features", "\(what) are \(fact(value).type), of no fixed number")
    }
    return count
  }
}
