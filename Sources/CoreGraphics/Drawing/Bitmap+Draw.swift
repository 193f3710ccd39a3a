import CMLCPixels
import Foundation

extension Bitmap {
  /// Draws the part that `placement` says into rows of pixels of `layout`, resampled, turned, and laid over black where
  /// it is transparent; the target's alpha becomes opaque unless the picture's is kept. Its other pixels stay.
  ///
  /// False where there is no memory.
  package func draw(
    _ placement: Placement,
    into target: UnsafeMutableRawPointer,
    bytesPerRow targetRow: Int,
    _ targetLayout: PixelLayout,
    keepsAlpha: Bool = false
  ) -> Bool {
    guard let source = premultiplied() else { return false }
    let (columns, rows) = placement.storedSize
    let channels = layout.bytes
    let box = placement.pixelBox(in: (width, height))
    guard box.right > box.left, box.bottom > box.top else { return false }
    var drawn = source
    if box.left != 0 || box.top != 0 || columns != width || rows != height || box.right - box.left != Double(width)
      || box.bottom - box.top != Double(height)
    {
      guard let memory = PixelMemory(columns * rows * channels) else { return false }
      let status = mlc_resample(
        source.base.assumingMemoryBound(to: UInt8.self),
        source.bytesPerRow,
        Int32(width),
        Int32(height),
        Int32(channels),
        box,
        memory.base.assumingMemoryBound(to: UInt8.self),
        columns * channels,
        Int32(columns),
        Int32(rows)
      )
      guard status == 0,
        let small = Bitmap(memory.base, memory.count, columns, rows, columns * channels, layout, owner: memory)
      else { return false }
      drawn = small
    }
    let start = target + placement.top * targetRow + placement.left * targetLayout.bytes
    let map = targetLayout.map(from: layout, keepsAlpha: keepsAlpha)
    drawn.layOut(placement.orientation, into: start, bytesPerRow: targetRow, targetLayout.bytes, map)
    return true
  }

  /// All of it, turned, as pixels of `targetBytes` that are what `map` says.
  private func layOut(
    _ orientation: Orientation,
    into target: UnsafeMutableRawPointer,
    bytesPerRow targetRow: Int,
    _ targetBytes: Int,
    _ map: [Int32]
  ) {
    defer { withExtendedLifetime(owner) {} }
    let (across, down) = (
      orientation.flipsColumns ? -layout.bytes : layout.bytes, orientation.flipsRows ? -bytesPerRow : bytesPerRow
    )
    let first =
      base + (orientation.flipsRows ? (height - 1) * bytesPerRow : 0)
      + (orientation.flipsColumns ? (width - 1) * layout.bytes : 0)
    mlc_lay_out(
      first.assumingMemoryBound(to: UInt8.self),
      orientation.isTransposed ? down : across,
      orientation.isTransposed ? across : down,
      layout.places,
      target.assumingMemoryBound(to: UInt8.self),
      targetRow,
      Int32(orientation.isTransposed ? height : width),
      Int32(orientation.isTransposed ? width : height),
      Int32(targetBytes),
      map
    )
  }

  /// With colours multiplied by alpha, as they are over black; `nil` where there is no memory.
  private func premultiplied() -> Bitmap? {
    guard let alpha = layout.alpha, !layout.isPremultiplied else { return self }
    let row = width * layout.bytes
    guard let memory = PixelMemory(row * height) else { return nil }
    for y in 0..<height { (memory.base + y * row).copyMemory(from: base + y * bytesPerRow, byteCount: row) }
    withExtendedLifetime(owner) {}
    let bytes = memory.base.assumingMemoryBound(to: UInt8.self)
    mlc_premultiply(bytes, width * height, Int32(layout.bytes), Int32(alpha))
    return Bitmap(memory.base, memory.count, width, height, row, layout, owner: memory)
  }
}

/// Memory for pixels.
package final class PixelMemory {
  package let base: UnsafeMutableRawPointer
  package let count: Int

  /// `nil` where there is none.
  package init?(_ count: Int) {
    guard count >= 0, let base = malloc(max(count, 1)) else { return nil }
    (self.base, self.count) = (base, count)
  }

  deinit { free(base) }
}
