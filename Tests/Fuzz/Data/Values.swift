import MLCCore
import MLCProtobuf

extension FuzzTarget {
  /// JSON: what is written reads back as the same.
  static let json = FuzzTarget("json", JSONMutator()) { (bytes) throws(Diagnostic) in
    let value = try JSON(parsing: bytes)
    precondition((try? JSON(parsing: value.text)) == value, "JSON reads back as another")
  }

  /// Sizes: what is written reads back as the same, and evaluates or not without a trap.
  static let dim = FuzzTarget("dim", WordMutator(dictionary: ["floor", "max", "min", "//", "*", "(", ")", "`", "-"])) {
    (bytes) throws(Diagnostic) in
    let size = try Dim(parsing: String(decoding: bytes, as: UTF8.self))
    _ = size.evaluate(Dictionary(size.symbols.map { ($0, 7) }) { a, _ in a })
    guard let again = try? Dim(parsing: size.description) else { return }
    precondition(again == size, "\(size) reads back as \(again)")
  }

  /// The scan for payloads, by rules where every message may hold every other, and the walk over what it leaves.
  static let protobuf = FuzzTarget("protobuf", ProtobufMutator()) { (bytes) throws(Diagnostic) in
    let rules = (1...15).map { ProtobufScan.Rule(0, $0, $0 == 9 ? nil : 0) }
    let scan = try ProtobufScan(bytes, rules: rules, minimumLength: 4, format: "onnx")
    for payload in scan.payloads {
      precondition(payload.range.lowerBound >= 0 && payload.range.upperBound <= bytes.count, "\(payload.range)")
    }
  }
}
