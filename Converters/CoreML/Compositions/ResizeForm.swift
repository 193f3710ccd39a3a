import MLCCore
import MLCGraph
import MLCOps

/// How Core ML's resizing to given extents samples an axis of n elements at n′ places: `DEFAULT` at i·n/n′,
/// `UNALIGN_CORNERS` at (i + ½)·n/n′ − ½, `STRICT_ALIGN_CORNERS` from the first to the last element, `ALIGN_CORNERS`
/// the same, a single place being in the middle, `OFFSET_CORNERS` at (i + ½)·(n − 1)/n′. Source: MIL `resize_bilinear`.
struct ResizeForm {
  private var resize = Resize()
  private var region: [Double]?

  /// `sizes` are n′ as far as they are known. Throws `coreml.parameter`.
  init(_ sampling: String, isNearest: Bool, _ sizes: [Int]?) throws(Diagnostic) {
    (resize.mode, resize.nearestMode) = (isNearest ? "nearest" : "linear", "floor")
    switch sampling {
    case "DEFAULT": resize.coordinateMode = "asymmetric"
    case "UNALIGN_CORNERS": resize.coordinateMode = "half_pixel"
    case "STRICT_ALIGN_CORNERS": resize.coordinateMode = "align_corners"
    case "ALIGN_CORNERS":
      resize.coordinateMode = "align_corners"
      if let sizes, sizes.contains(1) { try setRegion(sizes.map { _ in 0 }) }
    case "OFFSET_CORNERS":
      guard let sizes, sizes.allSatisfy({ $0 > 0 }) else {
        throw Diagnostic("coreml.parameter", "OFFSET_CORNERS needs a known size", kind: .unsupported)
      }
      try setRegion(sizes.map { 0.5 / Double($0) })
    default: throw Diagnostic("coreml.parameter", "the sampling mode is '\(sampling)'", kind: .unsupported)
    }
  }

  /// From so much of each axis to as much before its end.
  private mutating func setRegion(_ starts: [Double]) throws(Diagnostic) {
    resize.coordinateMode = "tf_crop_and_resize"
    region = starts + starts.map { 1 - $0 }
  }

  func append(_ x: ValueID, _ axes: [Int], _ sizes: ValueID, to builder: inout some OperationBuilder)
    throws(Diagnostic) -> ValueID
  {
    var resize = resize
    resize.axes = axes
    let region = region.map { builder.constant(Tensor(.float32, [$0.count], $0), "region") }
    return try builder.apply(resize, x, sizes, nil, region)
  }
}
