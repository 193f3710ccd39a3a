import Foundation
import GraphFuzzing
import MLCCompiler
import MLCCore
import MLCKernels
import Testing

/// The cases as code for other architectures, run under qemu.
@Suite(.serialized) struct EmulatedTests {
  private static let isWanted = ProcessInfo.processInfo.environment["MLC_EMULATE"] == "cases"
  private static let devices = DeviceSet.catalog.filter { $0.architecture == "aarch64" }

  @Test(.enabled(if: isWanted, "needs qemu and takes minutes: run 'make arm'"), arguments: devices.map { $0.name })
  func everyCase(_ name: String) throws {
    let device = try DeviceSet([name]).devices[0]
    let items = HostPlay.everyCase
    #expect(items.count > 800)
    let problems = try HostPlay(devices: [device]).problems(items)
    #expect(problems.isEmpty, "\(problems.count) of \(items.count): \(problems.joined(separator: "\n"))")
  }

  private static let able = devices.filter { $0.multiplies(.float16) }

  /// Convolutions and products of factors rounded to float16, by the instructions for it.
  @Test(.enabled(if: isWanted, "needs qemu and takes minutes: run 'make arm'"), arguments: able.map { $0.name })
  func sumsOfHalves(_ name: String) throws {
    var device = try DeviceSet([name]).devices[0]
    device.factors = .float16
    let items = HostPlay.everyCase.filter { item in
      ["conv", "matmul", "linear"].contains { item.label.hasPrefix($0) }
    }
    #expect(items.count > 40)
    let problems = try HostPlay(devices: [device]).problems(items)
    #expect(problems.isEmpty, "\(problems.count) of \(items.count): \(problems.joined(separator: "\n"))")
  }
}
