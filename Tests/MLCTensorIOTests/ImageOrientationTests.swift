import MLCCore
import MLCImage
import MLCTensorIO
import Testing

@Suite struct ImageOrientationTests {
  /// What stands in two rows, 012 and 345, as each value has it shown.
  @Test func valuesTurnAndMirror() {
    let stored = Tensor(.uint8, [2, 3, 1], Array(0..<6))
    let shown: [(shape: [Int], pixels: [Int])] = [
      ([2, 3, 1], [0, 1, 2, 3, 4, 5]), ([2, 3, 1], [2, 1, 0, 5, 4, 3]), ([2, 3, 1], [5, 4, 3, 2, 1, 0]),
      ([2, 3, 1], [3, 4, 5, 0, 1, 2]), ([3, 2, 1], [0, 3, 1, 4, 2, 5]), ([3, 2, 1], [3, 0, 4, 1, 5, 2]),
      ([3, 2, 1], [5, 2, 4, 1, 3, 0]), ([3, 2, 1], [2, 5, 1, 4, 0, 3]),
    ]
    for (index, expected) in shown.enumerated() {
      let picture = ImageOrientation(exif: index + 1)?.shown(stored)
      #expect(picture == Tensor(.uint8, expected.shape, expected.pixels), "\(index + 1)")
    }
    for value in [0, 9, -1, 65535] { #expect(ImageOrientation(exif: value) == nil) }
  }

  /// As Pillow's `ImageOps.exif_transpose` shows the same files, but for what decoders round.
  @Test func filesAreShownAsPillowShowsThem() throws {
    for (name, expected) in try NPZ.read(fixture("orientations.npz")) {
      let picture = try ImageFile.read(fixture("orientation-\(name).jpg"))
      try #require(picture.shape == expected.shape, "\(name)")
      let worst = zip(picture.integers, expected.integers).map { abs($0 - $1) }.max()!
      #expect(worst <= 2, "\(name)")
      let grey = try ImageFile.read(fixture("orientation-\(name).jpg"), channels: 1)
      #expect(grey.shape == [expected.shape[0], expected.shape[1], 1])
    }
  }

  /// Exif data with these entries, behind a segment of another kind and with padding before its marker.
  private func file(_ entries: [[UInt8]], header: [UInt8] = Array("MM\0*\0\0\0\u{8}".utf8)) throws -> [UInt8] {
    let tiff = header + [0, UInt8(entries.count)] + entries.joined()
    let content = Array("Exif\0\0".utf8) + tiff
    let segment = [0xff, 0xff, 0xe1, 0, UInt8(content.count + 2)] + content
    return [0xff, 0xd8, 0xff, 0xe1, 0, 6] + Array("http".utf8) + segment + (try fixtureBytes("rgb.jpg").dropFirst(2))
  }

  private func orientation(_ bytes: [UInt8]) -> ImageOrientation? {
    bytes.withUnsafeBytes { ImageOrientation(jpeg: $0) }
  }

  @Test func onlyOneShortIsAnOrientation() throws {
    let other: [UInt8] = [1, 15, 0, 3, 0, 0, 0, 1, 0, 3, 0, 0]
    #expect(orientation(try file([other, [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]])) == ImageOrientation(exif: 6))
    let little: [UInt8] = Array("II*\0\u{8}\0\0\0".utf8)
    let swapped: [UInt8] = [0x12, 1, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0]
    // Its count of entries is 256: the first is what is meant, and the rest lies beyond the end.
    #expect(orientation(try file([swapped], header: little)) == ImageOrientation(exif: 8))
    for entry: [UInt8] in [
      [1, 0x12, 0, 4, 0, 0, 0, 1, 0, 0, 0, 6], [1, 0x12, 0, 3, 0, 0, 0, 2, 0, 6, 0, 6],
      [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0], [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 9, 0, 0], other,
    ] {
      #expect(orientation(try file([entry])) == nil, "\(entry)")
      #expect(try ImageFile.decode(storage(file([entry]))) == ImageFile.read(fixture("rgb.jpg")))
    }
    let shown = try #require(ImageOrientation(exif: 6)).shown(try ImageFile.read(fixture("rgb.jpg")))
    #expect(try ImageFile.decode(storage(file([[1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]]))) == shown)
  }

  /// Offsets, counts and lengths that lead out of the file, wherever they stand: each byte takes values from both ends.
  @Test func damagedDataTurnsNothingAndNeverTraps() throws {
    let entry: [UInt8] = [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    for count in 0..<10 { #expect(orientation(try file([Array(entry.prefix(count))])) == nil, "\(count)") }
    let whole = try file([entry])
    let end = try #require(whole.firstRange(of: [1, 0x12, 0, 3])).upperBound + 8
    for place in 2..<end {
      for value: UInt8 in [0, 1, 2, 0x7f, 0x80, 0xd9, 0xda, 0xe1, 0xfe, 0xff] {
        var damaged = whole
        damaged[place] = value
        _ = orientation(damaged)
        damaged[min(place + 1, end)] = value
        _ = orientation(damaged)
        _ = orientation(Array(damaged[..<end]))
      }
      #expect(orientation(Array(whole[..<place])) == nil)
    }
    let beyond: [[UInt8]] = [[0, 0, 0, 26], [0, 0, 255, 255], [0x7f, 255, 255, 255], [255, 255, 255, 255]]
    for offset in beyond {
      #expect(orientation(try file([entry], header: Array("MM\0*".utf8) + offset)) == nil)
    }
    for (index, mutation) in mutations(of: Array(whole[..<end]), flips: 5000).enumerated() {
      let found = orientation(mutation)
      if index < end { #expect(found == nil, "cut to \(index) bytes") }
    }
  }
}
