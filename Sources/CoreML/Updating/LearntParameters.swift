import MLCCore
import MLCPackage
import MLCRuntime

/// How the model of a package learns, and what it has learnt so far.
struct LearntParameters: Sendable {
  let learning: Learning
  /// The user's package.
  let path: String
  /// By the names of parameters, in the package's order.
  private(set) var contents: [(name: String, tensor: Tensor)]
  /// What predictions and updates are made with unless they say otherwise.
  private(set) var settings: UpdateSettings
  /// What an example of training data has.
  let trainingInputs: [CallerFeature]
  let interface: FunctionInterface

  /// `nil` for a package whose model does not learn. Throws what its reader throws, and `MLModelError.parameters` for
  /// parameters that the model does not have.
  init?(_ path: String, _ configuration: MLModelConfiguration) throws {
    let opened = try reporting { () throws(Diagnostic) -> Opened? in
      let package = try PackageReader(path: path, memory: configuration.options.memory)
      guard let learning = try package.learning() else { return nil }
      return (package, learning, try package.parameters())
    }
    guard let (package, learning, parameters) = opened else { return nil }
    (self.path, self.learning, contents) = (path, learning, parameters)
    settings = UpdateSettings(learning)
    guard let trainingInputs = learning.trainingFeatures(of: package.functions) else {
      throw MLModelError(.io, "the package has no code to learn by, which it says that it has")
    }
    // Sizes are named as those of the first function.
    (interface, self.trainingInputs) = (package.functions[0], trainingInputs)
    if let number = parameters.first(where: { $0.name == Learning.Neighbors.neighbors })?.tensor.integers.first,
      case .neighbors = learning.method
    {
      settings.note(.numberOfNeighbors, Double(number))
    }
    try set(configuration.parameters ?? [:])
  }

  private typealias Opened = (PackageReader, Learning, [(name: String, tensor: Tensor)])

  /// Throws `MLModelError.parameters`.
  mutating func set(_ parameters: [MLParameterKey: Any]) throws {
    try settings.set(parameters)
    if case .neighbors = learning.method, parameters.keys.contains(.numberOfNeighbors) {
      learn([Learning.Neighbors.neighbors: .scalar(.int32, settings[.numberOfNeighbors])])
    }
  }

  mutating func learn(_ tensors: [String: Tensor]) {
    for place in contents.indices {
      if let tensor = tensors[contents[place].name] { contents[place].tensor = tensor }
    }
  }

  subscript(_ name: String) -> Tensor? { contents.first { $0.name == name }?.tensor }

  var tensors: [String: Tensor] { Dictionary(contents.map { ($0.name, $0.tensor) }) { first, _ in first } }
}
