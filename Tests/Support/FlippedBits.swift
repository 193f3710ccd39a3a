import Foundation

/// Copies of files with one to four bits flipped, the same in every run.
public struct FlippedBits {
  /// How many copies of the files of a kind a test makes: 500, or what `MLC_MUTATIONS` says.
  public static let count = ProcessInfo.processInfo.environment["MLC_MUTATIONS"].flatMap { Int($0) } ?? 500

  private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

  public init() {}

  public mutating func copy(of whole: Data) -> Data {
    var bytes = whole
    for _ in 0...next(3) { bytes[next(bytes.count)] ^= UInt8(1 << next(8)) }
    return bytes
  }

  private mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
