import Foundation

/// Processors that a model may run on. There is one choice on this system, the processor. Raw values are Core ML's.
public enum MLComputeUnits: Int, Sendable {
  case cpuOnly = 0
  case cpuAndGPU = 1
  case all = 2
  case cpuAndNeuralEngine = 3
}

/// How a model is loaded.
open class MLModelConfiguration: NSObject, NSCopying {
  open var modelDisplayName: String?
  /// Every choice runs on the processor.
  open var computeUnits: MLComputeUnits = .all
  /// Without effect where no GPU runs.
  open var allowLowPrecisionAccumulationOnGPU = false
  /// The function to load; the package's default when `nil`.
  open var functionName: String?
  /// Taken and kept; compiled packages are as fast either way.
  open var optimizationHints = MLOptimizationHints()
  /// Parameters by key. Loading a model with any throws `MLModelError.parameters`, since compiled packages have none.
  open var parameters: [MLParameterKey: Any]?
  /// Told how the model was made ready when it is loaded. Apple's configuration has nothing like it.
  open var preparationHandler: (@Sendable (MLModelPreparation) -> Void)?

  /// The digest that the package must have, as `mlc compile`, `inspect` and `package` print it; any when `nil`. Loading
  /// another one throws `MLModelError.io`. Apple's configuration has nothing like it.
  open var expectedPackageDigest: String?
  /// Has every file of the package read and compared with its digest, those too that were when it was loaded before. A
  /// file that differs throws `MLModelError.io`. Apple's configuration has nothing like it.
  open var verifiesPackage = false

  public override init() {}

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = MLModelConfiguration()
    (copy.modelDisplayName, copy.computeUnits) = (modelDisplayName, computeUnits)
    copy.allowLowPrecisionAccumulationOnGPU = allowLowPrecisionAccumulationOnGPU
    copy.preparationHandler = preparationHandler
    (copy.expectedPackageDigest, copy.verifiesPackage) = (expectedPackageDigest, verifiesPackage)
    (copy.functionName, copy.optimizationHints, copy.parameters) = (functionName, optimizationHints, parameters)
    return copy
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

/// A name in a dictionary of settings.
open class MLKey: NSObject {
  public let name: String
  public let scope: String?

  init(name: String, scope: String?) { (self.name, self.scope) = (name, scope) }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? MLKey else { return false }
    return other.name == name && other.scope == scope
  }
  open override var hash: Int { name.hashValue ^ scope.hashValue }
}

/// The name of a parameter of a model.
public final class MLParameterKey: MLKey, @unchecked Sendable {  // names that never change
  public static let linkedModelFileName = MLParameterKey(name: "linkedModelFileName", scope: nil)
  public static let linkedModelSearchPath = MLParameterKey(name: "linkedModelSearchPath", scope: nil)
  public static let biases = MLParameterKey(name: "biases", scope: nil)
  public static let weights = MLParameterKey(name: "weights", scope: nil)
  public static let learningRate = MLParameterKey(name: "learningRate", scope: nil)
  public static let epochs = MLParameterKey(name: "epochs", scope: nil)
  public static let miniBatchSize = MLParameterKey(name: "miniBatchSize", scope: nil)
  public static let momentum = MLParameterKey(name: "momentum", scope: nil)
  public static let shuffle = MLParameterKey(name: "shuffle", scope: nil)
  public static let seed = MLParameterKey(name: "seed", scope: nil)
  public static let numberOfNeighbors = MLParameterKey(name: "numberOfNeighbors", scope: nil)

  public func scoped(to scope: String) -> MLParameterKey { MLParameterKey(name: name, scope: scope) }
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
