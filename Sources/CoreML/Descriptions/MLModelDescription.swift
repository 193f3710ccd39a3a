import Foundation
import MLCCore
import MLCPackage

/// The kinds of metadata that a model can have.
public struct MLModelMetadataKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let author = MLModelMetadataKey(rawValue: "MLModelAuthorKey")
  public static let creatorDefinedKey = MLModelMetadataKey(rawValue: "MLModelCreatorDefinedKey")
  public static let description = MLModelMetadataKey(rawValue: "MLModelDescriptionKey")
  public static let license = MLModelMetadataKey(rawValue: "MLModelLicenseKey")
  public static let versionString = MLModelMetadataKey(rawValue: "MLModelVersionStringKey")
}

/// What a model says of itself: its features, and who made it.
public final class MLModelDescription: NSObject, Sendable {
  public let inputDescriptionsByName: [String: MLFeatureDescription]
  public let outputDescriptionsByName: [String: MLFeatureDescription]
  public let stateDescriptionsByName: [String: MLFeatureDescription]
  let entries: [String: String]

  init(_ interface: FunctionInterface, metadata: [String: String], _ learnt: LearntParameters? = nil) {
    inputDescriptionsByName = MLModelDescription.named(
      interface.inputFeatures.map { MLFeatureDescription($0, in: interface, isInput: true) }
    )
    outputDescriptionsByName = MLModelDescription.named(
      interface.outputFeatures.map { MLFeatureDescription($0, in: interface, isInput: false) }
    )
    stateDescriptionsByName = MLModelDescription.named(
      interface.states.map { MLFeatureDescription(state: $0.name, interface.inputs[$0.input]) }
    )
    entries = metadata
    predictedFeatureName = interface.features.classifier?.label
    predictedProbabilitiesName = interface.features.classifier?.probabilities
    labels = interface.features.classLabels
    isUpdatable = learnt != nil
    trainingInputDescriptionsByName = MLModelDescription.named(
      learnt.map { learnt in
        learnt.trainingInputs.map { MLFeatureDescription($0, in: learnt.interface, isInput: true) }
      } ?? []
    )
    parameterDescriptionsByKey = MLModelDescription.keyed(
      learnt.map { $0.learning.settings.map { MLParameterDescription($0) } } ?? []
    )
  }

  init(
    inputs: [MLFeatureDescription],
    outputs: [MLFeatureDescription],
    states: [MLFeatureDescription],
    predicted: (feature: String?, probabilities: String?),
    labels: ClassLabels?,
    entries: [String: String],
    training: [MLFeatureDescription] = [],
    parameters: [MLParameterDescription] = []
  ) {
    inputDescriptionsByName = MLModelDescription.named(inputs)
    outputDescriptionsByName = MLModelDescription.named(outputs)
    stateDescriptionsByName = MLModelDescription.named(states)
    (predictedFeatureName, predictedProbabilitiesName) = predicted
    (self.labels, self.entries) = (labels, entries)
    isUpdatable = !training.isEmpty
    trainingInputDescriptionsByName = MLModelDescription.named(training)
    parameterDescriptionsByKey = MLModelDescription.keyed(parameters)
  }

  /// Its features, a line each, and the name of a classifier's class.
  public override var description: String {
    func lines(_ kind: String, _ features: [String: MLFeatureDescription]) -> [String] {
      features.isEmpty ? [] : ["\(kind):"] + features.sorted { $0.key < $1.key }.map { "  \($0.value)" }
    }
    let all =
      lines("inputs", inputDescriptionsByName) + lines("states", stateDescriptionsByName)
      + lines("outputs", outputDescriptionsByName)
    return (all + (predictedFeatureName.map { ["predicts: \($0)"] } ?? [])).joined(separator: "\n")
  }

  private static func keyed(_ parameters: [MLParameterDescription]) -> [MLParameterKey: MLParameterDescription] {
    Dictionary(parameters.map { ($0.key, $0) }) { first, _ in first }
  }

  private static func named(_ features: [MLFeatureDescription]) -> [String: MLFeatureDescription] {
    Dictionary(features.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The output that is a classifier's class.
  public let predictedFeatureName: String?
  /// The output that holds the scores of a classifier's classes.
  public let predictedProbabilitiesName: String?
  let labels: ClassLabels?
  /// A classifier's classes, strings or integers, where the model names them.
  public var classLabels: [Any]? {
    switch labels {
    case .strings(let labels)?: labels
    case .integers(let labels)?: labels.map { NSNumber(value: $0) }
    case nil: nil
    }
  }
  /// Whether `MLUpdateTask` can update the model.
  public let isUpdatable: Bool
  /// What an example of training data has.
  public let trainingInputDescriptionsByName: [String: MLFeatureDescription]
  /// The settings that a configuration may change.
  public let parameterDescriptionsByKey: [MLParameterKey: MLParameterDescription]

  /// Author, description, license and version as strings, everything else in a dictionary under `creatorDefinedKey`.
  public var metadata: [MLModelMetadataKey: Any] {
    let known: [String: MLModelMetadataKey] = [
      "author": .author, "description": .description, "license": .license, "version": .versionString,
    ]
    var result: [MLModelMetadataKey: Any] = [:]
    var own: [String: String] = [:]
    for (name, value) in entries {
      if let key = known[name] { result[key] = value } else { own[name] = value }
    }
    if !own.isEmpty { result[.creatorDefinedKey] = own }
    return result
  }
}
