import Foundation
import MLCCore
import MLCRuntime

extension MLModel {
  /// Compiles a source model (`.mlmodel`, `.mlpackage`, `.onnx`) for this machine, by the command `mlc`, and answers
  /// where the result lies: a temporary folder, from which to move it to stay.
  ///
  /// The command is what `MLC` in the environment names, else `mlc` beside the program, else on `PATH`. Throws
  /// `MLModelError.io` when there is none or no model, `generic` with the command's messages when it fails.
  public class func compileModel(at modelURL: URL) async throws -> URL {
    try await WorkQueue.preparations.run { try compile(modelURL) }
  }

  /// Compiles a source model and waits for it. Throws as the asynchronous form does.
  ///
  /// In asynchronous code Swift takes the asynchronous form, with or without `await`. A closure takes this one,
  /// `try { try MLModel.compileModel(at: url) }()`, and so does a synchronous function.
  public class func compileModel(at modelURL: URL) throws -> URL { try compile(modelURL) }

  /// Compiles a source model and hands the result's place, or the error, to `handler` on another thread.
  @preconcurrency public class func compileModel(
    at modelURL: URL,
    completionHandler handler: @escaping @Sendable (Result<URL, any Error>) -> Void
  ) {
    DispatchQueue.global().async { handler(Result { try compile(modelURL) }) }
  }

  private class func compile(_ model: URL) throws -> URL {
    guard model.isFileURL, FileManager.default.fileExists(atPath: model.path) else {
      throw MLModelError(.io, "there is no model at '\(model.isFileURL ? model.path : model.absoluteString)'")
    }
    return try ModelCompiler.compile(model)
  }
}

/// The compiler, which applications run as a command.
enum ModelCompiler {
  /// Compiles a source model for this machine and answers where the result lies, alone in a temporary folder.
  static func compile(_ model: URL) throws -> URL {
    let tool: CompilerCommand
    do { tool = try CompilerCommand.find() } catch {
      throw MLModelError(.io, "compiling '\(model.path)' needs the command 'mlc': \(error.message)")
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mlc-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let name = model.deletingPathExtension().lastPathComponent
    let result = folder.appendingPathComponent("\(name).mlmodelc")
    let arguments = ["compile", model.path, "-o", result.path, "--target", "host"]
    let (status, messages) = try reporting { () throws(Diagnostic) in try tool.run(arguments) }
    guard status == 0 else {
      try? FileManager.default.removeItem(at: folder)
      throw MLModelError(.generic, "mlc could not compile the model:\n\(messages)")
    }
    return result
  }
}
