import CoreML
import Foundation

/// What the command is asked for.
struct Options: Equatable {
  var model: URL?
  var vocabulary: URL?
  var isCased = false
  var window: Int?
  var question = ""
  /// `nil` for standard input.
  var paragraph: URL?

  /// `nil` when `arguments` are none of the command's.
  init?(_ arguments: [String]) {
    var (rest, words) = (arguments[...], [String]())
    while let argument = rest.popFirst() {
      switch argument {
      case "--model", "--vocabulary":
        guard let path = rest.popFirst() else { return nil }
        let url = URL(fileURLWithPath: path)
        if argument == "--model" { model = url } else { vocabulary = url }
      case "--window":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else { return nil }
        window = count
      case "--cased": isCased = true
      default:
        if argument.hasPrefix("--") { return nil }
        words.append(argument)
      }
    }
    guard 1...2 ~= words.count, (model == nil) == (vocabulary == nil), model != nil || !isCased else { return nil }
    question = words[0]
    paragraph = words.count == 2 ? URL(fileURLWithPath: words[1]) : nil
  }

  /// The given model, compiled unless it is, with its vocabulary; else the one of this package.
  func answerer() async throws -> QuestionAnswerer {
    guard let model, let vocabulary else { return try await QuestionAnswerer.load(window: window ?? 128) }
    let tokenizer = WordPieceTokenizer(vocabulary: try Vocabulary(contentsOf: vocabulary), lowercased: !isCased)
    let loaded: MLModel
    if model.pathExtension == "mlmodelc" {
      loaded = try await MLModel.load(contentsOf: model)
    } else {
      let compiled = try await MLModel.compileModel(at: model)
      defer { try? FileManager.default.removeItem(at: compiled.deletingLastPathComponent()) }
      loaded = try await MLModel.load(contentsOf: compiled)
    }
    return QuestionAnswerer(model: try ReadingModel(loaded, window: window), tokenizer: tokenizer)
  }
}
