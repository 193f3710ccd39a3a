import CMLCKernelABI
import FoundationEssentials
import MLCCore
import MLCKernels
import MLCSpecs

/// Devices chosen by name from the catalog, those of one architecture plainest first.
package struct DeviceSet: Sendable {
  package private(set) var devices: [DeviceDescription] = []

  /// Every device that the toolchain knows.
  package static let catalog: [DeviceDescription] = {
    do { return try JSONDecoder().decode([DeviceDescription].self, from: Data(DeviceCatalog.json)) } catch {
      preconditionFailure("a device description of the catalog is malformed: \(error)")
    }
  }()

  /// The devices called `names`. `host` is the most capable device of the catalog that this CPU is. Throws
  /// `target.unknown` with the names there are, `target.host` when none fits this CPU.
  package init(_ names: [String]) throws(Diagnostic) {
    var chosen: Set<String> = []
    for name in names {
      if name == "host" {
        guard let device = DeviceSet.host else {
          throw Diagnostic("target.host", "no device of the catalog fits this CPU", kind: .unsupported)
        }
        chosen.insert(device.name)
        continue
      }
      guard DeviceSet.catalog.contains(where: { $0.name == name }) else {
        let known = (DeviceSet.catalog.map(\.name) + ["host"]).suggestion(for: name)
        throw Diagnostic("target.unknown", "there is no target '\(name)'; \(known)", kind: .usage)
      }
      chosen.insert(name)
    }
    devices = DeviceSet.catalog.filter { chosen.contains($0.name) }
  }

  /// The devices that this CPU is, from the plainest to the most capable.
  package static let here: [DeviceDescription] = {
    let architecture = String(cString: mlc_cpu_architecture())
    return catalog.filter { device in
      device.architecture == architecture && device.requires.allSatisfy { mlc_cpu_feature($0) == 1 }
    }
  }()

  /// The most capable device that this CPU is.
  package static var host: DeviceDescription? { here.last }

  /// These, and the baseline of each architecture that is among them.
  package var withBaselines: DeviceSet {
    var result = self
    result.devices = DeviceSet.catalog.filter { device in
      devices.contains { $0 == device || device.isBaseline && $0.architecture == device.architecture }
    }
    return result
  }
}

extension [DeviceDescription] {
  /// These processors with weights laid out for the widest of them, where they differ in their vectors.
  package var sharingWeights: [DeviceDescription] {
    let lanes = Set(map(\.lanes))
    guard lanes.count > 1 else { return self }
    return map { device in
      var device = device
      device.packedLanes = lanes.max()
      return device
    }
  }
}
