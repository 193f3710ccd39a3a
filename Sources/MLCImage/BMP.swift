import MLCCore

/// The header of a Windows bitmap: a BITMAPINFOHEADER or a later one, or OS/2's BITMAPCOREHEADER; colours of a palette
/// or in 16, 24 or 32 bits a pixel. Pixels in runs (BI_RLE8, BI_RLE4) and other files within the file are refused.
/// Its bytes must stay valid while it lives.
///
/// Source: Microsoft, Bitmap Storage; [MS-WMF] 2.2.2.
struct BMP {
  let bytes: UnsafeRawBufferPointer
  let width: Int, height: Int, isTopDown: Bool
  /// Of a pixel.
  let bits: Int
  /// Where the pixels begin, and bytes from row to row.
  let start: Int, stride: Int
  /// Where the palette begins, bytes and number of its colours; no colours without one.
  let palette: (start: Int, bytes: Int, count: Int)
  /// Red, green, blue and, where there is one, alpha; none where there is a palette.
  let masks: [BMPMask]

  /// Throws `image.bmp`, `image.size`.
  init(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    let header = try Self.number(bytes, 14, 4)
    let isCore = header == 12
    guard isCore || 40...124 ~= header else { throw Self.problem("a header of \(header) bytes is none of bitmaps") }
    let columns = try isCore ? Self.number(bytes, 18, 2) : Self.signed(bytes, 18)
    let rows = try isCore ? Self.number(bytes, 20, 2) : Self.signed(bytes, 22)
    let depth = try Self.number(bytes, isCore ? 24 : 28, 2)
    let compression = try isCore ? 0 : Self.number(bytes, 30, 4)
    let isMasked = header != 64 && (compression == 3 || compression == 6)
    guard compression == 0 || isMasked else {
      let what = "its pixels are in runs, or in a file of their own: compression \(compression)"
      throw Diagnostic("image.bmp", what, kind: .unsupported)
    }
    guard [1, 4, 8, 16, 24, 32].contains(depth), !isMasked || depth == 16 || depth == 32, columns >= 0 else {
      throw Self.problem("\(columns) × \(rows) pixels of \(depth) bits are none of bitmaps")
    }
    _ = try ImageFile.shape(abs(rows), columns, 4)
    let hasAlpha = header >= 56 || compression == 6
    let used = try isCore ? 0 : Self.number(bytes, 46, 4)
    let colours = depth > 8 ? 0 : used == 0 ? 1 << depth : used
    (self.bytes, bits, width, height, isTopDown) = (bytes, depth, columns, abs(rows), rows < 0)
    (start, stride) = (try Self.number(bytes, 10, 4), (columns * depth + 31) / 32 * 4)
    palette = (14 + header, isCore ? 3 : 4, colours)
    masks = try isMasked ? Self.masks(bytes, hasAlpha: hasAlpha) : BMPMask.usual(depth)
    let end = start + stride * (height - 1) + (width * depth + 7) / 8
    guard masks.allSatisfy({ $0.isContiguous && $0.bits >> depth == 0 }), colours <= 256, start >= 14 + header,
      palette.start + palette.bytes * colours <= bytes.count, end <= bytes.count
    else { throw Self.problem("the file is cut off, or its header contradicts itself") }
  }

  private static func problem(_ message: String) -> Diagnostic { Diagnostic("image.bmp", message) }

  /// The unsigned number in `count` bytes at `place`, little-endian.
  private static func number(_ bytes: UnsafeRawBufferPointer, _ place: Int, _ count: Int) throws(Diagnostic) -> Int {
    guard place + count <= bytes.count else { throw problem("the file is cut off") }
    return (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
  }

  private static func signed(_ bytes: UnsafeRawBufferPointer, _ place: Int) throws(Diagnostic) -> Int {
    Int(Int32(truncatingIfNeeded: try number(bytes, place, 4)))
  }

  private static func masks(_ bytes: UnsafeRawBufferPointer, hasAlpha: Bool) throws(Diagnostic) -> [BMPMask] {
    var masks: [BMPMask] = []
    for place in [54, 58, 62] { masks.append(BMPMask(bits: try number(bytes, place, 4))) }
    let alpha = hasAlpha ? try number(bytes, 66, 4) : 0
    return alpha == 0 ? masks : masks + [BMPMask(bits: alpha)]
  }
}

/// Where a colour stands among the bits of a pixel.
struct BMPMask {
  let bits: Int
  var isContiguous: Bool { most & (most + 1) == 0 }
  /// The greatest value.
  private var most: Int { bits >> bits.trailingZeroBitCount }

  /// Of pixels of 16, 24 and 32 bits without masks in the file; none of those of fewer.
  static func usual(_ depth: Int) -> [BMPMask] {
    let masks = depth < 16 ? [] : depth == 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff]
    return masks.map { BMPMask(bits: $0) }
  }

  /// The colour of 8 bits that is nearest to the fraction; 0 where there is no bit.
  func colour(of pixel: Int) -> UInt8 {
    if bits == 0 { return 0 }
    let value = (pixel & bits) >> bits.trailingZeroBitCount
    return UInt8((value * 255 + most / 2) / most)
  }
}
