import Foundation
import MLCCore
import MLCPackage
import MLCRuntime

/// What a model is made of, as its source file says.
public enum MLModelStructure: Sendable {
  case neuralNetwork(NeuralNetwork)
  case program(Program)
  case pipeline(Pipeline)
  /// A model that is none of these, or a package that does not say.
  case unsupported

  /// A network, of layers in order.
  public struct NeuralNetwork: Sendable {
    /// A layer, its type as the format of Core ML's models spells it.
    public struct Layer: Sendable {
      let place: ModelStructure.Place
      public let name: String
      public let type: String
      public let inputNames: [String]
      public let outputNames: [String]
    }

    public let layers: [Layer]
  }

  /// Models one after the other.
  public struct Pipeline: Sendable {
    public let subModelNames: [String]
    public let subModels: [MLModelStructure]
  }
}

extension MLModelStructure {
  /// Of a compiled package, a `.mlmodelc` folder. Throws `MLModelError.io` for what is no compiled model or damaged.
  public static func load(contentsOf url: URL) async throws -> MLModelStructure {
    try await WorkQueue.preparations.run { try structure(url) }
  }

  /// Of the model of an asset. Throws as `load(contentsOf:)` does, and what compiling a specification throws.
  public static func load(asset: MLModelAsset) async throws -> MLModelStructure {
    try await WorkQueue.preparations.run { try structure(asset.package()) }
  }

  private static func structure(_ url: URL) throws -> MLModelStructure {
    let path = try CompiledFolder.path(url)
    return MLModelStructure(
      try reporting { () throws(Diagnostic) in
        try PackageReader(path: path, memory: PackageCache.memory).structure()
      }
    )
  }

  /// `parts` are the numbers of the model, and of those that it is in, in their pipelines.
  init(_ structure: ModelStructure, parts: [Int] = []) {
    switch structure {
    case .program(let functions):
      let all = functions.map { ($0.name, Program.Function($0, parts)) }
      self = .program(Program(functions: Dictionary(all) { first, _ in first }))
    case .network(let layers):
      self = .neuralNetwork(
        NeuralNetwork(
          layers: layers.enumerated().map { number, layer in
            NeuralNetwork.Layer(
              place: ModelStructure.Place(parts: parts, numbers: [number]),
              name: layer.name,
              type: layer.type,
              inputNames: layer.inputs,
              outputNames: layer.outputs
            )
          }
        )
      )
    case .pipeline(let models):
      self = .pipeline(
        Pipeline(
          subModelNames: models.map { $0.name },
          subModels: models.enumerated().map { MLModelStructure($1.structure, parts: parts + [$0]) }
        )
      )
    case .unsupported: self = .unsupported
    }
  }
}
