import CMLCProcess

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension ChildProgram {
  /// Runs it to its end. Throws `process.start` when it cannot be started.
  package func run() throws(Diagnostic) -> End { try ChildProgram.run([self], atOnce: 1)[0] }

  /// Runs `programs`, at most `width` at once and fewer where the system has no room, and answers their ends in order.
  /// None begins once one did not end with 0: the ends are those of the ones that had begun. Throws `process.start`
  /// when one cannot be started; none is running then.
  package static func run(_ programs: [ChildProgram], atOnce width: Int) throws(Diagnostic) -> [End] {
    var ends = [Result<End, Diagnostic>?](repeating: nil, count: programs.count)
    var running: [RunningChild] = []
    var (next, end) = (0, programs.count)
    while next < end || !running.isEmpty {
      while running.count < max(1, width), next < end {
        do throws(Diagnostic) { running.append(try RunningChild(programs[next], number: next)) } catch {
          if running.isEmpty { throw error }
          break
        }
        next += 1
      }
      RunningChild.wait(&running) { number, result in
        ends[number] = result
        if case .success(let done) = result, done.kind == .exited(0) { return }
        end = next
      }
    }
    var results: [End] = []
    for case let end? in ends { results.append(try end.get()) }
    return results
  }
}

/// A child from its start to its end.
private struct RunningChild {
  private let program: ChildProgram
  private let number: Int
  private let handle: OpaquePointer
  private let control: Int32
  /// -1 once all was read.
  private var messages: Int32
  private var text: [UInt8] = []

  init(_ program: ChildProgram, number: Int) throws(Diagnostic) {
    var error: Int32 = 0
    guard let handle = RunningChild.start(program, &error) else { throw RunningChild.unstarted(program, error) }
    (self.program, self.number, self.handle) = (program, number, handle)
    (control, messages) = (mlc_child_control(handle), mlc_child_messages(handle))
    if messages >= 0 { _ = fcntl(messages, F_SETFL, O_NONBLOCK) }
  }

  private static func start(_ program: ChildProgram, _ error: inout Int32) -> OpaquePointer? {
    let limits = program.limits
    let variables = program.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return withCStrings([program.path] + program.arguments) { arguments in
      withCStrings(variables) { environment in
        withCStrings([program.path] + (program.folder.map { [$0] } ?? [])) { places in
          program.files.withUnsafeBufferPointer { files in
            var request = mlc_program()
            (request.path, request.folder) = (UnsafePointer(places[0]), UnsafePointer(places[1]))
            request.arguments = UnsafePointer(arguments)
            request.environment = UnsafePointer(environment)
            (request.files, request.file_count) = (files.baseAddress, Int32(files.count))
            request.speaks = program.speaks
            request.limits = mlc_limits(
              memory: Int64(limits.memoryBytes ?? 0),
              addresses: Int64(limits.addressBytes ?? 0),
              cpu_seconds: Int64(limits.cpuSeconds ?? 0),
              wall_seconds: Int64(limits.wallSeconds ?? 0),
              file: Int64(limits.fileBytes ?? 0),
              descriptors: Int64(limits.descriptors ?? 0),
              isolated: !limits.hasNetwork
            )
            return mlc_child_start(&request, &error)
          }
        }
      }
    }
  }

  /// `strings` as C has them, null behind the last.
  private static func withCStrings<R>(
    _ strings: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
  }

  private static func unstarted(_ program: ChildProgram, _ code: Int32) -> Diagnostic {
    let reason = String(cString: strerror(code))
    return Diagnostic("process.start", "cannot run '\(program.path)': \(reason)", kind: .environment)
  }

  /// Waits until something happens to one of `running`; takes out those that ended and hands over their ends.
  static func wait(_ running: inout [RunningChild], _ ended: (Int, Result<ChildProgram.End, Diagnostic>) -> Void) {
    var polled = running.flatMap { child in
      [child.control, child.messages].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    }
    while poll(&polled, nfds_t(polled.count), -1) < 0 && errno == EINTR {}
    for place in running.indices.reversed() {
      if polled[2 * place + 1].revents != 0 { running[place].read() }
      guard polled[2 * place].revents != 0 else { continue }
      var child = running.remove(at: place)
      child.read()
      ended(child.number, child.finish())
    }
  }

  /// What there is to read now.
  private mutating func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while messages >= 0 {
      let count = receive(messages, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count == 0 { messages = -1 }
      guard count > 0 else { return }
      if text.count < 1 << 16 { text += buffer[..<count] }
    }
  }

  private func finish() -> Result<ChildProgram.End, Diagnostic> {
    let end = mlc_child_finish(handle)
    let kind: ChildProgram.End.Kind
    switch mlc_end_kind(rawValue: UInt32(end.kind)) {
    case MLC_NOT_STARTED: return .failure(RunningChild.unstarted(program, end.value))
    case MLC_TOO_LONG: kind = .tooLong
    case MLC_ENDED:
      let signal = end.value & 0x7f
      kind = signal == 0 ? .exited(end.value >> 8 & 0xff) : .signalled(signal)
    default: kind = .lost
    }
    return .success(ChildProgram.End(kind: kind, messages: String(decoding: text, as: UTF8.self)))
  }
}

/// The system's `read`, which a method of that name would hide.
private func receive(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
