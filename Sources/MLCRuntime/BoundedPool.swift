import MLCCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Things that are costly to make and used by one run at a time. There are `limit` of them at most; whoever finds all
/// in use waits. None is freed before the pool, so that a steady load neither makes nor frees any.
///
/// `@unchecked Sendable`: what varies is read and written by whoever holds the mutex.
package final class BoundedPool<Item: Sendable>: @unchecked Sendable {  // guarded by its mutex
  private let limit: Int
  private var made = 0
  private var idle: [Item] = []
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let returned = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// `limit` is above 0.
  package init(limit: Int) {
    precondition(limit > 0, "a pool of \(limit)")
    self.limit = limit
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(returned, nil)
  }

  deinit {
    pthread_cond_destroy(returned)
    pthread_mutex_destroy(mutex)
    returned.deallocate()
    mutex.deallocate()
  }

  /// One that `fits`, the last given back first; else a new one, while there are fewer than the limit; else the one
  /// that has been idle longest, waiting for it if none is. It is the caller's until `giveBack` or `drop`. Throws what
  /// `make` throws.
  package func take(
    orMake make: @autoclosure () throws(Diagnostic) -> Item,
    where fits: (Item) -> Bool
  ) throws(Diagnostic) -> Item {
    if let item = takeIdle(where: fits) { return item }
    do throws(Diagnostic) { return try make() } catch {
      drop()
      throw error
    }
  }

  /// `nil` when the caller may make one, which is counted already.
  private func takeIdle(where fits: (Item) -> Bool) -> Item? {
    pthread_mutex_lock(mutex)
    var waiting: UInt64?
    defer {
      pthread_mutex_unlock(mutex)
      Trace.end("wait for one in flight", waiting)
    }
    while true {
      if let index = idle.lastIndex(where: fits) { return idle.remove(at: index) }
      if made < limit {
        made += 1
        return nil
      }
      if !idle.isEmpty { return idle.removeFirst() }
      waiting = waiting ?? Trace.begin()
      pthread_cond_wait(returned, mutex)
    }
  }

  package func giveBack(_ item: Item) {
    pthread_mutex_lock(mutex)
    idle.append(item)
    pthread_mutex_unlock(mutex)
    pthread_cond_signal(returned)
  }

  /// In place of `giveBack` for one that is of no use any more.
  package func drop() {
    pthread_mutex_lock(mutex)
    made -= 1
    pthread_mutex_unlock(mutex)
    pthread_cond_signal(returned)
  }
}
