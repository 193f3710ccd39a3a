import Dispatch

/// Runs `body(0)` to `body(count - 1)`, several at a time. `body` may not write what another index reads or writes.
func parallelFor(_ count: Int, _ body: (Int) -> Void) {
  guard count > 1 else {
    for index in 0..<Swift.max(count, 0) { body(index) }
    return
  }
  withoutActuallyEscaping(body) { body in
    nonisolated(unsafe) let work = body  // called only while `body` is alive, on indices of its own
    DispatchQueue.concurrentPerform(iterations: count) { work($0) }
  }
}
