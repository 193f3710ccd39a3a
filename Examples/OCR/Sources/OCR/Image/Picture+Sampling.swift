extension Picture {
  /// The picture in another size.
  func resized(width: Int, height: Int) -> Picture {
    let box = RotatedBox(
      centre: Point(x: Float(self.width) / 2, y: Float(self.height) / 2),
      width: Float(self.width),
      height: Float(self.height),
      direction: Point(x: 1, y: 0)
    )
    return sampled(box, width: width, height: height)
  }

  /// What `box` shows, upright and `height` pixels high.
  func crop(_ box: RotatedBox, height: Int) -> Picture {
    let width = (Float(height) * box.width / max(box.height, 1)).rounded()
    return sampled(box, width: max(height, min(4096, Int(width))), height: height)
  }

  /// Bilinear; what is outside shows the nearest pixel.
  private func sampled(_ box: RotatedBox, width: Int, height: Int) -> Picture {
    var result = [UInt8](repeating: 0, count: 3 * width * height)
    let origin = box.corners[0]
    let (right, down) = (box.direction * (box.width / Float(width)), box.down * (box.height / Float(height)))
    let (lastX, lastY, rowBytes) = (self.width - 1, self.height - 1, 3 * self.width)
    pixels.withUnsafeBufferPointer { source in
      result.withUnsafeMutableBufferPointer { target in
        for row in 0..<height {
          for column in 0..<width {
            let (i, j) = (Float(column) + 0.5, Float(row) + 0.5)
            let x = min(max(origin.x + right.x * i + down.x * j - 0.5, 0), Float(lastX))
            let y = min(max(origin.y + right.y * i + down.y * j - 0.5, 0), Float(lastY))
            let (x0, y0) = (Int(x), Int(y))
            let (fx, fy) = (x - Float(x0), y - Float(y0))
            let top = y0 * rowBytes
            let bottom = min(y0 + 1, lastY) * rowBytes
            let left = 3 * x0
            let next = 3 * min(x0 + 1, lastX)
            let at = 3 * (row * width + column)
            for channel in 0..<3 {
              let a = Float(source[top + left + channel])
              let b = Float(source[top + next + channel])
              let c = Float(source[bottom + left + channel])
              let d = Float(source[bottom + next + channel])
              let upper = a + (b - a) * fx
              let lower = c + (d - c) * fx
              target[at + channel] = UInt8(upper + (lower - upper) * fy + 0.5)
            }
          }
        }
      }
    }
    return Picture(width: width, height: height, pixels: result)
  }
}
