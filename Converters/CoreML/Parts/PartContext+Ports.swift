import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Features as a function's inputs and outputs.
extension PartContext {
  /// Makes an input of the function of what the description says. Arrays of doubles are fp64, numbers and texts have no
  /// axes, lists one, images are `[1, C, H, W]` of fp32. Throws `coreml.type`.
  mutating func declare(_ feature: MLFeature) throws(Diagnostic) {
    let name = feature.name
    switch feature.type.type {
    case .multiArrayType(let array)?:
      let described = try FeatureShape(array: feature)
      described.declare(in: &builder.function)
      define(name, builder.input(name, TensorType(DType(array.dataType), described.shape)))
    case .imageType?:
      let described = try FeatureShape(image: feature)
      described.declare(in: &builder.function)
      define(name, builder.input(name, TensorType(.float32, described.shape)))
    case .int64Type?: define(name, builder.input(name, TensorType(.int64, [Dim]())))
    case .doubleType?: define(name, builder.input(name, TensorType(.float64, [Dim]())))
    case .stringType?: define(name, builder.input(name, TensorType(.string, [Dim]())))
    case .sequenceType(let sequence)?:
      let isText = if case .stringType? = sequence.type { true } else { false }
      define(name, builder.input(name, TensorType(isText ? .string : .int64, [.symbol("\(name)_count")])))
    case .dictionaryType(let dictionary)?:
      let isText = if case .stringKeyType? = dictionary.keyType { true } else { false }
      let count = [Dim.symbol("\(name)_count")]
      let keys = builder.input("\(name).keys", TensorType(isText ? .string : .int64, count))
      features[name] = .dictionary(keys: keys, values: builder.input("\(name).values", TensorType(.float64, count)))
    case .stateType?, nil: throw wrongType(name, "of no type that mlc takes here")
    }
    describe(input: feature)
  }

  /// Says what an input is that is declared.
  mutating func describe(input feature: MLFeature) {
    let described = Feature(describing: feature, form: feature.form)
    if !described.isPlain { builder.function.features.inputs.append(described) }
  }

  /// The function, which gives what the description names, and what states hold then. Throws `coreml.undefined-value`,
  /// `coreml.outputs`.
  mutating func finish(_ described: [MLFeature], _ predicted: PredictedFeatures) throws(Diagnostic) -> Function {
    var outputs: [(name: String, value: ValueID)] = []
    for feature in described {
      switch try self.feature(feature.name) {
      case .tensor(let value):
        outputs.append((feature.name, value))
        describe(output: feature, feature.form)
      case .scores(let value, let labels):
        outputs.append((feature.name, value))
        let isDictionary = if case .dictionaryType? = feature.type.type { true } else { false }
        describe(output: feature, isDictionary ? .scores(labels) : feature.form)
      case .dictionary(let keys, let values):
        outputs += [("\(feature.name).keys", keys), ("\(feature.name).values", values)]
        describe(output: feature, .dictionary(isText: fact(keys).dtype == .string))
      }
    }
    guard !outputs.isEmpty else { throw Diagnostic("coreml.outputs", "the model has no outputs", at: origin) }
    for place in outputs.indices where builder.function.inputs.contains(outputs[place].value) {
      outputs[place].value = try apply(Identity(), outputs[place].value)
    }
    if described.contains(where: { $0.name == predicted.label }) {
      let hasScores = described.contains { $0.name == predicted.probabilities }
      builder.function.features.classifier = .init(
        label: predicted.label,
        probabilities: hasScores ? predicted.probabilities : nil
      )
    }
    let inputs = builder.function.inputs
    for (place, input) in inputs.enumerated() {
      guard let (name, state) = states.first(where: { $0.value.input == input }) else { continue }
      builder.function.states.append(State(name, input: place, output: outputs.count))
      outputs.append((name, state.value))
    }
    let function = builder.finish(outputs)
    if let problem = function.featureProblem { throw Diagnostic("coreml.type", problem, at: origin) }
    return function
  }

  private mutating func describe(output feature: MLFeature, _ form: Feature.Form) {
    let described = Feature(describing: feature, form: form)
    if !described.isPlain { builder.function.features.outputs.append(described) }
  }
}

extension Feature {
  /// What the description says besides the form.
  init(describing feature: MLFeature, form: Form) {
    let type = feature.type
    let given: Double? =
      switch type.multiArrayType.defaultOptionalValue {
      case .intDefaultValue(let number)?: Double(number)
      case .floatDefaultValue(let number)?: Double(number)
      case .doubleDefaultValue(let number)?: number
      case nil: nil
      }
    self.init(
      feature.name,
      form,
      isOptional: type.isOptional,
      defaultValue: type.isOptional ? given : nil,
      summary: feature.shortDescription
    )
  }
}

extension MLFeature {
  /// What it is besides a tensor. A dictionary is one of keys that the caller gives.
  var form: Feature.Form {
    switch type.type {
    case .imageType(let image)?:
      switch image.colorSpace {
      case .grayscale: .image(.gray)
      case .grayscaleFloat16: .image(.gray16)
      case .bgr: .image(.bgr)
      default: .image(.rgb)
      }
    case .int64Type?, .doubleType?: .number
    case .sequenceType(let sequence)?: if case .int64Type? = sequence.type { .sequence } else { .array }
    case .dictionaryType(let dictionary)?:
      if case .stringKeyType? = dictionary.keyType { .dictionary(isText: true) } else { .dictionary(isText: false) }
    default: .array
    }
  }
}

extension DType {
  /// What arrays of the description's type are here.
  init(_ type: CoreML_Specification_ArrayFeatureType.ArrayDataType) {
    switch type {
    case .double: self = .float64
    case .float16: self = .float16
    case .int32: self = .int32
    case .int8: self = .int8
    default: self = .float32
    }
  }
}
