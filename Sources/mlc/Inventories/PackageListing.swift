import MLCCore
import MLCPackage

/// The files of a compiled package and the targets that they are for.
struct PackageListing {
  private let manifest: Manifest

  init(_ package: PackageReader) { manifest = package.manifest }

  var text: ConsoleText {
    var table = Table(["file", "bytes", "SHA-256"], right: [1])
    for file in manifest.files { table.add([file.path, file.size.grouped, file.digest]) }
    let devices: [ConsoleText] = manifest.targets.map { target in
      let features = target.device.requires.joined(separator: ", ")
      let requirement: ConsoleText = features.isEmpty ? "" : " with \(features)"
      return "\(target.device.name): \(target.device.isa)\(requirement)"
    }
    return "\(table.text)\n\n\(devices.joined(separator: "\n"))\ndigest \(manifest.digest)"
  }

  var json: JSON {
    let files: [JSON] = manifest.files.map { file in
      .object(["path": .string(file.path), "bytes": .integer(file.size), "sha256": .string(file.digest)])
    }
    let targets: [JSON] = manifest.targets.map { target in
      .object([
        "name": .string(target.device.name), "family": .string(target.device.family), "isa": .string(target.device.isa),
        "requires": .array(target.device.requires.map { .string($0) }),
        "files": .array(target.files.map { .string($0.path) }),
      ])
    }
    return .object([
      "digest": .string(manifest.digest), "tool": .string(manifest.tool),
      "functions": .array(manifest.functions.map { .string($0) }), "files": .array(files), "targets": .array(targets),
    ])
  }
}
