import MLCCore
import MLCGraph
import MLCOps

/// What converting a model, or one of those that a pipeline chains, works with: the builder, the model at hand, and the
/// features that there are so far.
struct PartContext: OperationBuilder {
  var builder: Builder
  /// The model at hand.
  var part: ModelPart
  /// By the pipeline's names. What the outermost model takes is there once it is declared.
  var features: [String: FeatureValue] = [:]
  /// What each state holds so far. Models of a pipeline share those of one name.
  var states: [String: (input: ValueID, value: ValueID)] = [:]
  /// Of values that are scores of classes.
  var labels: [ValueID: ClassLabels] = [:]
  /// What the boxes that are left of others may be, in the order of their confidences.
  var boxLabels: [String] = []
  /// What custom layers of networks mean.
  let custom: CustomLayers
  /// Whether what a model learns are parameters; else constants.
  let keepsParameters: Bool
  /// How the model at hand learns, once it is converted.
  var learning: LearningSource?
  /// What the user should know.
  var notes: [String] = []
  /// Whether the model at hand declares what it takes; else others gave it.
  var isOutermost = true
  /// How many pipelines, and how many links, lead to the model at hand.
  var depth = 0, links = 0
  /// The models that were linked to, by their files: each is opened once.
  var linked: [String: ModelPart] = [:]

  init(
    _ part: ModelPart,
    function: String = "main",
    custom: CustomLayers = CustomLayers(),
    keepsParameters: Bool = false
  ) {
    var function = Function(function)
    function.file = part.path
    (self.part, builder, self.custom) = (part, Builder(function), custom)
    self.keepsParameters = keepsParameters
  }

  var origin: Location { Location(file: part.path, node: part.name, op: part.kind) }
  func fact(_ value: ValueID) -> Fact { builder.fact(value) }

  // MARK: What there is

  /// Throws `coreml.undefined-value`.
  func feature(_ name: String) throws(Diagnostic) -> FeatureValue {
    guard let value = features[name] else {
      throw Diagnostic("coreml.undefined-value", "no model before gives the feature '\(name)'", at: origin)
    }
    return value
  }

  /// An array, a number or a text; the numbers of what has known keys. Throws `coreml.undefined-value`, `coreml.type`.
  func tensor(_ name: String) throws(Diagnostic) -> ValueID {
    switch try feature(name) {
    case .tensor(let value), .scores(let value, _): return value
    case .dictionary: throw wrongType(name, "a dictionary, where an array is needed")
    }
  }

  /// What is given of the feature, as a value of `type` where a change of elements or axes makes it one; else an input
  /// of the function. Throws `coreml.type`.
  mutating func port(_ name: String, _ type: TensorType) throws(Diagnostic) -> ValueID {
    guard features[name] != nil || !isOutermost else {
      let value = builder.input(name, type)
      features[name] = .tensor(value)
      return value
    }
    var value = try tensor(name)
    guard (fact(value).dtype == .string) == (type.dtype == .string) else {
      throw wrongType(name, "\(fact(value).type), where \(type) is needed")
    }
    value = try converted(value, to: type.dtype)
    if fact(value).shape == type.shape { return value }
    if fact(value).rank == type.rank, zip(fact(value).shape, type.shape).allSatisfy({ $0 == $1 || $1.constant == nil })
    {
      return value
    }
    guard let count = type.staticShape?.checkedProduct,
      fact(value).type.staticShape?.checkedProduct ?? count == count
    else { throw wrongType(name, "\(fact(value).type), where \(type) is needed") }
    return try reshape(value, type.shape)
  }

  /// What the state holds so far; the first model that has it makes it an input of the function. Throws `coreml.state`.
  mutating func state(_ name: String, _ type: TensorType) throws(Diagnostic) -> ValueID {
    if let known = states[name]?.value {
      if fact(known).type == type { return known }
      let types = "\(fact(known).type) before and \(type) here"
      throw Diagnostic("coreml.state", "the state '\(name)' is \(types)", at: origin)
    }
    guard !builder.function.inputs.contains(where: { builder.function[$0].name == name }) else {
      throw Diagnostic("coreml.state", "the state '\(name)' has the name of an input", at: origin)
    }
    let input = builder.input(name, type)
    states[name] = (input, input)
    return input
  }

  func wrongType(_ name: String, _ what: String) -> Diagnostic {
    Diagnostic("coreml.type", "the feature '\(name)' is \(what)", at: origin)
  }

  // MARK: What is made

  mutating func define(_ name: String, _ value: ValueID) {
    features[name] = labels[value].map { .scores(value, $0) } ?? .tensor(value)
  }

  mutating func append(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> ValueID {
    try results(op, inputs)[0]
  }

  mutating func results(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID] {
    try builder.append(op, inputs, names: ["\(part.name).\(type(of: op).name)"], origin: origin)
  }

  mutating func constant(_ tensor: Tensor, _ suffix: String) -> ValueID {
    builder.constant(tensor, name: "\(part.name).\(suffix)", origin: origin)
  }

  mutating func list(_ numbers: [Int]) -> ValueID {
    constant(Tensor(.int32, [numbers.count], numbers.map { Int(Int32(clamping: $0)) }), "list")
  }

  /// The label of class `index`, an integer of any type and shape.
  mutating func label(_ index: ValueID, of labels: ClassLabels) throws(Diagnostic) -> ValueID {
    try apply(Gather(axis: 0), constant(labels.tensor, "labels"), index)
  }
}
