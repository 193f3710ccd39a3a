import Foundation
import MLCCore
import MLCGraph

/// A program as mlc has it, kept beside its Core ML form: names, element types, sizes, attributes and origins, but no
/// constants that the form holds. The digest says which form it belongs to: after anyone changes that, the note is
/// void.
struct ProgramNote: Codable {
  var version = 2
  var digest = ""
  /// Keys and values in turn.
  var metadata: [String]
  var functions: [FunctionNote] = []

  init(metadata: [(key: String, value: String)]) { self.metadata = metadata.flatMap { [$0.key, $0.value] } }

  /// As the package's metadata have it.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = Self.floats.encoding
    return Self.packed(try! encoder.encode(self))  // strings and numbers, with names for all that are not finite
  }

  /// How numbers are spelled that JSON has not.
  static let floats = (
    encoding: JSONEncoder.NonConformingFloatEncodingStrategy.convertToString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan"
    ),
    decoding: JSONDecoder.NonConformingFloatDecodingStrategy.convertFromString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan"
    )
  )

  static func digest(_ program: MILProgram) -> String {
    var digest = SHA256()
    if let data = try? PackageWriter.serialized(program) { data.withUnsafeBytes { digest.update($0) } }
    return digest.hexDigest
  }
}

struct FunctionNote: Codable {
  var name: String
  var inputs: [Int]
  var outputNames: [String]
  /// Symbol, least, greatest.
  var bounds: [BoundNote]
  var enumerations: [EnumerationNote]?
  var values: [ValueNote]
  var body: BlockNote
  var states: [StateNote]?
  var features: Features?
}

struct StateNote: Codable {
  var name: String
  /// Places among inputs and outputs.
  var input: Int
  var output: Int
}

struct BoundNote: Codable {
  var symbol: String
  var low: Int
  var high: Int
}

struct EnumerationNote: Codable {
  var symbols: [String]
  var choices: [[Int]]
}

struct ValueNote: Codable {
  var name: String
  var type: String
  var shape: [String]
}

struct BlockNote: Codable {
  var inputs: [Int]
  var outputs: [Int]
  var operations: [OperationNote]
}

struct OperationNote: Codable {
  var op: String
  /// For a constant, the name of the `const` that holds it, converted to the output's type without loss, or of the part
  /// of a compressed constant (`MILCompressedPart`) that has its bytes.
  var constant: String?
  var attributes: [String: [String]]?
  var inputs: [[Int]]
  var outputs: [Int]
  var blocks: [BlockNote]?
  /// Function, node, op, pass, as far as the last that is known.
  var origin: [String?]?
}
