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

  /// The most capable target that drivers can run, with the driver of each of its devices, or the one called `wanted`.
  ///
  /// Throws `runtime.no-target` when none fits and `runtime.unknown-device` when `wanted` is not in the package.
  static func choose(
    from targets: [Manifest.Target],
    drivers: [any Driver],
    wanted: String?
  ) throws(Diagnostic) -> (selection: Selection, target: Manifest.Target, drivers: [any Driver]) {
    if let wanted, !targets.contains(where: { $0.name == wanted }) {
      throw Diagnostic(
        "runtime.unknown-device",
        "the package has no code for '\(wanted)', only for \(targets.map { $0.name }.joined(separator: ", "))",
        kind: .usage
      )
    }
    var chosen: (target: Manifest.Target, drivers: [any Driver])?
    var rejections: [Rejection] = []
    for target in targets.reversed() {
      let name = target.name
      if let wanted, wanted != name {
        rejections.append(Rejection(device: name, reason: "\(wanted) was asked for"))
      } else if let chosen {
        rejections.append(Rejection(device: name, reason: "\(chosen.target.name) is more capable"))
      } else {
        let answers = target.devices.map { Selection.driver(for: $0, among: drivers) }
        if let reason = answers.lazy.compactMap({ $0.obstacle }).first {
          rejections.append(Rejection(device: name, reason: reason))
        } else {
          chosen = (target, answers.compactMap { $0.driver })
        }
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
    return (Selection(device: chosen.target.name, rejections: rejections), chosen.target, chosen.drivers)
  }

  private static func driver(
    for device: Manifest.Device,
    among drivers: [any Driver]
  ) -> (driver: (any Driver)?, obstacle: String?) {
    guard let driver = drivers.first(where: { $0.family == device.family }) else {
      return (nil, "there is no driver for \(device.name)")
    }
    return (driver, driver.obstacle(to: device))
  }
}
