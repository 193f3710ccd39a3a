import Foundation
import GraphFuzzing
import MLCCompiler
import MLCCore
import Testing

/// The cases as code built with AddressSanitizer and UndefinedBehaviorSanitizer, on every device that this CPU can be.
@Suite(.serialized) struct SanitizedTests {
  private static let isWanted = ProcessInfo.processInfo.environment["MLC_SANITIZE"] != nil

  @Test(.enabled(if: isWanted, "takes minutes: run 'make sanitize'"))
  func everyCase() throws {
    let problems = try HostPlay(devices: DeviceSet.here).problems(HostPlay.everyCase)
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  /// One case in forty, on the plainest device.
  @Test func someCases() throws {
    let problems = try HostPlay(devices: Array(DeviceSet.here.prefix(1))).problems(HostPlay.sample(oneIn: 40))
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }
}
