import CMLCKernelABI
import MLCCore
import MLCPackage
import MLCRuntime

/// Runs shared objects of the kernel ABI on the processor's cores. Models that one driver loads share its threads.
package struct CPUDriver: Driver {
  package let family = "c"
  private let pool: CPUPool

  /// `threads` counts the caller of a prediction. When `nil`, all cores that the process may use, or fewer where the
  /// system has no threads left. Throws `runtime.threads` when there cannot be as many.
  package init(threads: Int? = nil) throws(Diagnostic) {
    if let threads {
      pool = try CPUPool(threads: threads)
      return
    }
    var count = min(CPU.coreCount, MLC_POOL_MOST_WORKERS)
    var made = try? CPUPool(threads: count)
    while made == nil, count > 2 {
      count /= 2
      made = try? CPUPool(threads: count)
    }
    if let made { pool = made } else { pool = try CPUPool(threads: 1) }
  }

  package var threads: Int { pool.workers }

  package func obstacle(to device: Manifest.Device) -> String? {
    CPU.obstacle(isa: device.isa, requires: device.requires)
  }

  package func load(_ artifact: Artifact) throws(Diagnostic) -> any Executable {
    let module = try CPUModule(artifact)
    module.weights.prefetch(except: artifact.gathered)
    return CPUExecutable(module, pool)
  }
}

/// The threads of a driver; none beside the caller's when it has one worker.
///
/// `@unchecked Sendable`: the C pool takes regions from any thread.
final class CPUPool: @unchecked Sendable {  // the C pool takes any thread
  let handle: OpaquePointer
  let workers: Int

  init(threads: Int) throws(Diagnostic) {
    guard let count = Int32(exactly: threads), let handle = mlc_pool_create(count) else {
      throw Diagnostic("runtime.threads", "cannot run on \(threads) threads", kind: .environment)
    }
    (self.handle, workers) = (handle, threads)
  }

  deinit { mlc_pool_destroy(handle) }
}
