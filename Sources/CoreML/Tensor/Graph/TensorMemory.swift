import CMLCTensor
import MLCCore

/// The elements of a tensor, dense and in row-major order.
final class TensorMemory: @unchecked Sendable {  // written before anybody else sees it, then only read
  let base: UnsafeMutableRawPointer
  private let byteCount: Int
  private let owner: (any Sendable)?

  /// New memory, not initialised. A precondition that there is as much.
  init(byteCount: Int) {
    precondition(byteCount <= maximumTensorBytes, "a tensor of \(byteCount) bytes is larger than any may be")
    do throws(Diagnostic) {
      (base, self.byteCount) = try TensorReserve.shared.take(byteCount)
    } catch { preconditionFailure("there is no memory for a tensor of \(byteCount) bytes") }
    owner = nil
  }

  /// Memory that `owner` keeps, to be read only.
  init(viewing base: UnsafeRawPointer, of owner: any Sendable) {
    (self.base, byteCount, self.owner) = (UnsafeMutableRawPointer(mutating: base), 0, owner)
  }

  deinit { if owner == nil { TensorReserve.shared.giveBack(base, byteCount) } }
}

/// Elements, and what they are.
struct TensorValue {
  let memory: TensorMemory
  let shape: [Int]
  let kind: ScalarKind

  var base: UnsafeMutableRawPointer { memory.base }
  var count: Int { shape.reduce(1, *) }

  /// The place of the element that stands at `index` in row-major order.
  func element(_ index: Int) -> UnsafeMutableRawPointer { base + index * kind.width }
}
