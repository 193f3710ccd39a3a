import Foundation

/// Processors that a model may run on. There is one choice on this system, the processor. Raw values are Core ML's.
public enum MLComputeUnits: Int, Sendable {
  case cpuOnly = 0
  case cpuAndGPU = 1
  case all = 2
  case cpuAndNeuralEngine = 3
}

/// How a model is loaded.
open class MLModelConfiguration: NSObject, NSCopying, NSSecureCoding {
  open var modelDisplayName: String?
  /// Every choice runs on the processor.
  open var computeUnits: MLComputeUnits = .all
  /// Without effect where no GPU runs.
  open var allowLowPrecisionAccumulationOnGPU = false
  /// The function to load; the package's default when `nil`.
  open var functionName: String?
  /// Taken and kept; compiled packages are as fast either way.
  open var optimizationHints = MLOptimizationHints()
  /// Settings by key: of predictions, `numberOfNeighbors`, and of updates. Loading a model with one that it does not
  /// have or allow throws `MLModelError.parameters`.
  open var parameters: [MLParameterKey: Any]?
  /// Told how the model was made ready when it is loaded. Apple's configuration has nothing like it.
  open var preparationHandler: (@Sendable (MLModelPreparation) -> Void)?

  /// The digest that the package must have, as `mlc compile`, `inspect` and `package` print it; any when `nil`. Loading
  /// another one throws `MLModelError.io`. Apple's configuration has nothing like it.
  open var expectedPackageDigest: String?
  /// Has every file of the package read and compared with its digest, those too that were when it was loaded before. A
  /// file that differs throws `MLModelError.io`. Apple's configuration has nothing like it.
  open var verifiesPackage = false
  /// How many predictions of the loaded model run at the same time, at least 1; others wait for one of them to end, and
  /// each that runs has memory of its own. When `nil`, as many as there are processors, and at least 4 of those that
  /// are not asynchronous. Apple's configuration has nothing like it.
  open var maximumPredictionsInFlight: Int?

  public override init() {}

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = MLModelConfiguration()
    (copy.modelDisplayName, copy.computeUnits) = (modelDisplayName, computeUnits)
    copy.allowLowPrecisionAccumulationOnGPU = allowLowPrecisionAccumulationOnGPU
    copy.preparationHandler = preparationHandler
    (copy.expectedPackageDigest, copy.verifiesPackage) = (expectedPackageDigest, verifiesPackage)
    copy.maximumPredictionsInFlight = maximumPredictionsInFlight
    (copy.functionName, copy.optimizationHints, copy.parameters) = (functionName, optimizationHints, parameters)
    return copy
  }

  var copied: MLModelConfiguration { copy() as? MLModelConfiguration ?? self }

  // MARK: In archives

  open class var supportsSecureCoding: Bool { true }

  /// Everything but `preparationHandler`.
  open func encode(with coder: NSCoder) {
    coder.encode(text: modelDisplayName, forKey: "modelDisplayName")
    coder.encode(computeUnits.rawValue, forKey: "computeUnits")
    coder.encode(allowLowPrecisionAccumulationOnGPU, forKey: "allowLowPrecisionAccumulationOnGPU")
    coder.encode(text: functionName, forKey: "functionName")
    coder.encode(optimizationHints.reshapeFrequency.rawValue, forKey: "reshapeFrequency")
    coder.encode(optimizationHints.specializationStrategy.rawValue, forKey: "specializationStrategy")
    coder.encode(text: expectedPackageDigest, forKey: "expectedPackageDigest")
    coder.encode(verifiesPackage, forKey: "verifiesPackage")
    if let maximumPredictionsInFlight {
      coder.encode(maximumPredictionsInFlight, forKey: "maximumPredictionsInFlight")
    }
    guard let parameters else { return }
    let keys = parameters.keys.sorted { ($0.name, $0.scope ?? "") < ($1.name, $1.scope ?? "") }
    coder.encode(keys as NSArray, forKey: "parameterKeys")
    for (index, key) in keys.enumerated() { coder.encode(parameters[key], forKey: "parameter\(index)") }
  }

  /// `nil` for an archive without a configuration, or with parameters of other kinds than models have.
  public required init?(coder: NSCoder) {
    guard let units: MLComputeUnits = coder.choice(forKey: "computeUnits"),
      let frequency: MLOptimizationHints.ReshapeFrequency = coder.choice(forKey: "reshapeFrequency"),
      let strategy: MLOptimizationHints.SpecializationStrategy = coder.choice(forKey: "specializationStrategy")
    else { return nil }
    super.init()
    (modelDisplayName, computeUnits) = (coder.text(forKey: "modelDisplayName"), units)
    allowLowPrecisionAccumulationOnGPU = coder.decodeBool(forKey: "allowLowPrecisionAccumulationOnGPU")
    functionName = coder.text(forKey: "functionName")
    (optimizationHints.reshapeFrequency, optimizationHints.specializationStrategy) = (frequency, strategy)
    expectedPackageDigest = coder.text(forKey: "expectedPackageDigest")
    verifiesPackage = coder.decodeBool(forKey: "verifiesPackage")
    if coder.containsValue(forKey: "maximumPredictionsInFlight") {
      maximumPredictionsInFlight = coder.decodeInteger(forKey: "maximumPredictionsInFlight")
    }
    guard coder.containsValue(forKey: "parameterKeys") else { return }
    guard let keys: [MLParameterKey] = coder.list([MLParameterKey.self], forKey: "parameterKeys") else { return nil }
    var parameters: [MLParameterKey: Any] = [:]
    for (index, key) in keys.enumerated() {
      let value = coder.decodeObject(of: MLParameterDescription.valueClasses, forKey: "parameter\(index)")
      guard let value else { return nil }
      parameters[key] = value
    }
    self.parameters = parameters
  }
}

/// What an application expects of its use of a model.
public struct MLOptimizationHints: Hashable, Sendable {
  public enum ReshapeFrequency: Int, Sendable { case frequent, infrequent }
  public enum SpecializationStrategy: Int, Sendable { case `default`, fastPrediction }

  public var reshapeFrequency: ReshapeFrequency = .frequent
  public var specializationStrategy: SpecializationStrategy = .default

  public init() {}
}

/// How one prediction is made.
open class MLPredictionOptions: NSObject {
  /// Without effect: every prediction runs on the processor.
  open var usesCPUOnly = false
  /// Arrays by output's name that take the outputs. Each has the output's element type and a shape with as many
  /// elements as the output; the prediction's features hold that very array. An output that is an image takes a pixel
  /// buffer of its size too.
  open var outputBackings: [String: Any] = [:]

  public override init() {}
}
