import CoreML

/// A BERT that points to answers: of a window's tokens it gives how well each begins and how well each ends one.
///
/// It takes tokens' ids and, if it has inputs for them, which tokens are none and which are the question's. Features
/// have the names that exporters give them. It takes windows of one length, of a few, or of any in a range.
struct ReadingModel: Sendable {
  private let model: MLModel
  private let lengths: WindowLengths
  /// The most tokens that a window has.
  let window: Int
  private let inputs: [(feature: String, content: Content, scalars: MLMultiArrayDataType, rank: Int)]
  private let (starts, ends): (String, String)

  /// What an input is.
  private enum Content: CaseIterable {
    case ids, mask, types

    var names: [String] {
      switch self {
      case .ids: ["input_ids", "input_ids:0", "wordIDs"]
      case .mask: ["attention_mask", "input_mask", "input_mask:0"]
      case .types: ["token_type_ids", "segment_ids", "segment_ids:0", "wordTypes"]
      }
    }
  }

  /// `window` is the most tokens that a window shall have; without it, as many as the model takes, or 384, as BERTs
  /// mostly are trained with, where it sets no limit.
  /// `lengths` goes before what the model says of its sizes.
  init(_ model: MLModel, window: Int? = nil, lengths: WindowLengths? = nil) throws {
    let taken = model.modelDescription.inputDescriptionsByName
    let given = model.modelDescription.outputDescriptionsByName
    self.model = model
    inputs = try Content.allCases.compactMap { content in
      guard let name = content.names.first(where: { taken[$0] != nil }) else { return nil }
      guard let array = taken[name]?.multiArrayConstraint else { throw QuestionError.modelTakes("no arrays") }
      return (name, content, array.dataType, array.shape.count)
    }
    guard let ids = inputs.first, ids.content == .ids, let array = taken[ids.feature]?.multiArrayConstraint else {
      throw QuestionError.modelLacks("input of tokens: \(Content.ids.names.joined(separator: ", "))")
    }
    guard inputs.count == taken.count else { throw QuestionError.modelTakes("inputs beside tokens, mask and types") }
    let fitting = try lengths ?? WindowLengths(array.shapeConstraint)
    self.lengths = fitting
    self.window = window ?? (fitting.longest == Int.max ? 384 : fitting.longest)
    guard self.window <= fitting.longest else {
      throw QuestionError.windowTooLong(self.window, longest: fitting.longest)
    }
    func output(_ names: [String]) throws -> String {
      if let name = names.first(where: { given[$0] != nil }) { return name }
      throw QuestionError.modelLacks("output \(names.joined(separator: ", "))")
    }
    starts = try output(["start_logits", "startLogits", "output_0", "unstack:0"])
    ends = try output(["end_logits", "endLogits", "output_1", "unstack:1"])
  }

  /// For each window how well each of its tokens begins an answer, and how well it ends one. Windows are predicted on
  /// all cores.
  func logits(_ windows: [Window], padding: Int32) throws -> [(starts: [Float], ends: [Float])] {
    let batch = try model.predictions(fromBatch: MLArrayBatchProvider(array: windows.map { try input($0, padding) }))
    return try windows.indices.map { index in
      let output = batch.features(at: index)
      let logits = [starts, ends].compactMap { output.featureValue(for: $0)?.multiArrayValue }
        .map { MLShapedArray<Float>(converting: $0).scalars }
      let count = windows[index].ids.count
      guard logits.count == 2, logits.allSatisfy({ $0.count == lengths.fitting(count) }) else {
        throw QuestionError.logitsDoNotFit
      }
      return (Array(logits[0].prefix(count)), Array(logits[1].prefix(count)))
    }
  }

  private func input(_ window: Window, _ padding: Int32) throws -> any MLFeatureProvider {
    let length = lengths.fitting(window.ids.count)
    var features: [String: Any] = [:]
    for input in inputs {
      var (scalars, rest) = ([Int32](), Int32(0))
      switch input.content {
      case .ids: (scalars, rest) = (window.ids, padding)
      case .mask: scalars = window.ids.map { _ in 1 }
      case .types: scalars = window.types
      }
      scalars += Array(repeating: rest, count: length - scalars.count)
      let shape = Array(repeating: 1, count: input.rank - 1) + [length]
      switch input.scalars {
      case .int32: features[input.feature] = MLMultiArray(MLShapedArray(scalars: scalars, shape: shape))
      case .float32:
        features[input.feature] = MLMultiArray(MLShapedArray(scalars: scalars.map { Float($0) }, shape: shape))
      default: throw QuestionError.modelTakes("tokens as other numbers than int32 and float32")
      }
    }
    return try MLDictionaryFeatureProvider(dictionary: features)
  }
}
