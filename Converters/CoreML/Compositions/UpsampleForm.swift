import MLCCore
import MLCGraph
import MLCOps

/// Core ML's upsampling of height and width by factors: the new extent is the whole part of factor · extent. Source:
/// MIL `upsample_bilinear` and `upsample_nearest_neighbor`, `UpsampleLayerParams`.
struct UpsampleForm {
  private var resize = Resize()
  private let factors: [Double]

  /// Each element is copied.
  static func nearest(_ factors: [Double]) -> UpsampleForm {
    UpsampleForm("nearest", coordinates: "asymmetric", factors)
  }

  /// Between pixels, whose `coordinates` are `align_corners`, `half_pixel` or `asymmetric` as `Resize` has them.
  static func bilinear(_ factors: [Double], coordinates: String) -> UpsampleForm {
    UpsampleForm("linear", coordinates: coordinates, factors)
  }

  private init(_ mode: String, coordinates: String, _ factors: [Double]) {
    (resize.mode, resize.nearestMode, resize.coordinateMode) = (mode, "floor", coordinates)
    resize.axes = [-2, -1]
    self.factors = factors
  }

  func append(_ x: ValueID, to builder: inout some OperationBuilder) throws(Diagnostic) -> ValueID {
    if let sizes = sizes(builder.fact(x)) { return try builder.apply(resize, x, builder.list(sizes)) }
    return try builder.apply(resize, x, nil, builder.constant(Tensor(.float32, [2], factors), "scales"))
  }

  /// The new extents between which pixels lie, where factors are no whole numbers: the ratio to the old ones takes the
  /// factor's place, PyTorch's `recompute_scale_factor`.
  private func sizes(_ x: Fact) -> [Int]? {
    let extents = x.shape.suffix(2).compactMap { $0.constant }
    let isWhole = factors.allSatisfy { $0 == $0.rounded() }
    guard resize.mode == "linear", extents.count == 2, !isWhole else { return nil }
    let wanted = zip(extents, factors).map { Double($0) * $1 }
    return wanted.allSatisfy { $0 >= 1 && $0 < 0x1p31 } ? wanted.map { Int($0) } : nil
  }
}
