import MLCCore

extension SHA256 {
  /// The first half of the digest in the shape of a UUID, upper case.
  var uuid: String {
    let digits = Array(hexDigest.uppercased())
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }
}
