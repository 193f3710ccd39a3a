/// Backend tests that mlc imports and answers otherwise than ONNX, each with the reason.
enum ConformanceExceptions {
  static let reasons: [String: String] = [:]
}
