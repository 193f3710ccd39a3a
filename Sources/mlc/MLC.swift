import ArgumentParser
import Foundation
import MLCCore
import MLCHDF5

/// The command `mlc`.
@main struct MLC: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "mlc",
    abstract: "Compiles trained models ahead of time to native code.",
    discussion: """
      Reads ONNX, Keras and Core ML models, and writes packages of machine code for the \
      processors you name. Each result can be checked against a reference interpreter.

        mlc inspect model.onnx
        mlc compile model.onnx -o model.mlmodelc --target x86-64-v3,x86-64-v4
        mlc verify  model.onnx model.mlmodelc
        mlc predict model.mlmodelc --input x=picture.png -o out.npz

      Exit codes: 0 done, 1 numbers differ, 2 usage, 3 bad model or data, 4 unsupported, 5 environment, 70 a bug of mlc.
      """,
    version: "mlc \(version)",
    subcommands: [
      Convert.self, Compress.self, Compile.self, Verify.self, Predict.self, Inspect.self, Plan.self, Bench.self,
      Tune.self, Update.self, Generate.self, Build.self, PackageCommand.self, Devices.self, Cache.self, Explain.self,
      Completion.self,
      HDF5Extract.self,
    ]
  )

  static func main() {
    // The process that reads HDF5 has no temporary folders and no children.
    if CommandLine.arguments.dropFirst().first != HDF5Helper.subcommand { Ending.prepare() }
    let code = run()
    Ending.removeFolders()
    Foundation.exit(Console.status(code))
  }

  /// Why the first of `arguments`, or the one that 'help' is asked of, is no command; `nil` when it is one, or an
  /// option.
  private static func unknownCommand(_ arguments: ArraySlice<String>) -> Diagnostic? {
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments
    guard let word = words.first, !word.hasPrefix("-"), word != "help" else { return nil }
    let all = configuration.subcommands
    if all.contains(where: { $0._commandName == word }) { return nil }
    let known = all.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
    return Diagnostic("command.unknown", "there is no command '\(word)'; \(known.suggestion(for: word))", kind: .usage)
  }

  /// A proposal for the first of `arguments` when it is no option that stands before a command, and near to one.
  private static func unknownOption(_ arguments: ArraySlice<String>) -> Diagnostic? {
    let known = ["--help", "--version"]
    guard let word = arguments.first, word.hasPrefix("--"), let near = known.nearest(to: word), word != near else {
      return nil
    }
    let message = "there is no option '\(word)'; did you mean '\(near)'?"
    return Diagnostic("command.unknown", message, kind: .usage)
  }

  /// What the system lacks without which a program of Linux does not even know its arguments.
  private static var missingSystem: Diagnostic? {
    #if os(Linux)
      if FileManager.default.fileExists(atPath: "/proc/self/exe") { return nil }
      let problem = "there is no /proc, which holds a program's arguments: mount it, as 'mount -t proc proc /proc' does"
      return Diagnostic("process.start", problem, kind: .environment)
    #else
      return nil
    #endif
  }

  /// What arguments that nobody parsed ask for.
  private static var wantsJSON: Bool { CommandLine.arguments.contains("--json") }

  /// Parses and runs; a command line that is wrong ends with 2.
  private static func run() -> Int32 {
    let arguments = CommandLine.arguments.dropFirst()
    if let problem = missingSystem ?? unknownCommand(arguments) ?? unknownOption(arguments) {
      Console.report(problem, json: wantsJSON)
      return problem.kind.rawValue
    }
    do {
      var command = try parseAsRoot()
      try command.run()
      return 0
    } catch {
      let code = exitCode(for: error)
      if code == .validationFailure { return refused(error) }
      let message = ConsoleText(document: fullMessage(for: error))
      if code == .success { Console.result(message) }
      if code.rawValue != 0, !(error is ExitCode) { Console.error(message) }
      return code.rawValue
    }
  }

  /// Says what the parser of arguments found wrong, and how the command is used; the exit code.
  private static func refused(_ error: any Error) -> Int32 {
    let message = message(for: error)
    let problem = Diagnostic("command.arguments", message, kind: .usage)
    Console.report(problem, json: wantsJSON)
    let usage = fullMessage(for: error).trimmingPrefix("Error: ").trimmingPrefix(message)
    Console.error(ConsoleText(document: usage.trimmingCharacters(in: .newlines)))
    return problem.kind.rawValue
  }
}
