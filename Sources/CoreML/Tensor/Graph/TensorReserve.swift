import MLCCore
import MLCRuntime
import Synchronization

/// Blocks of memory that tensors have left, for those that come next: new memory must be cleared by the system, which
/// takes a product of 512 × 512 matrices half as long as the product itself.
package final class TensorReserve: Sendable {
  private struct Block: @unchecked Sendable {  // whoever takes it out owns it
    let base: UnsafeMutableRawPointer
    let byteCount: Int
  }

  /// Smaller ones the allocator keeps itself.
  private static let leastBlock = 1 << 16
  /// Together no more than this is kept; what has been kept longest goes first.
  private static let mostKept = 1 << 26

  static let shared = TensorReserve()

  /// The newest last.
  private let blocks = Mutex<[Block]>([])

  package init() {}

  deinit { for block in blocks.withLock({ $0 }) { AlignedMemory.free(block.base, block.byteCount) } }

  /// How much is kept at present.
  package var byteCount: Int { blocks.withLock { $0.reduce(0) { $0 + $1.byteCount } } }

  /// A block of at least `byteCount` bytes, which are anything, and its size.
  package func take(_ byteCount: Int) throws(Diagnostic) -> (base: UnsafeMutableRawPointer, byteCount: Int) {
    if byteCount >= Self.leastBlock {
      let kept = blocks.withLock { blocks -> Block? in
        // No more than a quarter is wasted.
        guard let index = blocks.lastIndex(where: { byteCount...(byteCount + byteCount / 4) ~= $0.byteCount }) else {
          return nil
        }
        return blocks.remove(at: index)
      }
      if let kept { return (kept.base, kept.byteCount) }
    }
    return (try AlignedMemory.allocate(byteCount), byteCount)
  }

  /// Takes back what `take` gave.
  package func giveBack(_ base: UnsafeMutableRawPointer, _ byteCount: Int) {
    guard Self.leastBlock...(Self.mostKept / 2) ~= byteCount else { return AlignedMemory.free(base, byteCount) }
    let surplus = blocks.withLock { blocks in
      blocks.append(Block(base: base, byteCount: byteCount))
      var (total, first) = (0, blocks.count)
      while first > 0, total + blocks[first - 1].byteCount <= Self.mostKept {
        first -= 1
        total += blocks[first].byteCount
      }
      let surplus = Array(blocks[..<first])
      blocks.removeFirst(first)
      return surplus
    }
    for block in surplus { AlignedMemory.free(block.base, block.byteCount) }
  }
}
