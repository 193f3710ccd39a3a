import MLCCore
import MLCRuntime

/// Memory for one output, which goes to an array when the prediction is done.
final class FreshMemory: @unchecked Sendable {  // one prediction writes it, then it is handed on
  let base: UnsafeMutableRawPointer
  private let byteCount: Int
  init(_ byteCount: Int) throws(Diagnostic) {
    base = try AlignedMemory.allocate(byteCount)
    self.byteCount = byteCount
  }
  deinit { AlignedMemory.free(base, byteCount) }

  func tensor(_ dtype: DType, _ shape: [Int]) -> Tensor? {
    guard let count = shape.checkedProduct, let bytes = dtype.byteCount(count) else { return nil }
    return Tensor(dtype, shape, storage: Storage(viewing: UnsafeRawBufferPointer(start: base, count: bytes), of: self))
  }
}
