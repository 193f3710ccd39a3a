import MLCCore
import MLCDriverCPU
import MLCKernels
import MLCRuntime
import MLCTargetC

/// A family of devices: who makes their code, and who runs it. Adding one is a row in `all`.
struct DeviceFamily: Sendable {
  let target: any Target.Type
  /// Of so many threads, the caller's counted; `nil` leaves the number to the driver. Where its device is missing there
  /// is a driver all the same, which says so as its `obstacle`.
  let driver: @Sendable (Int?) throws(Diagnostic) -> any Driver

  static let all = [
    DeviceFamily(target: CTarget.self, driver: { (threads) throws(Diagnostic) in try CPUDriver(threads: threads) })
  ]

  static var targets: [any Target.Type] { all.map { $0.target } }

  /// Throws `runtime.threads`.
  static func drivers(threads: Int?) throws(Diagnostic) -> [any Driver] {
    var drivers: [any Driver] = []
    for family in all { drivers.append(try family.driver(threads)) }
    return drivers
  }
}
