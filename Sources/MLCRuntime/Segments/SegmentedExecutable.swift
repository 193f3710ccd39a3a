import MLCCore
import MLCPackage
import MLCText

/// A function in segments, loaded: each by the driver of its device.
struct SegmentedExecutable: Executable {
  let interface: FunctionInterface
  let values: [TensorType]
  let wirings: [SegmentWiring]
  let segments: [any Executable]
  let drivers: [any Driver]
  let steps: [ExecutableStep]
  /// Those of the whole function, which segments that work on texts number alike.
  let texts: TextNumbers?
  /// The values that have open extents, by number.
  let openValues: [Int: TensorType]

  /// `drivers` are those of the target's devices.
  init(
    _ interface: FunctionInterface,
    _ code: Manifest.Code,
    _ segments: [any Executable],
    _ drivers: [any Driver]
  ) {
    (self.interface, self.segments, self.drivers) = (interface, segments, drivers)
    (values, wirings) = (code.values, code.segments.map { $0.wiring })
    steps = segments.flatMap { $0.steps }
    texts = segments.lazy.compactMap { $0.texts }.first
    let types = interface.inputs.map { $0.type } + interface.outputs.map { $0.type } + values
    openValues = Dictionary(
      uniqueKeysWithValues: types.enumerated().filter { interface.elementLimit($1) != nil }.map { ($0, $1) }
    )
  }

  func makeWorkspace(profiling: Bool) throws(Diagnostic) -> any Workspace {
    try SegmentedWorkspace(self, profiling: profiling)
  }
}
