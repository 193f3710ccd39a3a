import CMLCKernelABI
import Synchronization

/// A value that one thread at a time looks at: a `Mutex` that ThreadSanitizer is told of. What the standard library
/// locks with is a futex, which it does not see.
struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  borrowing func withLock<R: Sendable>(_ body: (inout Value) -> R) -> R {
    mutex.withLock { value in
      withUnsafeMutablePointer(to: &value) { place in
        mlc_lock_taken(place)
        defer { mlc_lock_given_back(place) }
        return body(&place.pointee)
      }
    }
  }
}
