import MLCCore

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  import Darwin
#endif

/// Another program, run to its end.
package enum ChildProcess {
  /// Runs `arguments[0]`, a path, with this process's environment and no input. Its standard output goes nowhere; answers its exit
  /// status, 128 and more for a signal, and the first 64 KiB of its standard error. Throws `runtime.process`.
  package static func run(_ arguments: [String]) throws(Diagnostic) -> (status: Int32, messages: String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure(arguments[0], errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
    var strings: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    strings.append(nil)
    var process: pid_t = 0
    let problem = posix_spawn(&process, arguments[0], &actions, nil, strings, environ)
    posix_spawn_file_actions_destroy(&actions)
    for string in strings { free(string) }
    close(ends[1])
    defer { close(ends[0]) }
    guard problem == 0 else { throw failure(arguments[0], problem) }
    let messages = readAll(ends[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let exited = status & 0x7f == 0
    return (exited ? status >> 8 & 0xff : 128 + status & 0x7f, messages)
  }

  private static func readAll(_ descriptor: Int32) -> String {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      if text.count < 1 << 16 { text += buffer[..<count] }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func failure(_ program: String, _ code: Int32) -> Diagnostic {
    let reason = String(cString: strerror(code))
    return Diagnostic("runtime.process", "cannot run '\(program)': \(reason)", kind: .environment)
  }
}
