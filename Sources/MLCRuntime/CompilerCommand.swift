import MLCCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The command `mlc`, which compiles for applications: they link no compiler.
package struct CompilerCommand: Sendable {
  package let path: String

  /// What `MLC` in the environment names, else `mlc` beside this program, else on `PATH`. Throws `runtime.no-compiler`.
  package static func find() throws(Diagnostic) -> CompilerCommand {
    if let named = variable("MLC") {
      guard isExecutable(named) else {
        throw Diagnostic("runtime.no-compiler", "MLC names '\(named)', which is no program", kind: .environment)
      }
      return CompilerCommand(path: named)
    }
    let beside = programFolder.map { ["\($0)/mlc"] } ?? []
    guard let path = (beside + onPath("mlc")).first(where: { isExecutable($0) }) else {
      throw Diagnostic(
        "runtime.no-compiler",
        "the command 'mlc' was not found: let MLC name it, or put it beside the program or on PATH",
        kind: .environment
      )
    }
    return CompilerCommand(path: path)
  }

  /// This very process, where it is the command.
  package static var running: CompilerCommand {
    CompilerCommand(path: programPath ?? "/proc/self/exe")
  }

  /// What a result depends on beside the model: this command and the C compiler it takes, as the files they are.
  package var identity: String {
    let compilers = variable("MLC_CC").map { [$0] + CompilerCommand.onPath($0) } ?? CompilerCommand.onPath("clang")
    let compiler = compilers.first { CompilerCommand.isExecutable($0) }
    return CompilerCommand.identity(path) + "|" + (compiler.map { CompilerCommand.identity($0) } ?? "cc")
  }

  /// Runs it, confined, with `arguments`; answers its exit status and the first of its messages. Throws
  /// `process.start`.
  package func run(_ arguments: [String]) throws(Diagnostic) -> (status: Int32, messages: String) {
    let environment = ChildProgram.environment(keeping: ["PATH", "HOME", "TMPDIR", "MLC_CC", "SWIFT_BACKTRACE"])
    let end = try ChildProgram(path, arguments, environment: environment, limits: .command).run()
    return (end.status, end.messages)
  }

  private func variable(_ name: String) -> String? { CompilerCommand.variable(name) }

  package static func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  private static func onPath(_ name: String) -> [String] {
    (variable("PATH") ?? "").split(separator: ":").map { "\($0)/\(name)" }
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  private static func identity(_ path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return path }
    return "\(path) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  private static var programFolder: String? {
    programPath.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
  }

  private static var programPath: String? {
    var buffer = [CChar](repeating: 0, count: 4097)
    let count = readlink("/proc/self/exe", &buffer, 4096)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
