import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps
import SwiftProtobuf

/// A classifier as MIL's `classify` has it: the label is that of the greatest score, and what gives it is that
/// operator.
struct ClassifierForm {
  /// The function without its label; its scores are an output under another name.
  let function: Function
  private let labels: ClassLabels
  private let label: String, probabilities: String
  /// Where among the source's outputs the label is, and where among the function's the scores are.
  private let place: Int, scores: Int

  /// `nil` where the function is no classifier, or its label is something else.
  init?(_ source: Function) {
    guard let classifier = source.features.classifier, let probabilities = classifier.probabilities,
      let labels = source.features.classLabels,
      let place = source.outputNames.firstIndex(of: classifier.label),
      let scores = source.outputNames.firstIndex(of: probabilities),
      Self.isGreatest(source.outputs[place], of: source.outputs[scores], labels, source), source.states.isEmpty
    else { return nil }
    (self.labels, label, self.probabilities, self.place) = (labels, classifier.label, probabilities, place)
    var function = source
    function.outputNames[scores] = "\(probabilities)_scores"
    function.outputNames.remove(at: place)
    function.body.outputs.remove(at: place)
    function.body.operations = function.body.operations(for: function.outputs)
    function.features = Features()
    function.features.inputs = source.features.inputs
    function.features.outputs = source.features.outputs.filter { ![classifier.label, probabilities].contains($0.name) }
    self.scores = scores > place ? scores - 1 : scores
    self.function = function
  }

  /// Appends `classify`, whose results take the places of label and scores.
  func classify(_ written: inout MILFunction) {
    for key in written.blockSpecializations.keys {
      var body = written.blockSpecializations[key]!
      let tensor = body.outputs[scores]
      body.operations.append(operation(of: tensor))
      body.outputs[scores] = probabilities
      body.outputs.insert(label, at: place)
      written.blockSpecializations[key] = body
    }
  }

  /// Makes label and scores of the description what they are.
  func describe(_ interface: inout CoreML_Specification_FunctionDescription, _ features: Features) {
    var (text, dictionary) = (MLFeature(), MLFeature())
    (text.name, dictionary.name) = (label, probabilities)
    if labels.dtype == .string {
      text.type.stringType = .init()
      dictionary.type.dictionaryType.stringKeyType = .init()
    } else {
      text.type.int64Type = .init()
      dictionary.type.dictionaryType.int64KeyType = .init()
    }
    for feature in features.outputs {
      if feature.name == label { text.shortDescription = feature.summary }
      if feature.name == probabilities { dictionary.shortDescription = feature.summary }
    }
    interface.output[scores] = dictionary
    interface.output.insert(text, at: place)
    (interface.predictedFeatureName, interface.predictedProbabilitiesName) = (label, probabilities)
  }

  private func operation(of tensor: String) -> MILOperation {
    let key = MILValueType(TensorType(labels.dtype, [Dim]()))
    var operation = MILOperation()
    operation.type = "classify"
    operation.attributes["name"] = MILValue("\(label)_classify")
    operation.inputs["probabilities"] = .with { $0.arguments = [.with { $0.name = tensor }] }
    operation.inputs["classes"] = .with { $0.arguments = [.with { $0.value = MILValue(list: labels) }] }
    operation.outputs = [
      .with { ($0.name, $0.type) = (label, key) },
      .with {
        $0.name = probabilities
        $0.type.dictionaryType.keyType = key
        $0.type.dictionaryType.valueType = MILValueType(TensorType(.float64, [Dim]()))
      },
    ]
    return operation
  }

  private static func isGreatest(_ label: ValueID, of scores: ValueID, _ labels: ClassLabels, _ function: Function)
    -> Bool
  {
    var makers: [ValueID: Operation] = [:]
    for operation in function.body.operations { for output in operation.outputs { makers[output] = operation } }
    func root(_ value: ValueID) -> ValueID {
      guard let maker = makers[value],
        maker.op is Reshape || maker.op is Squeeze || maker.op is ExpandDims || maker.op is Identity
      else { return value }
      return root(maker.inputs[0][0])
    }
    guard let gather = makers[label], gather.op is Gather, let table = gather.argument("x"),
      let index = gather.argument("indices"), let greatest = makers[root(index)], greatest.op is ReduceArgmax,
      let named = function.fact(table).value
    else { return false }
    let isSame =
      switch labels {
      case .strings(let names): named.dtype == .string && named.strings == names
      case .integers(let numbers): named.dtype.isInteger && named.integers == numbers.map { Int($0) }
      }
    return isSame && root(greatest.inputs[0][0]) == root(scores)
  }
}

extension MILValue {
  /// A list of texts or integers in place.
  fileprivate init(list labels: ClassLabels) {
    self.init()
    type.listType.type = MILValueType(TensorType(labels.dtype, [Dim]()))
    type.listType.length.constant.size = UInt64(labels.count)
    let tensors: [Tensor] =
      switch labels {
      case .strings(let names): names.map { Tensor([], strings: [$0]) }
      case .integers(let numbers): numbers.map { Tensor(.int64, [], [Int($0)]) }
      }
    immediateValue.list.values = tensors.map { MILValue(immediate: $0) }
  }
}
