import MLCCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file of spans in Chrome's trace format: an array of complete events, each written as it ends.
///
/// The array is closed behind every event, and the next one is written over its end, so that the file is whole whenever
/// the program goes away.
package final class TraceFile: Sendable {
  private let descriptor: Int32
  /// Where the array's end stands.
  private let end: Mutex<Int>
  /// Threads by their handles, numbered as they come: viewers want small numbers.
  private let threads = Mutex<[Int: Int]>([:])
  /// When memory was last written.
  private let remembered = Atomic<UInt64>(0)

  /// Makes the file, or empties it. Throws `file.write`.
  package init(path: String) throws(Diagnostic) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw Diagnostic("file.write", "cannot write '\(path)': \(reason)", kind: .environment)
    }
    let program = "\"args\":{\"name\":\(JSON.quoted(TraceFile.program))}"
    let head = "[\n" + TraceFile.event("process_name", "M", thread: 1, program)
    end = Mutex(head.utf8.count)
    TraceFile.write(head + TraceFile.ending, to: descriptor, at: 0)
  }

  deinit { _ = close(descriptor) }

  /// A span of this thread's, from and to in nanoseconds. `category` is what viewers tell kinds of spans apart by.
  package func write(
    _ name: String,
    category: StaticString? = nil,
    from start: UInt64,
    to finish: UInt64,
    _ details: [(name: StaticString, value: String)] = []
  ) {
    append([span(name, category, start, finish, details)])
    writeMemory(at: finish)
  }

  /// Spans one after the other, the first of which begins at `start`: name, nanoseconds and details of each.
  package func write(
    category: StaticString,
    from start: UInt64,
    _ spans: [(name: String, nanoseconds: UInt64, details: [(name: StaticString, value: String)])]
  ) {
    var place = start
    append(
      spans.map { item in
        defer { place &+= item.nanoseconds }
        return span(item.name, category, place, place &+ item.nanoseconds, item.details)
      }
    )
  }

  private func span(
    _ name: String,
    _ category: StaticString?,
    _ start: UInt64,
    _ finish: UInt64,
    _ details: [(name: StaticString, value: String)]
  ) -> String {
    var fields = "\"ts\":\(TraceFile.microseconds(start)),\"dur\":\(TraceFile.microseconds(finish &- start))"
    if let category { fields += ",\"cat\":\(JSON.quoted("\(category)"))" }
    if !details.isEmpty {
      let pairs = details.map { "\(JSON.quoted("\($0.name)")):\(JSON.quoted($0.value))" }
      fields += ",\"args\":{\(pairs.joined(separator: ","))}"
    }
    let thread = threads.withLock { threads in
      let handle = TraceFile.threadHandle
      let number = threads[handle] ?? threads.count + 1
      threads[handle] = number
      return number
    }
    return TraceFile.event(name, "X", thread: thread, fields)
  }

  private func append(_ events: [String]) {
    let text = events.map { ",\n\($0)" }.joined()
    end.withLock { end in
      TraceFile.write(text + TraceFile.ending, to: descriptor, at: end)
      end += text.utf8.count
    }
  }

  /// Resident memory as a counter, a hundred times a second at most.
  private func writeMemory(at time: UInt64) {
    let last = remembered.load(ordering: .relaxed)
    guard time > last &+ 10_000_000,
      remembered.compareExchange(expected: last, desired: time, ordering: .relaxed).exchanged,
      let bytes = ResidentMemory.bytes
    else { return }
    let fields = "\"ts\":\(TraceFile.microseconds(time)),\"args\":{\"resident MB\":\(bytes / 1_000_000)}"
    append([TraceFile.event("memory", "C", thread: 1, fields)])
  }

  private static let ending = "\n]\n"

  private static func event(_ name: String, _ phase: String, thread: Int, _ fields: String) -> String {
    "{\"name\":\(JSON.quoted(name)),\"ph\":\"\(phase)\",\"pid\":\(getpid()),\"tid\":\(thread),\(fields)}"
  }

  /// With three digits behind the point: nanoseconds.
  private static func microseconds(_ nanoseconds: UInt64) -> String {
    let rest = String(nanoseconds % 1000)
    return "\(nanoseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  private static func write(_ text: String, to descriptor: Int32, at place: Int) {
    var text = text
    text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(place + done))
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return }
        done += count
      }
    }
  }

  /// Nanoseconds of a clock that never goes back.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  private static var threadHandle: Int {
    #if os(Linux)
      Int(bitPattern: pthread_self())
    #else
      Int(bitPattern: UnsafeRawPointer(pthread_self()))
    #endif
  }

  private static var program: String {
    CommandLine.arguments.first.flatMap { $0.split(separator: "/").last.map { String($0) } } ?? "mlc"
  }
}
