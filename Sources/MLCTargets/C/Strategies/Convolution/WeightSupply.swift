import MLCKernels

/// Where a panel's weights come from as tiles pass over them, one after the other.
struct WeightSupply {
  /// Steps of the reduction whose weights each pass reads: one vector of each block a step.
  let steps: Int
  let device: DeviceDescription

  /// Cycles until a step's weights are there, a panel being `vectors` wide: two loads a cycle from the first-level
  /// cache, a cache line a cycle from the second-level one, of which inputs and outputs take a quarter, and half as
  /// much from beyond.
  func cycles(vectors: Int) -> Double {
    let bytes = vectors * device.lanes * 4
    let (panel, lines) = (bytes * steps, Double(bytes) / 64)
    if panel <= device.cacheBytes.first ?? 1 << 15 { return Double(vectors) / 2 }
    return panel <= (device.cacheBytes.last ?? 1 << 18) / 4 * 3 ? lines : lines * 2
  }
}
