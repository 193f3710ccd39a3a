/// What cannot be done, in words for whoever asked.
enum QuestionError: Error, Equatable, CustomStringConvertible {
  case vocabularyLacks(String)
  case questionTooLong(tokens: Int, window: Int)
  case modelLacks(String)
  case modelTakes(String)
  case windowTooLong(Int, longest: Int)
  case logitsDoNotFit

  var description: String {
    switch self {
    case .vocabularyLacks(let token): "the vocabulary has no \(token): is it a BERT's?"
    case .questionTooLong(let tokens, let window):
      "the question has \(tokens) tokens, which leaves too few of a window's \(window) to the paragraph"
    case .modelLacks(let feature): "the model has no \(feature)"
    case .modelTakes(let problem): "the model takes \(problem)"
    case .windowTooLong(let window, let longest): "a window of \(window) tokens: the model takes \(longest) at most"
    case .logitsDoNotFit: "the model does not give two numbers a token"
    }
  }
}
