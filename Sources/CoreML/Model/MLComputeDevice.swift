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
public protocol MLComputeDeviceProtocol: AnyObject {}

/// The processor.
public final class MLCPUComputeDevice: NSObject, MLComputeDeviceProtocol, Sendable {
  public override init() {}
  public override func isEqual(_ object: Any?) -> Bool { object is MLCPUComputeDevice }
  public override var hash: Int { 1 }
}

/// A graphics processor. There is none that models can run on here.
public final class MLGPUComputeDevice: NSObject, MLComputeDeviceProtocol, Sendable {
  public override init() {}
}

/// A neural engine. There is none here.
public final class MLNeuralEngineComputeDevice: NSObject, MLComputeDeviceProtocol, Sendable {
  public override init() {}
  /// Its cores.
  public var totalCoreCount: Int { 0 }
}
