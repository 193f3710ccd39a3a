import CoreML
import Foundation
import Testing

// Settings in which people choose where models run, among the devices that there are.

private struct DeviceSettings {
  /// A line for each device.
  static func lines(_ devices: [MLComputeDevice]) -> [String] {
    devices.map { device in
      switch device {
      case .cpu: "Processor"
      case .gpu(let gpu): "Graphics: \(gpu)"
      case .neuralEngine(let engine): "Neural engine with \(engine.totalCoreCount) cores"
      @unknown default: "Another device: \(device)"
      }
    }
  }

  /// The units that use all of them.
  static func units(_ devices: [MLComputeDevice]) -> MLComputeUnits {
    let hasGPU = devices.contains { if case .gpu = $0 { true } else { false } }
    let hasEngine = devices.contains { if case .neuralEngine = $0 { true } else { false } }
    switch (hasGPU, hasEngine) {
    case (true, true): return .all
    case (true, false): return .cpuAndGPU
    case (false, true): return .cpuAndNeuralEngine
    case (false, false): return .cpuOnly
    }
  }
}

@Suite struct DeviceSample {
  @Test func devicesAreListedAndChosen() async throws {
    let devices = MLModel.availableComputeDevices
    #expect(DeviceSettings.lines(devices).first == "Processor" && devices == MLComputeDevice.allComputeDevices)
    #expect(Set(devices).count == devices.count && MLAllComputeDevices().count == devices.count)
    #expect(MLAllComputeDevices().contains { $0 is MLCPUComputeDevice })
    let configuration = MLModelConfiguration()
    configuration.computeUnits = DeviceSettings.units(devices)
    let model = try await MLModel.load(contentsOf: Models.affine.get(), configuration: configuration)
    #expect(model.configuration.computeUnits == configuration.computeUnits)
  }
}
