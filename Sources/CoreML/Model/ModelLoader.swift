import Foundation
import MLCCore
import MLCPackage
import MLCRuntime

/// Loads one function of a compiled package.
struct ModelLoader {
  private let url: URL
  private let configuration: MLModelConfiguration

  init(_ url: URL, _ configuration: MLModelConfiguration) { (self.url, self.configuration) = (url, configuration) }

  /// The model, and how it learns if it does.
  func load() throws -> (model: MLCRuntime.Model, learnt: LearntParameters?) {
    let path = try CompiledFolder.path(url)
    let options = configuration.options
    let (model, preparation, package) = try reporting { () throws(Diagnostic) in
      try MLCRuntime.Model.prepared(path: path, drivers: [try SharedDriver.cpu.get()], options: options) {
        Log.write("prepare and cache: \($0) …", path)
      }
    }
    Log.write(preparation.message, path)
    for wish in configuration.unmetWishes { Log.writeOnce(wish) }
    configuration.preparationHandler?(MLModelPreparation(preparation))
    for state in model.interface.states where model.interface.inputs[state.input].type.dtype.sameBits == nil {
      throw MLModelError(.generic, "the state '\(state.name)' has elements that Core ML's arrays cannot hold")
    }
    guard model.manifest.learning != nil, let learnt = try LearntParameters(package, configuration) else {
      if let key = configuration.parameters?.keys.first {
        throw MLModelError(.parameters, "the model has no parameter '\(key)'")
      }
      return (model, nil)
    }
    return (configuration.parameters == nil ? model : model.learning(learnt.tensors), learnt)
  }

  /// A function of the package at `path` that only updates call, and the package. Throws as loading does, whatever
  /// digest the configuration expects.
  static func function(
    _ name: String,
    at path: String,
    _ configuration: MLModelConfiguration
  ) throws -> (MLCRuntime.Model, PackageReader) {
    var options = configuration.options
    (options.function, options.contexts, options.expectedDigest) = (name, 1, nil)
    let (model, _, package) = try reporting { () throws(Diagnostic) in
      try MLCRuntime.Model.prepared(path: path, drivers: [try SharedDriver.cpu.get()], options: options)
    }
    return (model, package)
  }
}

extension MLModelConfiguration {
  /// What the runtime is to load, and how.
  var options: MLCRuntime.Model.Options {
    var options = MLCRuntime.Model.Options()
    options.function = functionName
    (options.expectedDigest, options.memory) = (expectedPackageDigest, PackageCache.memory)
    options.verifiesDigests = verifiesPackage
    // One context for each prediction that cores can work on.
    options.contexts = maximumPredictionsInFlight ?? max(4, CPU.coreCount)
    return options
  }
}

/// Where a compiled package should be.
enum CompiledFolder {
  /// The folder's path. Throws `MLModelError.io` unless it is a folder, and one that may hold a compiled model.
  static func path(_ url: URL) throws -> String {
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
