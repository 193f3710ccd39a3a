import MLCCore
import MLCGraph

/// An operator that makes one number of each window of each channel: `x: T[N, C, *D]` → `y: T[N, C, *D′]`.
///
/// `D′`, `pad_type` and `ceil_mode`: `SpatialWindow`. `dilations` are an mlc extension.
/// Throws `<operator>.dtype`, `<operator>.kernel` and what the window throws.
package protocol Pooling: Operator {
  var kernelSizes: [Int] { get set }
  var strides: [Int] { get set }
  var dilations: [Int] { get set }
  var padType: String { get set }
  var pad: [Int] { get set }
  var ceilMode: Bool { get set }
}

extension Pooling {
  /// The window over `rank` spatial axes.
  package func window(rank: Int) throws(Diagnostic) -> SpatialWindow {
    guard kernelSizes.count == rank else {
      let message = "kernel_sizes is \(kernelSizes) for \(rank) spatial axes"
      throw Diagnostic(.init("\(Self.name).kernel"), message)
    }
    return try SpatialWindow(
      Self.name,
      kernel: kernelSizes.map { Dim($0) },
      strides: strides,
      dilations: dilations,
      pad: pad,
      padType: padType,
      ceilMode: ceilMode
    )
  }

  func pooledShape(_ x: Fact) throws(Diagnostic) -> [Dim] {
    Array(x.shape[..<2]) + (try window(rank: x.rank - 2).extents(Array(x.shape[2...])))
  }

  /// Calls `reduce` once for each output of each plane, with the plane's elements, for each kernel element the index in
  /// the plane that it covers (−1 for padding), and the output's position in the whole result.
  func eachWindow(
    _ x: Tensor,
    _ shape: [Int],
    _ reduce: (
      _ walk: SpatialWalk, _ plane: UnsafeBufferPointer<Double>, _ sources: UnsafeBufferPointer<Int>, _ at: Int
    )
      -> Void
  ) throws(Diagnostic) {
    let window = try window(rank: x.rank - 2)
    let walk = SpatialWalk(window, input: Array(x.shape[2...]), output: Array(shape[2...]))
    let (planes, outputs) = (shape[0] * shape[1], walk.outputCount)
    guard planes > 0, outputs > 0 else { return }
    let data = x.doubles
    let sources = UnsafeMutableBufferPointer<Int>.allocate(capacity: walk.kernelCount)
    defer { sources.deallocate() }
    data.withUnsafeBufferPointer { data in
      for output in 0..<outputs {
        walk.sources(output, into: sources.baseAddress!)
        for plane in 0..<planes {
          let values = UnsafeBufferPointer(rebasing: data[plane * walk.inputCount..<(plane + 1) * walk.inputCount])
          reduce(walk, values, UnsafeBufferPointer(sources), plane * outputs + output)
        }
      }
    }
  }
}
