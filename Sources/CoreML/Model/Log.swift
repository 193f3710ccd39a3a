import Foundation
import MLCCore
import MLCRuntime
import Synchronization

/// Lines on standard error, where `MLC_LOG` in the environment asks for them.
package enum Log {
  private static let written = Mutex<Set<String>>([])

  /// A line on the package at `path`.
  static func write(_ message: String, _ path: String) { write("\(path.shown(4096)): \(message.shown())") }

  /// A line that the process writes once, however often it is true.
  package static func writeOnce(_ message: String) {
    guard isOn, written.withLock({ $0.insert(message).inserted }) else { return }
    write(message.shown())
  }

  private static var isOn: Bool { CompilerCommand.variable("MLC_LOG") != nil }

  private static func write(_ line: String) {
    guard isOn else { return }
    try? FileHandle.standardError.write(contentsOf: Data("mlc: \(line)\n".utf8))
  }
}

extension MLModelConfiguration {
  /// What a configuration asks for that nothing on this system can give, a line each. `.all` asks for what there is.
  package var unmetWishes: [String] {
    var lines: [String] = []
    switch computeUnits {
    case .all, .cpuOnly: break
    case .cpuAndGPU: lines.append("compute units 'cpuAndGPU': there is no GPU that models run on; the processor runs")
    case .cpuAndNeuralEngine:
      lines.append("compute units 'cpuAndNeuralEngine': there is no neural engine; the processor runs")
    }
    if allowLowPrecisionAccumulationOnGPU {
      lines.append("allowLowPrecisionAccumulationOnGPU: no GPU runs models; without effect")
    }
    if optimizationHints.reshapeFrequency != .frequent {
      lines.append("optimization hint 'infrequent' reshapes: shapes may change as often as they like; without effect")
    }
    if optimizationHints.specializationStrategy != .default {
      lines.append("optimization hint 'fastPrediction': packages are compiled for it already; without effect")
    }
    return lines
  }
}

extension MLComputeDevice {
  /// What a request asks for that is to run on this device, and no model can; `nil` for what models run on.
  package var unmetWish: String? {
    MLComputeDevice.allComputeDevices.contains(self)
      ? nil : "compute device '\(self)' of a request: no model runs on it; the processor runs"
  }
}
