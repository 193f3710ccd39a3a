import CoreML
import Foundation
import Testing

@testable import QuestionAnswering

/// What Scripts/make_fixtures.py wrote.
enum Samples {
  /// What HuggingFace's tokeniser makes of a text; ranges count scalars.
  struct Tokens: Decodable {
    let text: String
    let cased: Bool
    let ids: [Int32]
    let ranges: [[Int]]
  }

  /// An empty answer says that the paragraph has none.
  struct Question: Decodable {
    let paragraph: String
    let question: String
    let answer: String
  }

  static func file(_ name: String) throws -> URL {
    try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil)).appendingPathComponent(name)
  }

  static func read<T: Decodable>(_ name: String) throws -> [T] {
    try JSONDecoder().decode([T].self, from: try Data(contentsOf: try file(name)))
  }

  /// The program, beside the tests.
  static let program = Bundle.main.bundleURL.appendingPathComponent("QuestionAnswering")

  /// The package's own, beside the program.
  static func vocabulary() throws -> URL {
    let resources = "QuestionAnswering_QuestionAnswering.resources/vocab.txt"
    return Bundle.main.bundleURL.appendingPathComponent(resources)
  }

  static func tokenizer(cased: Bool = false) throws -> WordPieceTokenizer {
    WordPieceTokenizer(vocabulary: try Vocabulary(contentsOf: try vocabulary()), lowercased: !cased)
  }

  /// Has models compiled by the command that this package has built, unless the environment names another.
  static func useBuiltCommand() {
    let built = Bundle.main.bundleURL.appendingPathComponent("mlc-tool").path
    if FileManager.default.isExecutableFile(atPath: built) { setenv("MLC", built, 0) }
  }
}
