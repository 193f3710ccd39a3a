import ArgumentParser
import Foundation

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
      Convert.self, Compress.self, Compile.self, Verify.self, Predict.self, Inspect.self, Bench.self, Generate.self,
      Build.self, PackageCommand.self, Devices.self, Cache.self, Explain.self, Completion.self, HDF5Extract.self,
    ]
  )

  /// Parses and runs; a command line that is wrong ends with 2.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      if code == .validationFailure {
        Console.error(ConsoleText(document: fullMessage(for: error)))
        Foundation.exit(2)
      }
      exit(withError: error)
    }
  }
}
