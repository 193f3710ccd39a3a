import Foundation
import MLCCore

extension MLModelDescription: NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    func encode(_ features: [String: MLFeatureDescription], _ key: String) {
      coder.encode(features.sorted { $0.key < $1.key }.map { $0.value } as NSArray, forKey: key)
    }
    encode(inputDescriptionsByName, "inputs")
    encode(outputDescriptionsByName, "outputs")
    encode(stateDescriptionsByName, "states")
    encode(trainingInputDescriptionsByName, "trainingInputs")
    let parameters = parameterDescriptionsByKey.values.sorted { $0.key.name < $1.key.name }
    coder.encode(parameters as NSArray, forKey: "parameters")
    coder.encode(text: predictedFeatureName, forKey: "predictedFeature")
    coder.encode(text: predictedProbabilitiesName, forKey: "predictedProbabilities")
    switch labels {
    case .strings(let labels)?: coder.encode(labels.map { $0 as NSString } as NSArray, forKey: "textLabels")
    case .integers(let labels)?: coder.encode(numbers: labels.map { Int($0) }, forKey: "integerLabels")
    case nil: break
    }
    let names = entries.keys.sorted()
    coder.encode(names.map { $0 as NSString } as NSArray, forKey: "metadataNames")
    coder.encode(names.map { (entries[$0] ?? "") as NSString } as NSArray, forKey: "metadataValues")
  }

  /// `nil` for an archive without the description of a model.
  public convenience init?(coder: NSCoder) {
    func features(_ key: String) -> [MLFeatureDescription]? { coder.list([MLFeatureDescription.self], forKey: key) }
    func texts(_ key: String) -> [String]? { coder.list([NSString.self], forKey: key) }
    guard let inputs = features("inputs"), let outputs = features("outputs"), let states = features("states"),
      let names = texts("metadataNames"), let values = texts("metadataValues"), names.count == values.count
    else { return nil }
    let integers = coder.numbers(forKey: "integerLabels").map { ClassLabels.integers($0.map { Int64($0) }) }
    self.init(
      inputs: inputs,
      outputs: outputs,
      states: states,
      predicted: (coder.text(forKey: "predictedFeature"), coder.text(forKey: "predictedProbabilities")),
      labels: texts("textLabels").map { ClassLabels.strings($0) } ?? integers,
      entries: Dictionary(zip(names, values)) { first, _ in first },
      training: features("trainingInputs") ?? [],
      parameters: coder.list([MLParameterDescription.self] + MLParameterDescription.valueClasses, forKey: "parameters")
        ?? []
    )
  }
}
