import FuzzSupport
import MLCCore
import MLCProtobuf

extension FuzzTarget {
  /// The scan for payloads, by rules where every message may hold every other, and the walk over what it leaves.
  static let protobuf = FuzzTarget("protobuf", ProtobufMutator()) { (bytes) throws(Diagnostic) in
    let rules = (1...15).map { ProtobufScan.Rule(0, $0, $0 == 9 ? nil : 0) }
    let scan = try ProtobufScan(bytes, rules: rules, minimumLength: 4, format: "onnx")
    for payload in scan.payloads {
      precondition(payload.range.lowerBound >= 0 && payload.range.upperBound <= bytes.count, "\(payload.range)")
    }
  }
}
