import Foundation

/// What a request computes in its steps, by names.
public struct VNComputeStage: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The model.
  public static let main = VNComputeStage(rawValue: "VNComputeStageMain")
  /// What is made of the model's outputs.
  public static let postProcessing = VNComputeStage(rawValue: "VNComputeStagePostProcessing")
}

/// What a request computes in its steps.
public enum ComputeStage: Codable, Hashable, Sendable {
  /// The model.
  case main
  /// What is made of the model's outputs.
  case postProcessing
}

/// The devices that an application chose for stages of a request.
struct StageDevices<Stage: Hashable & Sendable>: Hashable, Sendable {
  private var chosen: [Stage: MLComputeDevice] = [:]

  /// `nil` where none was chosen. One that no stage can run on is said in the log; the processor runs then.
  subscript(stage: Stage) -> MLComputeDevice? {
    get { chosen[stage] }
    set {
      chosen[stage] = newValue
      if let wish = newValue?.unmetWish { Log.writeOnce(wish) }
    }
  }
}

extension VNRequest {
  /// The devices that each stage can run on: the processor.
  public var supportedComputeStageDevices: [VNComputeStage: [MLComputeDevice]] {
    get throws { [.main: MLComputeDevice.allComputeDevices] }
  }

  /// The device that was chosen for a stage, if one was.
  public func computeDevice(for computeStage: VNComputeStage) -> MLComputeDevice? { devices[computeStage] }

  /// Chooses a device for a stage, or with `nil` none. The processor runs whatever is chosen; `MLC_LOG` says so of
  /// other devices.
  public func setComputeDevice(_ computeDevice: MLComputeDevice?, for computeStage: VNComputeStage) {
    devices[computeStage] = computeDevice
  }
}
