import CMLCTensor
import Foundation

/// Work divided among the cores.
enum Parallel {
  static let cores: Int = {
    let all = ProcessInfo.processInfo.activeProcessorCount
    guard let text = ProcessInfo.processInfo.environment["MLC_THREADS"], let count = Int(text) else { return all }
    return min(max(count, 1), 1024)
  }()

  /// The kernels of this processor.
  nonisolated(unsafe) static let kernels: mlct_kernels = {  // a constant table of C functions
    guard let best = mlct_kernels_best() else { preconditionFailure("no kernels run on this processor") }
    return best.pointee
  }()

  /// Calls `body` with parts of `0 ..< count`, of `grain` and more, which together are all of it. Parts begin at
  /// multiples of `alignment`.
  static func run(_ count: Int, grain: Int, alignment: Int = 1, _ body: (Range<Int>) -> Void) {
    if count == 0 { return }
    let parts = cores == 1 ? 1 : min(max(count / max(grain, 1), 1), cores * 4)
    let size = ((count + parts - 1) / parts + alignment - 1) / alignment * alignment
    let pieces = (count + size - 1) / size
    if pieces == 1 { return body(0..<count) }
    withoutActuallyEscaping(body) { body in
      SharedLoop(pieces) { piece in body(piece * size..<min((piece + 1) * size, count)) }.run()
    }
  }
}
