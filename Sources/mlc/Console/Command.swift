import ArgumentParser
import MLCCore

/// A subcommand whose problems are diagnostics.
protocol Command: ParsableCommand {
  var output: OutputOptions { get }
  /// Does the work and answers the exit code.
  func perform() throws(Diagnostic) -> Int32
}

extension Command {
  func run() throws {
    let code: Int32
    do throws(Diagnostic) { code = try perform() } catch {
      Console.report(error, json: output.json)
      code = error.kind.rawValue
    }
    if code != 0 { throw ExitCode(code) }
  }
}

/// How results are printed.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print the result as one JSON object, on one line, last.")
  var json = false
}
