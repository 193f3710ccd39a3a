import MLCCore
import MLCPackage
import MLCRuntime

/// How the model of a package learns, and what it has learnt so far.
struct LearntParameters: Sendable {
  let learning: Learning
  /// The user's package as it was loaded.
  private let path: String, manifest: Manifest
  /// By the names of parameters, in the package's order.
  private(set) var contents: [(name: String, tensor: Tensor)]
  /// What predictions and updates are made with unless they say otherwise.
  private(set) var settings: UpdateSettings
  /// What an example of training data has.
  let trainingInputs: [CallerFeature]
  let interface: FunctionInterface

  /// `nil` for a package whose model does not learn. Throws what its reader throws, and `MLModelError.parameters` for
  /// parameters that the model does not have.
  init?(_ package: PackageReader, _ configuration: MLModelConfiguration) throws {
    let held = try reporting { () throws(Diagnostic) -> Held? in
      guard let learning = try package.learning() else { return nil }
      return (learning, try package.parameters())
    }
    guard let (learning, parameters) = held else { return nil }
    (path, manifest, self.learning, contents) = (package.path, package.manifest, learning, parameters)
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

  private typealias Held = (Learning, [(name: String, tensor: Tensor)])

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

// MARK: The package

extension LearntParameters {
  /// The package as it lies there now. Throws what its reader throws, and `MLModelError.io` for one that differs from
  /// the one that was loaded in more than what it has learnt.
  func package() throws -> PackageReader {
    let package = try reporting { () throws(Diagnostic) in
      try PackageReader(path: path, memory: PackageCache.memory)
    }
    try require(package)
    return package
  }

  /// One of the functions that only updates call. Throws as loading does, and as `package()`.
  func function(_ name: String, _ configuration: MLModelConfiguration) throws -> MLCRuntime.Model {
    let (function, package) = try ModelLoader.function(name, at: path, configuration)
    try require(package)
    return function
  }

  private func require(_ package: PackageReader) throws {
    guard package.manifest.isSame(butForParametersAs: manifest) else {
      throw MLModelError(.io, "the model at '\(path)' is another one than was loaded: it was replaced since")
    }
  }
}
