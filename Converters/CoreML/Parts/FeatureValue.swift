import MLCCore
import MLCGraph

/// What a named feature is between the models of a pipeline.
enum FeatureValue: Sendable {
  /// Arrays, images, numbers, texts and lists.
  case tensor(ValueID)
  /// Keys `K[n]`, none of them twice, and numbers `T[n]`.
  case dictionary(keys: ValueID, values: ValueID)
  /// A number for each label, in their order: a dictionary whose keys are known.
  case scores(ValueID, ClassLabels)

  /// As people read it.
  var noun: String {
    switch self {
    case .tensor: "an array"
    case .dictionary, .scores: "a dictionary"
    }
  }
}
