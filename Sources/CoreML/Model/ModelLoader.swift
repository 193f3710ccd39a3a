import Foundation
import MLCCore
import MLCRuntime

/// Loads one function of a compiled package.
struct ModelLoader {
  private let url: URL
  private let configuration: MLModelConfiguration

  init(_ url: URL, _ configuration: MLModelConfiguration) { (self.url, self.configuration) = (url, configuration) }

  func load() throws -> MLCRuntime.Model {
    if let key = configuration.parameters?.keys.first {
      throw MLModelError(.parameters, "the model has no parameter '\(key.name)'")
    }
    let path = try packagePath()
    var options = MLCRuntime.Model.Options()
    options.function = configuration.functionName
    // One context for each prediction that cores can work on.
    options.idleContexts = max(4, CPU.coreCount)
    return try reporting { () throws(Diagnostic) in
      try MLCRuntime.Model.load(path: path, drivers: [try SharedDriver.cpu.get()], options: options)
    }
  }

  /// The folder's path, when it is a folder.
  private func packagePath() throws -> String {
    let path = url.standardizedFileURL.path
    var isFolder: ObjCBool = false
    guard url.isFileURL, FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw MLModelError(.io, "there is no compiled model at '\(url.isFileURL ? path : url.absoluteString)'")
    }
    guard isFolder.boolValue, url.pathExtension.lowercased() != "mlpackage" else {
      let advice = "compile it first, with MLModel.compileModel(at:) or 'mlc compile'"
      throw MLModelError(.io, "'\(path)' is no compiled model (.mlmodelc): \(advice)")
    }
    return path
  }
}
