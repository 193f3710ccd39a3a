import Foundation
import MLCCore
import MLCPackage
import MLCRuntime
import Synchronization

/// A model before it is loaded: a compiled package, or a source model in memory.
///
/// A source model is compiled by the command `mlc`, as `MLModel.compileModel(at:)` does, when it is asked something or
/// loaded for the first time; what comes of it goes with the asset.
public final class MLModelAsset: NSObject, Sendable {
  private enum Source: Sendable {
    case compiled(URL)
    case specification(Data, weights: [String: Data])
  }

  private let source: Source
  /// Of a specification, compiled.
  private let compiled = Mutex<URL?>(nil)

  /// A compiled package, a `.mlmodelc` folder. Throws `MLModelError.io` when there is none.
  public init(url compiledModelURL: URL) throws {
    source = .compiled(URL(fileURLWithPath: try CompiledFolder.path(compiledModelURL)))
  }

  /// A model out of the bytes of a `.mlmodel` file that needs no others. Throws `MLModelError.io` when there are none;
  /// what else is wrong with them is told when the model is used.
  public convenience init(specification specificationData: Data) throws {
    try self.init(specification: specificationData, blobMapping: [:])
  }

  /// A model out of the bytes of a `.mlmodel` file, and of the files of weights that it names. Each stands under the
  /// path that the model gives it, `weights/weight.bin` say, with or without `@model_path` in front.
  ///
  /// Throws `MLModelError.io` when there are no bytes, or a path leads elsewhere.
  public init(specification: Data, blobMapping: [URL: Data]) throws {
    guard !specification.isEmpty else { throw MLModelError(.io, "the specification of a model has no bytes") }
    var weights: [String: Data] = [:]
    for (url, data) in blobMapping { weights[try MLModelAsset.place(url)] = data }
    source = .specification(specification, weights: weights)
  }

  deinit { if let url = compiled.withLock({ $0 }) { MLModelAsset.remove(url) } }

  /// Where a file of weights stands beside its model.
  private static func place(_ url: URL) throws -> String {
    var parts = url.relativePath.split(separator: "/").map { String($0) }
    if let root = parts.lastIndex(of: "@model_path") { parts.removeFirst(root + 1) }
    if url.relativePath.hasPrefix("/"), let folder = parts.lastIndex(of: "weights") { parts.removeFirst(folder) }
    guard !parts.isEmpty, !parts.contains(".."), !parts.contains(".") else {
      throw MLModelError(.io, "'\(url.relativeString)' is no place for weights beside a model")
    }
    return parts.joined(separator: "/")
  }

  private static func remove(_ url: URL) { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

  /// The compiled package, compiled now unless it was before. Throws `MLModelError.io` without a compiler, `generic`
  /// with its messages when it fails.
  func package() throws -> URL {
    switch source {
    case .compiled(let url): return url
    case .specification(let bytes, let weights):
      return try compiled.withLock { compiled in
        if let compiled { return compiled }
        let url = try MLModelAsset.compile(bytes, weights)
        compiled = url
        return url
      }
    }
  }

  private static func compile(_ bytes: Data, _ weights: [String: Data]) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mlc-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = folder.appendingPathComponent("model.mlmodel")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (path, data) in weights {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
      }
      try bytes.write(to: model)
    } catch { throw MLModelError(.io, "the model cannot be written to be compiled: \(error.localizedDescription)") }
    return try ModelCompiler.compile(model)
  }
}

// MARK: What it says of itself

extension MLModelAsset {
  /// The functions that a configuration can name, the default one first. Throws `MLModelError.io` for a package that is
  /// damaged, and what compiling throws.
  public var functionNames: [String] {
    get async throws { try manifest().callableFunctions }
  }

  /// What the default function takes and gives. Throws as `functionNames` does.
  public var modelDescription: MLModelDescription {
    get async throws { try description(of: nil) }
  }

  /// What a function takes and gives. Throws as `functionNames` does, and `MLModelError.generic` for one that the model
  /// does not have.
  public func modelDescription(of functionName: String) async throws -> MLModelDescription {
    try description(of: functionName)
  }

  /// Hands the functions' names, or the error, to `handler` on another thread.
  @preconcurrency public func functionNames(
    completionHandler handler: @escaping @Sendable ([String]?, (any Error)?) -> Void
  ) {
    answer(handler) { try self.manifest().callableFunctions }
  }

  /// Hands what the default function takes and gives, or the error, to `handler` on another thread.
  @preconcurrency public func modelDescription(
    completionHandler handler: @escaping @Sendable (MLModelDescription?, (any Error)?) -> Void
  ) {
    answer(handler) { try self.description(of: nil) }
  }

  /// Hands what a function takes and gives, or the error, to `handler` on another thread.
  @preconcurrency public func modelDescription(
    ofFunctionNamed functionName: String,
    completionHandler handler: @escaping @Sendable (MLModelDescription?, (any Error)?) -> Void
  ) {
    answer(handler) { try self.description(of: functionName) }
  }

  private func answer<Value>(
    _ handler: @escaping @Sendable (Value?, (any Error)?) -> Void,
    _ body: @escaping @Sendable () throws -> Value
  ) {
    DispatchQueue.global().async {
      do { handler(try body(), nil) } catch { handler(nil, error) }
    }
  }

  private func manifest() throws -> Manifest {
    let path = try package().path
    return try reporting { () throws(Diagnostic) in try PackageReader.manifest(at: path) }
  }

  private func description(of function: String?) throws -> MLModelDescription {
    let path = try package().path
    let reader = try reporting { () throws(Diagnostic) in try PackageReader(path: path, memory: PackageCache.memory) }
    let name = function ?? reader.manifest.functions[0]
    guard let interface = reader.functions.first(where: { $0.name == name }) else {
      let names = reader.manifest.callableFunctions.map { "'\($0)'" }.joined(separator: ", ")
      throw MLModelError(.generic, "the model has no function '\(name)', only \(names)")
    }
    return MLModelDescription(interface, metadata: reader.manifest.metadata)
  }
}

// MARK: Loading

extension MLModel {
  /// Loads a model of an asset. Throws as `load(contentsOf:configuration:)` does, and what compiling a specification
  /// throws.
  public class func load(asset: MLModelAsset, configuration: MLModelConfiguration) async throws -> MLModel {
    let configuration = Handed(configuration.copied)
    return try await WorkQueue.preparations.run {
      try MLModel(contentsOf: asset.package(), configuration: configuration.value)
    }
  }

  /// Loads a model of an asset and hands it, or the error, to `handler` on another thread.
  @preconcurrency public class func load(
    _ asset: MLModelAsset,
    configuration: MLModelConfiguration,
    completionHandler handler: @escaping @Sendable (MLModel?, (any Error)?) -> Void
  ) {
    let copy = Handed(configuration.copied)
    DispatchQueue.global().async {
      do {
        handler(try MLModel(contentsOf: asset.package(), configuration: copy.value), nil)
      } catch {
        handler(nil, error)
      }
    }
  }
}
