import MLCCore

/// `manifest.json`: what a compiled package is and which files it holds. Specs/Package.md explains each field.
package struct Manifest: Hashable, Sendable {
  package static let format = "mlc-package"
  /// A reader takes any minor version of the major version it knows.
  package static let (major, minor) = (1, 2)

  /// One file of the package: where, how long and what SHA-256.
  package struct File: Hashable, Sendable {
    package var path: String, size: Int, digest: String

    package init(path: String, size: Int, digest: String) {
      (self.path, self.size, self.digest) = (path, size, digest)
    }
  }

  /// The code of one function for one device.
  package struct Code: Hashable, Sendable {
    package var function: String
    package var kernels, weights, plan: File
  }

  /// Tensors in one file.
  package struct Constants: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
      package var dtype: DType, shape: [Int], offset: Int
    }

    package var file: File, tensors: [Entry]
  }

  package struct Target: Hashable, Sendable {
    package var device: Device
    package var code: [Code]
  }

  /// The part of a device description that choosing a target needs.
  package struct Device: Hashable, Sendable {
    /// `family` names the driver, `isa` the instruction set, `requires` the features that a CPU must have.
    package var name: String, family: String, isa: String, requires: [String]

    package init(name: String, family: String, isa: String, requires: [String]) {
      (self.name, self.family, self.isa, self.requires) = (name, family, isa, requires)
    }
  }

  /// The tool that wrote it, `mlc 0.1.0`.
  package var tool: String
  /// SHA-256 of the source model.
  package var source: String
  /// The functions one can call, the default one first.
  package var functions: [String]
  package var metadata: [String: String]
  /// The narrowest floating-point type that intermediate tensors are stored in; `nil` where nobody noted it.
  package var precision: DType?
  package var interface: File, program: File?
  /// The tensors that the program's text leaves out, in its order.
  package var constants: Constants?
  /// The devices that the program can be compiled for, from the plainest to the most capable.
  package var devices: [Device] = []
  /// From the plainest device to the most capable; the last that fits is the best.
  package var targets: [Target]
  /// SHA-256 of the manifest's canonical form, and so of the whole package, whose files it names by their digests.
  /// Empty until the manifest is written or read.
  package var digest = ""

  /// Every file it names, each path once; the same path has the same size and digest wherever it stands.
  package var files: [File] {
    var seen: Set<String> = []
    return allFiles.filter { seen.insert($0.path).inserted }
  }

  /// Every file as often as it stands there.
  var allFiles: [File] {
    let code = targets.flatMap { target in target.code.flatMap { [$0.kernels, $0.weights, $0.plan] } }
    return [interface] + (program.map { [$0] } ?? []) + (constants.map { [$0.file] } ?? []) + code
  }
}
