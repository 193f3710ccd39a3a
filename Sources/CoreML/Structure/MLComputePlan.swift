import Foundation
import MLCCore
import MLCPackage
import MLCRuntime

/// Where the operations or layers of a model run, and what they are expected to cost.
public final class MLComputePlan: Sendable {
  public let modelStructure: MLModelStructure
  private let rows: [ModelStructure.Place: ModelPlan.Row]

  private init(_ plan: ModelPlan) {
    modelStructure = MLModelStructure(plan.structure)
    let known = plan.structure == .unsupported ? [] : plan.rows
    rows = Dictionary(known.map { ($0.entry.place, $0) }) { first, _ in first }
  }

  /// Of a compiled package, a `.mlmodelc` folder, for the function that `configuration` names and the code that loading
  /// it would choose among what is in the package. No code is loaded.
  ///
  /// Throws `MLModelError.io` for what is no compiled model or damaged, `generic` when nothing in it runs on this
  /// machine.
  public static func load(contentsOf url: URL, configuration: MLModelConfiguration) async throws -> MLComputePlan {
    let configuration = Handed(configuration.copied)
    return try await WorkQueue.preparations.run { try plan(url, configuration.value) }
  }

  /// Of the model of an asset. Throws as `load(contentsOf:configuration:)` does, and what compiling a specification
  /// throws.
  public static func load(asset: MLModelAsset, configuration: MLModelConfiguration) async throws -> MLComputePlan {
    let configuration = Handed(configuration.copied)
    return try await WorkQueue.preparations.run { try plan(asset.package(), configuration.value) }
  }

  private static func plan(_ url: URL, _ configuration: MLModelConfiguration) throws -> MLComputePlan {
    let path = try CompiledFolder.path(url)
    let options = configuration.options
    return MLComputePlan(
      try reporting { () throws(Diagnostic) in
        try MLCRuntime.Model.plan(path: path, drivers: [try SharedDriver.cpu.get()], options: options)
      }
    )
  }

  /// Where a layer runs; `nil` for one of another model.
  public func deviceUsage(for layer: MLModelStructure.NeuralNetwork.Layer) -> DeviceUsage? {
    row(layer.place, layer.type).map { DeviceUsage($0) }
  }

  /// Where an operation runs; `nil` for constants, and for operations of functions that the plan is not of.
  public func deviceUsage(for operation: MLModelStructure.Program.Operation) -> DeviceUsage? {
    row(operation.place, operation.operatorName).map { DeviceUsage($0) }
  }

  /// What an operation costs, `nil` as for `deviceUsage(for:)`.
  public func estimatedCost(of operation: MLModelStructure.Program.Operation) -> Cost? {
    row(operation.place, operation.operatorName).map { Cost(weight: $0.weight) }
  }

  /// What a layer costs, `nil` as for `deviceUsage(for:)`. Apple's plan has nothing like it.
  public func estimatedCost(of layer: MLModelStructure.NeuralNetwork.Layer) -> Cost? {
    row(layer.place, layer.type).map { Cost(weight: $0.weight) }
  }

  private func row(_ place: ModelStructure.Place, _ op: String) -> ModelPlan.Row? {
    guard let row = rows[place], row.entry.op == op, !row.entry.isConstant else { return nil }
    return row
  }
}

extension MLComputePlan {
  /// A share of what all operations cost together that run when the function is called, from 0 to 1; they add up to 1.
  /// It is 0 for one that no code computes: it is constant, was left out, or only says otherwise what another computes.
  public struct Cost: Sendable {
    public let weight: Double
  }

  /// The devices that can run an operation or layer.
  public struct DeviceUsage: Sendable {
    public let supported: [MLComputeDevice]
    public let preferred: MLComputeDevice
    /// The kinds of devices that do not run it, and why. Apple's usage has nothing like it.
    public let unsupported: [UnsupportedDevice]
    /// The kernels of the compiled code that compute it, other operations often with it; none where it costs nothing.
    /// Apple's usage has nothing like it.
    public let kernelNames: [String]

    init(_ row: ModelPlan.Row) {
      let processor = MLComputeDevice.cpu(MLCPUComputeDevice())
      (supported, preferred, kernelNames) = ([processor], processor, row.kernels)
      let reason = ModelPlan.reasonAgainstOtherDevices
      unsupported = [
        UnsupportedDevice(device: .gpu(MLGPUComputeDevice()), reason: reason),
        UnsupportedDevice(device: .neuralEngine(MLNeuralEngineComputeDevice()), reason: reason),
      ]
    }
  }

  /// A kind of device that does not run an operation or layer. Core ML of Apple's has nothing like it.
  public struct UnsupportedDevice: Sendable {
    public let device: MLComputeDevice
    /// A few words, to be shown.
    public let reason: String
  }
}
