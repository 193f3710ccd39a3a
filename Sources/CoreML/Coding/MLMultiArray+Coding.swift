import Foundation
import MLCCore

extension MLMultiArray: NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  /// Element type, shape, and the elements in row-major order without gaps, in this machine's order of bytes.
  public func encode(with coder: NSCoder) {
    coder.encode(dataType.rawValue, forKey: "dataType")
    coder.encode(numbers: layout.shape, forKey: "shape")
    coder.encode(denseBytes as NSData, forKey: "elements")
  }

  /// `nil` for an archive without an array, or whose elements are not as many as its shape says.
  public convenience init?(coder: NSCoder) {
    guard let dataType: MLMultiArrayDataType = coder.choice(forKey: "dataType"),
      let shape = coder.numbers(forKey: "shape"), let bytes = coder.object(NSData.self, forKey: "elements"),
      let layout = ArrayLayout(shape, width: dataType.byteCount), layout.count * dataType.byteCount == bytes.length
    else { return nil }
    do { try self.init(dataType, layout) } catch { return nil }
    if bytes.length > 0 { base.copyMemory(from: bytes.bytes, byteCount: bytes.length) }
  }

  private var denseBytes: Data {
    var bytes = Data(count: count * dataType.byteCount)
    guard count > 0, let dense = ArrayLayout(layout.shape, width: dataType.byteCount) else { return bytes }
    bytes.withUnsafeMutableBytes { target in
      guard let place = target.baseAddress else { return }
      ElementCopy.copy(from: base, dataType, layout, to: place, dataType, dense)
    }
    return bytes
  }
}
