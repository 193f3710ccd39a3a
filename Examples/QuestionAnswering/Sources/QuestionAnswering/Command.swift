import Foundation

/// Answers a question with words of a paragraph, and says how sure the answer is.
@main struct Command {
  static func main() async {
    guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
      complain(
        """
        usage: QuestionAnswering [--window TOKENS] [--model MODEL --vocabulary VOCABULARY.txt [--cased]] QUESTION [FILE]
        """
      )
      exit(2)
    }
    do {
      let paragraph = try options.paragraph.map { try Data(contentsOf: $0) } ?? FileHandle.standardInput.readToEnd()
      let text = String(decoding: paragraph ?? Data(), as: UTF8.self)
      let answer = try await options.answerer().answer(options.question, in: text)
      print(answer.map { "\(inOneLine($0.text)) (\(Int((100 * $0.confidence).rounded())) %)" } ?? "no answer")
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  /// Without line breaks, and without what a terminal would obey.
  private static func inOneLine(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
