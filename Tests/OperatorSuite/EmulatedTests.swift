import Foundation
import GraphFuzzing
import MLCCompiler
import MLCCore
import MLCKernels
import Testing

/// The cases as code for other architectures, run under qemu.
@Suite(.serialized) struct EmulatedTests {
  private static let isWanted = ProcessInfo.processInfo.environment["MLC_EMULATE"] != nil
  private static let devices = DeviceSet.catalog.filter { $0.architecture == "aarch64" }

  /// All of them, as they are, in float16 and of open sizes.
  @Test(.enabled(if: isWanted, "needs qemu and takes minutes: run 'make arm'"), arguments: devices.map { $0.name })
  func everyCase(_ name: String) throws {
    let device = try DeviceSet([name]).devices[0]
    let whole = OperatorCase.all.filter { CompiledExceptions.reason($0) == nil }
    let open = whole.filter { SymbolicExceptions.reason($0) == nil }.compactMap { PlayedCase(symbolic: $0) }
    let items = whole.map { PlayedCase($0) } + whole.compactMap { PlayedCase($0, as: .float16) } + open
    #expect(items.count > 800)
    let problems = try HostPlay(devices: [device]).problems(items)
    #expect(problems.isEmpty, "\(problems.count) of \(items.count): \(problems.joined(separator: "\n"))")
  }
}
