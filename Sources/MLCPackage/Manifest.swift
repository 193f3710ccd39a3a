import MLCCore

/// `manifest.json`: what a compiled package is and which files it holds. Specs/Package.md explains each field.
package struct Manifest: Hashable, Sendable {
  package static let format = "mlc-package"
  /// A reader takes any minor version of the major version it knows.
  package static let (major, minor) = (2, 6)

  /// One file of the package: where, how long and what SHA-256.
  package struct File: Hashable, Sendable {
    package var path: String, size: Int, digest: String

    package init(path: String, size: Int, digest: String) {
      (self.path, self.size, self.digest) = (path, size, digest)
    }
  }

  /// The code of one function for one target.
  package struct Code: Hashable, Sendable {
    package var function: String
    /// What goes from one segment to others. Values have numbers: the function's inputs, its outputs, then these.
    package var values: [TensorType]
    /// In the order in which they run.
    package var segments: [Segment]
  }

  /// A part of a function that one device runs.
  package struct Segment: Hashable, Sendable {
    package var wiring: SegmentWiring
    package var kernels, weights: File
    /// Parts of the weights, in their order, of which a run reads only what data says; all others it reads whole.
    package var gathered: [Range<Int>]
    package var plan: File
  }

  /// Tensors in one file.
  package struct Constants: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
      package var dtype: DType, shape: [Int], offset: Int
    }

    package var file: File, tensors: [Entry]
  }

  /// What the model has learnt so far: tensors in one file, by name.
  package struct Parameters: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
      package var name: String, dtype: DType, shape: [Int], offset: Int
    }

    package var file: File, tensors: [Entry]
  }

  package struct Target: Hashable, Sendable {
    /// The processor, and devices beside it that run segments.
    package var device: Device, accelerators: [Device]
    package var code: [Code]

    /// Number 0 is the processor.
    package var devices: [Device] { [device] + accelerators }
    /// `x86-64-v3+gpu`
    package var name: String { devices.map { $0.name }.joined(separator: "+") }
    package var files: [File] { code.flatMap { $0.segments.flatMap { [$0.kernels, $0.weights, $0.plan] } } }
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
  /// The functions that there is code for, the default one first; those that only updates call are the last.
  package var functions: [String]
  package var metadata: [String: String]
  /// The narrowest floating-point type that intermediate tensors are stored in; `nil` where nobody noted it.
  package var precision: DType?
  /// Whether convolutions whose filters are transformed were left out, to be left out on other devices too.
  package var avoidsWinograd = false
  package var interface: File, program: File?
  /// What the source model is made of; only reports read it.
  package var structure: File?
  /// How the model learns, and what it has learnt; both or neither.
  package var learning: File?, parameters: Parameters?
  /// The tensors that the program's text leaves out, in its order.
  package var constants: Constants?
  /// The devices that the program can be compiled for, from the plainest to the most capable.
  package var devices: [Device] = []
  /// From the plainest device to the most capable; the last that fits is the best.
  package var targets: [Target]
  /// SHA-256 of the manifest's canonical form, and so of the whole package, whose files it names by their digests.
  /// Empty until the manifest is written or read.
  package var digest = ""

  /// The functions one can call.
  package var callableFunctions: [String] { functions.filter { !Learning.allFunctions.contains($0) } }

  /// Whether `other` is of a package that differs at most in what it has learnt.
  package func isSame(butForParametersAs other: Manifest) -> Bool {
    func untaught(_ manifest: Manifest) -> Manifest {
      var manifest = manifest
      (manifest.parameters, manifest.digest) = (nil, "")
      return manifest
    }
    return untaught(self) == untaught(other)
  }

  /// Every file it names, each path once; the same path has the same size and digest wherever it stands.
  package var files: [File] {
    var seen: Set<String> = []
    return allFiles.filter { seen.insert($0.path).inserted }
  }

  /// Every file as often as it stands there.
  var allFiles: [File] {
    let others = [program, structure, learning, parameters?.file, constants?.file].compactMap { $0 }
    return [interface] + others + targets.flatMap { $0.files }
  }
}
