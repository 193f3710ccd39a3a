import Foundation

/// A device that runs models.
public enum MLComputeDevice: Hashable, Sendable, CustomStringConvertible {
  case cpu(MLCPUComputeDevice)
  case gpu(MLGPUComputeDevice)
  case neuralEngine(MLNeuralEngineComputeDevice)

  /// The devices of this machine that models can run on: the processor.
  public static var allComputeDevices: [MLComputeDevice] { [.cpu(MLCPUComputeDevice())] }

  public var description: String {
    switch self {
    case .cpu: "CPU"
    case .gpu: "GPU"
    case .neuralEngine: "Neural Engine"
    }
  }
}

/// What the kinds of devices have in common.
public protocol MLComputeDeviceProtocol: NSObjectProtocol {}

/// The processor.
public final class MLCPUComputeDevice: NSObject, MLComputeDeviceProtocol, Sendable {
  override init() {}
  public override func isEqual(_ object: Any?) -> Bool { object is MLCPUComputeDevice }
  public override var hash: Int { 1 }
  public override var description: String { "CPU" }
}

/// A graphics processor. There is none that models can run on here.
public final class MLGPUComputeDevice: NSObject, MLComputeDeviceProtocol, Sendable {
  package override init() {}
}

/// A neural engine. There is none here.
public final class MLNeuralEngineComputeDevice: NSObject, MLComputeDeviceProtocol, Sendable {
  package override init() {}
  /// Its cores.
  public var totalCoreCount: Int { 0 }
}

/// The devices of this machine that models can run on, as objects: the processor. `MLComputeDevice.allComputeDevices`
/// has them as cases.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func MLAllComputeDevices() -> [any MLComputeDeviceProtocol] {
  MLComputeDevice.allComputeDevices.map { device in
    switch device {
    case .cpu(let device): device
    case .gpu(let device): device
    case .neuralEngine(let device): device
    }
  }
}
