/// Pixels of 8 bits a channel in rows, top down, which do not change while it lives.
package struct Bitmap: @unchecked Sendable {  // only read
  package let base: UnsafeRawPointer
  package let width: Int, height: Int, bytesPerRow: Int
  package let layout: PixelLayout
  /// Keeps the pixels.
  package let owner: AnyObject

  /// `nil` where an extent is not positive or more than 2^24, a row is shorter than its pixels, or `count` bytes are
  /// too few.
  package init?(
    _ base: UnsafeRawPointer,
    _ count: Int,
    _ width: Int,
    _ height: Int,
    _ bytesPerRow: Int,
    _ layout: PixelLayout,
    owner: AnyObject
  ) {
    let extents = 1...1 << 24
    guard extents.contains(width), extents.contains(height), bytesPerRow >= width * layout.bytes else { return nil }
    let (rows, overflow) = bytesPerRow.multipliedReportingOverflow(by: height - 1)
    guard !overflow, rows <= count - width * layout.bytes else { return nil }
    (self.base, self.width, self.height, self.bytesPerRow) = (base, width, height, bytesPerRow)
    (self.layout, self.owner) = (layout, owner)
  }
}
