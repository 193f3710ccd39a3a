import Glibc
import MLCCore

/// Runs a program with two open files and nothing else: no standard input, no output but its result.
package enum ChildProcess {
  package enum End: Equatable {
    case exited(Int32)
    case signalled(Int32)
    case tooLong
  }

  /// Waits for the program's end, at most `seconds`, after which it is killed. `input` and `output` are its descriptors 3 and 4.
  /// Throws `hdf5.child` when it cannot be started.
  package static func run(
    _ executable: String,
    _ arguments: [String],
    input: Int32,
    output: Int32,
    seconds: Int
  ) throws(Diagnostic) -> End {
    // Copies above 4, so that putting one in place cannot overwrite the other.
    let (source, target) = (fcntl(input, F_DUPFD_CLOEXEC, 10), fcntl(output, F_DUPFD_CLOEXEC, 10))
    defer { for descriptor in [source, target] where descriptor >= 0 { close(descriptor) } }
    guard source >= 0, target >= 0 else { throw failed(errno) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for descriptor: Int32 in 1...2 { posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0) }
    posix_spawn_file_actions_adddup2(&actions, source, HDF5ChildMain.input)
    posix_spawn_file_actions_adddup2(&actions, target, HDF5ChildMain.output)
    var process = pid_t()
    let status = withCStrings(arguments) { arguments in
      withCStrings(environment()) { posix_spawn(&process, executable, &actions, nil, arguments, $0) }
    }
    guard status == 0 else { throw failed(status) }
    return wait(process, seconds)
  }

  private static func failed(_ code: Int32) -> Diagnostic {
    let reason = String(cString: strerror(code))
    return Diagnostic("hdf5.child", "cannot start the process that reads HDF5: \(reason)", kind: .environment)
  }

  /// What the dynamic linker needs, and nothing that a library would take as a wish.
  private static func environment() -> [String] {
    let kept = getenv("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=" + String(cString: $0)] } ?? []
    return kept + ["LC_ALL=C", "SWIFT_BACKTRACE=enable=no"]
  }

  private static func withCStrings<R>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) throws -> R
  ) rethrows -> R {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return try (pointers + [nil]).withUnsafeBufferPointer { try body($0.baseAddress!) }
  }

  private static func wait(_ process: pid_t, _ seconds: Int) -> End {
    var status: Int32 = 0
    var start = timespec()
    clock_gettime(CLOCK_MONOTONIC, &start)
    var (pause, isKilled) = (UInt32(200), false)
    while waitpid(process, &status, isKilled ? 0 : WNOHANG) != process {
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      if now.tv_sec - start.tv_sec > seconds, !isKilled {
        kill(process, SIGKILL)
        isKilled = true
      }
      usleep(pause)
      pause = min(pause * 3 / 2, 20_000)
    }
    if isKilled { return .tooLong }
    let signal = status & 0x7f
    return signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
  }
}
