import MLCCore

/// What goes into a compiled package.
package struct PackageContents: Sendable {
  /// The bytes of one file, wherever they are.
  package enum Payload: Sendable {
    case bytes([UInt8])
    case file(String)
    case mapped(MappedFile)
    /// Tensors at ascending, non-overlapping offsets in `byteCount` bytes; zeros between them.
    case tensors([(offset: Int, tensor: Tensor)], byteCount: Int)
  }

  /// The code of one function for one target.
  package struct Code: Sendable {
    package var function: String
    /// What goes from one segment to others.
    package var values: [TensorType]
    package var segments: [Segment]

    package init(_ function: String, values: [TensorType] = [], segments: [Segment]) {
      (self.function, self.values, self.segments) = (function, values, segments)
    }
  }

  /// A part of a function that one device runs.
  package struct Segment: Sendable {
    package var wiring: SegmentWiring
    package var kernels, weights: Payload
    /// As in `Manifest.Segment`.
    package var gathered: [Range<Int>]
    package var plan: KernelPlan

    package init(
      _ wiring: SegmentWiring,
      kernels: Payload,
      weights: Payload,
      gathered: [Range<Int>] = [],
      plan: KernelPlan
    ) {
      (self.wiring, self.kernels, self.weights) = (wiring, kernels, weights)
      (self.gathered, self.plan) = (gathered, plan)
    }
  }

  package struct Target: Sendable {
    /// The processor, and devices beside it that run segments.
    package var device: Manifest.Device, accelerators: [Manifest.Device]
    /// One for each function, in the functions' order.
    package var code: [Code]

    package init(_ device: Manifest.Device, accelerators: [Manifest.Device] = [], code: [Code]) {
      (self.device, self.accelerators, self.code) = (device, accelerators, code)
    }
    var name: String { Manifest.Target(device: device, accelerators: accelerators, code: []).name }
  }

  package var tool: String, source: String
  package var metadata: [String: String]
  /// The narrowest floating-point type that intermediate tensors are stored in.
  package var precision: DType?
  /// Whether convolutions whose filters are transformed were left out, to be left out on other devices too.
  package var avoidsWinograd = false
  /// The default function first.
  package var functions: [FunctionInterface]
  /// The graph's text form.
  package var program: String?
  /// What the source model is made of.
  package var structure: ModelStructure?
  /// How the model learns, if it does.
  package var learning: Learning?
  /// What it has learnt so far, by the names of the functions' parameters.
  package var parameters: [(name: String, tensor: Tensor)] = []
  /// The tensors that the text leaves out, in its order; none of strings.
  package var constants: [Tensor] = []
  /// The devices that the program can be compiled for, from the plainest to the most capable.
  package var devices: [Manifest.Device] = []
  /// From the plainest device to the most capable.
  package var targets: [Target]

  package init(
    tool: String,
    source: String,
    metadata: [String: String] = [:],
    precision: DType? = nil,
    functions: [FunctionInterface],
    program: String? = nil,
    targets: [Target]
  ) {
    (self.tool, self.source, self.metadata, self.precision) = (tool, source, metadata, precision)
    (self.functions, self.program, self.targets) = (functions, program, targets)
  }
}
