import MLCCore
import MLCPackage

/// Which of a package's targets runs, and why not the others.
package struct Selection: Hashable, Sendable {
  package struct Rejection: Hashable, Sendable {
    package let device: String, reason: String
  }

  package let device: String
  /// The other targets, the most capable first.
  package let rejections: [Rejection]

  /// The most capable target that a driver can run, or the one called `wanted`.
  ///
  /// Throws `runtime.no-target` when none fits and `runtime.unknown-device` when `wanted` is not in the package.
  static func choose(
    from targets: [Manifest.Target],
    drivers: [any Driver],
    wanted: String?
  ) throws(Diagnostic) -> (selection: Selection, target: Manifest.Target, driver: any Driver) {
    if let wanted, !targets.contains(where: { $0.device.name == wanted }) {
      throw Diagnostic(
        "runtime.unknown-device",
        "the package has no code for '\(wanted)', only for \(targets.map { $0.device.name }.joined(separator: ", "))",
        kind: .usage
      )
    }
    var chosen: (target: Manifest.Target, driver: any Driver)?
    var rejections: [Rejection] = []
    for target in targets.reversed() {
      let name = target.device.name
      let driver = drivers.first { $0.family == target.device.family }
      if let wanted, wanted != name {
        rejections.append(Rejection(device: name, reason: "\(wanted) was asked for"))
      } else if let chosen {
        rejections.append(Rejection(device: name, reason: "\(chosen.target.device.name) is more capable"))
      } else if let obstacle = driver.map({ $0.obstacle(to: target.device) }) ?? "there is no driver for it" {
        rejections.append(Rejection(device: name, reason: obstacle))
      } else if let driver {
        chosen = (target, driver)
      }
    }
    guard let chosen else {
      throw Diagnostic(
        "runtime.no-target",
        "no code in the package runs on this machine",
        kind: .unsupported,
        notes: rejections.map { "\($0.device): \($0.reason)" }
      )
    }
    return (Selection(device: chosen.target.device.name, rejections: rejections), chosen.target, chosen.driver)
  }
}
