import MLCCore

/// How the outputs of an image divide into regions, and the C that finds a task's.
struct WindowTasks {
  let geometry: WindowGeometry
  let sizes: SizeSpelling

  private var extents: [Int] { [geometry.region.planes, geometry.region.rows, geometry.region.columns] }
  /// Regions along depth, height and width.
  private var counts: [Dim] { zip(geometry.output, extents).map { $0.ceilDiv(Dim($1)) } }
  /// Regions of an image.
  var regions: Dim { counts.reduce(1, *) }

  /// Declares `z`, `y` and `x`, where region `rest` begins, and `zs`, `ys` and `xs`, its extents; `rest` becomes its
  /// image.
  var positions: CCode {
    zip(0..<3, ["z", "y", "x"]).reversed().map { axis, name -> CCode in
      let (count, extent) = (sizes.spell(counts[axis]), sizes.spell(geometry.output[axis]))
      return """
        const int64_t \(name) = rest % \(count) * \(extents[axis]);
        const int64_t \(name)s = \(name) + \(extents[axis]) < \(extent) ? \(extents[axis]) : \(extent) - \(name);
        rest /= \(count);
        """
    }.joined()
  }

  /// The number of the output at `z`, `y`, `x` among those of its image and filter.
  func flattened(_ z: String, _ y: String, _ x: String) -> String {
    "((\(z)) * \(sizes.spell(geometry.output[1])) + \(y)) * \(sizes.spell(geometry.output[2])) + \(x)"
  }
}
