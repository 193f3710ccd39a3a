import MLCCore
import MLCGraph
import MLCOps

/// Regions of images, resampled in straight lines: `x: T[B, C, H, W]`, corners or centres and sizes of N regions, and
/// for each the image that it is in → `T[N, C, height, width]`.
///
/// With n samples from a to b they lie, by `sampling`: `STRICT_ALIGN_CORNERS` from a to b, a single one at a;
/// `ALIGN_CORNERS` the same, a single one between them; `DEFAULT` at a + i·(b − a + 1)/n; `UNALIGN_CORNERS` at a + (i +
/// ½)·(b − a + 1)/n − ½; `OFFSET_CORNERS` at a + (i + ½)·max(1, b − a)/n; the last three not before a nor behind b.
/// Samples outside of the image are `padValue`. Source: MIL `crop_resize`.
struct CroppedRegions {
  var size: (height: Int, width: Int) = (1, 1)
  var isNormalized = false
  var spatialScale = 1.0
  var boxes = "CORNERS_HEIGHT_FIRST"
  var sampling = "DEFAULT"
  var padValue = 0.0

  private static let forms = [
    "CORNERS_HEIGHT_FIRST", "CORNERS_WIDTH_FIRST", "CENTER_SIZE_HEIGHT_FIRST", "CENTER_SIZE_WIDTH_FIRST",
  ]
  private static let samplings = [
    "STRICT_ALIGN_CORNERS", "ALIGN_CORNERS", "DEFAULT", "OFFSET_CORNERS", "UNALIGN_CORNERS",
  ]

  /// `regions: F[N, 4]`, `images: int64[N]`. Throws `coreml.parameter`.
  func append(_ x: ValueID, _ regions: ValueID, _ images: ValueID, to builder: inout some OperationBuilder)
    throws(Diagnostic) -> ValueID
  {
    let data = builder.fact(x)
    guard data.rank == 4, data.dtype.isFloat, builder.fact(regions).rank == 2, builder.fact(images).rank == 1,
      Self.forms.contains(boxes), Self.samplings.contains(sampling),
      (1...1 << 20).contains(size.height), (1...1 << 20).contains(size.width)
    else {
      throw Diagnostic(
        "coreml.parameter",
        "\(builder.fact(regions).type) of \(data.type), \(boxes) and \(sampling), are no regions of images"
      )
    }
    let numbers = try builder.converted(regions, to: .float32)
    var (taps, extents): ([[SampleTap]], [ValueID]) = ([], [])
    for side in 0..<2 {
      let extent = try builder.extent(of: x, axis: 2 + side)
      let places = try samples(numbers, side, extent, in: &builder)
      var own: [SampleTap] = []
      for tap in try around(places, extent, in: &builder) {
        own.append(try spread(tap, side == 0 ? 2 : 1, in: &builder))
      }
      taps.append(own)
      extents.append(extent)
    }
    let pixels = try builder.apply(Transpose([0, 2, 3, 1]), x)
    let rows = try builder.reshape(
      pixels,
      [data.shape[0] * data.shape[2] * data.shape[3], data.shape[1]],
      sources: [x]
    )
    let image = try builder.apply(ExpandDims([1, 2]), try builder.apply(Mul(), images, extents[0]))
    for index in taps[0].indices { taps[0][index].place = try builder.apply(Add(), taps[0][index].place, image) }
    let y = try values(rows, taps, extents, in: &builder)
    return try builder.converted(try builder.apply(Transpose([0, 3, 1, 2]), y), to: data.dtype)
  }

  /// `roi: F[N, 1, 4, 1, 1]`, which are in all images, → `T[N, B, C, height, width]`; with `F[N, 1, 5, 1, 1]`, whose
  /// first number is the image, → `T[N, 1, C, height, width]`. Throws `coreml.parameter`.
  func append(_ x: ValueID, roi: ValueID, to builder: inout some OperationBuilder) throws(Diagnostic) -> ValueID {
    let (given, data) = (builder.fact(roi), builder.fact(x))
    guard given.rank == 5, let width = given.shape[2].constant, [4, 5].contains(width), data.rank == 4 else {
      throw Diagnostic("coreml.parameter", "\(given.type) are no regions of \(data.type)")
    }
    let rows = try builder.reshape(roi, [given.shape[0], Dim(width)])
    if width == 5 {
      let images = try builder.converted(try builder.element(0, of: rows, axis: 1), to: .int64)
      let y = try append(x, try builder.slice(rows, axis: 1, from: 1), images, to: &builder)
      return try builder.apply(ExpandDims([1]), y)
    }
    guard let count = data.shape[0].constant, count <= 1 << 16 else {
      throw Diagnostic("coreml.parameter", "regions of all images, and how many is not known", kind: .unsupported)
    }
    var perImage: [ValueID] = []
    for image in 0..<count {
      let numbers = try builder.apply(
        Fill(),
        try builder.apply(Shape(start: 0, end: 1, dtype: .int64), rows),
        builder.constant(.scalar(.int64, image), "image")
      )
      perImage.append(try builder.apply(ExpandDims([1]), try append(x, rows, numbers, to: &builder)))
    }
    return try builder.concat(perImage, axis: 1)
  }

