import MLCCore
import MLCKernels

/// Packed weights in memory, with room between any two that nothing may read.
struct SpacedWeights: WeightSink {
  private(set) var bytes: [UInt8] = []
  private(set) var constants: [(offset: Int, byteCount: Int)] = []

  static let room = 64

  var byteCount: Int { bytes.count }

  mutating func append(_ tensor: Tensor) -> Int {
    let offset = (bytes.count + SpacedWeights.room + 63) / 64 * 64
    bytes.append(contentsOf: repeatElement(0xC5, count: offset - bytes.count))
    tensor.withBytes { bytes.append(contentsOf: $0) }
    constants.append((offset, tensor.byteCount))
    return offset
  }
}
