import CMLCProcess

/// Runs `body(0)` to `body(count - 1)`, several at a time where there are threads. `body` may not write what another
/// index reads or writes.
package func parallelFor(_ count: Int, _ body: (Int) -> Void) {
  guard count > 1 else {
    for index in 0..<Swift.max(count, 0) { body(index) }
    return
  }
  withoutActuallyEscaping(body) { body in
    var context = body
    withUnsafeMutablePointer(to: &context) { pointer in
      mlc_parallel_for(Int64(count), pointer) { context, index in
        context!.assumingMemoryBound(to: ((Int) -> Void).self).pointee(Int(index))
      }
    }
  }
}