  private func values(
    _ rows: ValueID,
    _ taps: [[SampleTap]],
    _ extents: [ValueID],
    in builder: inout some OperationBuilder
  ) throws(Diagnostic) -> ValueID {
    let wide = try builder.converted(rows, to: .float32)
    let given = padValue == 0 ? wide : try builder.raised(wide, by: -padValue)
    let sum = try builder.sum(try builder.taps(given, taps, extents, channelsLast: true))
    return try builder.raised(sum, by: padValue)
  }

  /// Where samples of one side lie, `float32[N, n]`.
  private func samples(
    _ regions: ValueID,
    _ side: Int,
    _ extent: ValueID,
    in builder: inout some OperationBuilder
  ) throws(Diagnostic) -> ValueID {
    let place = boxes.hasSuffix("WIDTH_FIRST") ? 1 - side : side
    var ends: [ValueID] = []
    for part in 0..<2 {
      let number = try builder.slice(regions, axis: 1, from: place + 2 * part, to: place + 2 * part + 1)
      ends.append(number)
    }
    if boxes.hasPrefix("CENTER_SIZE") {
      let half = try builder.scaled(ends[1], by: 0.5)
      ends = [try builder.apply(Sub(), ends[0], half), try builder.apply(Add(), ends[0], half)]
    }
    if isNormalized {
      let last = try builder.raised(try builder.converted(extent, to: .float32), by: -1)
      for part in 0..<2 { ends[part] = try builder.apply(Mul(), ends[part], last) }
    }
    for part in 0..<2 { ends[part] = try builder.scaled(ends[part], by: spatialScale) }
    let count = side == 0 ? size.height : size.width
    return try sampled(ends[0], ends[1], count, in: &builder)
  }

  /// `count` samples from `a` to `b`, `float32[N, 1]` each.
  private func sampled(_ a: ValueID, _ b: ValueID, _ count: Int, in builder: inout some OperationBuilder)
    throws(Diagnostic) -> ValueID
  {
    let steps = (0..<count).map { Double($0) }
    func row(_ numbers: [Double]) -> ValueID { builder.constant(Tensor(.float32, [1, count], numbers), "steps") }
    let length = try builder.apply(Sub(), b, a)
    if sampling.hasSuffix("ALIGN_CORNERS") && !sampling.hasPrefix("UN") {
      let single = sampling == "ALIGN_CORNERS" ? 0.5 : 0
      let shares = count == 1 ? [single] : steps.map { $0 / Double(count - 1) }
      let (near, far) = (row(shares.map { 1 - $0 }), row(shares))
      return try builder.apply(Add(), try builder.apply(Mul(), a, near), try builder.apply(Mul(), b, far))
    }
    let one = builder.scalar(1, like: a)
    let isOffset = sampling == "OFFSET_CORNERS"
    let span = try builder.apply(isOffset ? Maximum() as any Operator : Add(), length, one)
    let shares = steps.map { ($0 + (sampling == "DEFAULT" ? 0 : 0.5)) / Double(count) }
    var way = try builder.apply(Mul(), span, row(shares))
    if sampling == "UNALIGN_CORNERS" { way = try builder.raised(way, by: -0.5) }
    return try builder.clamped(try builder.apply(Add(), a, way), a, b)
  }

  /// The two elements around each of `places`, none where that is outside of an axis of `extent`.
  private func around(_ places: ValueID, _ extent: ValueID, in builder: inout some OperationBuilder)
    throws(Diagnostic) -> [SampleTap]
  {
    let last = try builder.raised(try builder.converted(extent, to: .float32), by: -1)
    let zero = builder.scalar(0, like: places)
    let isInside = try builder.apply(
      LogicalAnd(),
      try builder.apply(GreaterEqual(), places, zero),
      try builder.apply(LessEqual(), places, last)
    )
    let x = try builder.clamped(places, zero, last)
    let low = try builder.apply(Floor(), x)
    let ratio = try builder.apply(Sub(), x, low)
    let rest = try builder.apply(Sub(), builder.scalar(1, like: x), ratio)
    let high = try builder.apply(Minimum(), try builder.raised(low, by: 1), last)
    return [
      SampleTap(place: try builder.converted(low, to: .int64), weight: rest, isInside: isInside),
      SampleTap(place: try builder.converted(high, to: .int64), weight: ratio, isInside: isInside),
    ]
  }

  /// The tap of one side, `[N, n]`, in `[N, height, width]`.
  private func spread(_ tap: SampleTap, _ axis: Int, in builder: inout some OperationBuilder) throws(Diagnostic)
    -> SampleTap
  {
    var result = SampleTap(place: try builder.apply(ExpandDims([axis]), tap.place))
    if let weight = tap.weight { result.weight = try builder.apply(ExpandDims([axis]), weight) }
    if let isInside = tap.isInside { result.isInside = try builder.apply(ExpandDims([axis]), isInside) }
    return result
  }
}
