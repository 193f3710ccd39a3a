import MLCCore
import MLCImage
import MLCTensorIO
import Testing

/// Bitmaps and Netpbm's formats.
@Suite struct ImageFormatTests {
  private static let files = [
    "rgb.bmp", "palette.bmp", "bits.bmp", "alpha.bmp", "rgb.ppm", "grey.pgm", "bits.pbm", "deep.pgm",
  ]

  @Test func readsWhatPillowWrites() throws {
    for name in ["rgb.bmp", "alpha.bmp", "rgb.ppm"] {
      #expect(try ImageFile.read(fixture(name)) == ImageFileTests.gradient, "\(name)")
    }
    #expect(try ImageFile.read(fixture("grey.pgm")) == (try ImageFile.read(fixture("grey.png"))))
    #expect(try ImageFile.read(fixture("deep.pgm")) == (try ImageFile.read(fixture("deep.png"))))
    for (name, expected) in try NPZ.read(fixture("pictures.npz")) {
      #expect(try ImageFile.read(fixture(name), channels: 3) == expected, "\(name)")
    }
  }

  @Test func filesOfTensorsMayBePictures() throws {
    #expect(try TensorFile.read(fixture("rgb.ppm")).map(\.tensor) == [ImageFileTests.gradient])
    #expect(try TensorFile.read(fixture("rgb.bmp")).map(\.name) == ["rgb"])
  }

  @Test func readsDigits() throws {
    func pixels(_ text: String) throws -> [Int] { try ImageFile.decode(storage(Array(text.utf8))).integers }
    #expect(try pixels("P1\n# a comment\n3 2\n101\n0 1\t0") == [0, 255, 0, 255, 0, 255])
    #expect(try pixels("P2 2 1 # white\n9 0 9 # more") == [0, 255])
    #expect(try pixels("P3 1 1 65535 0 32768 65535") == [0, 128, 255])
    // A row begins with a byte of its own, whose highest bits come first.
    #expect(
      try ImageFile.decode(storage(Array("P4 9 1\n".utf8) + [0xff, 0x00])).integers == [0, 0, 0, 0, 0, 0, 0, 0, 255]
    )
    #expect(try ImageFile.decode(storage(Array("P5 1 2 300\n".utf8) + [0, 150, 1, 44])).integers == [128, 255])
  }

  /// A bitmap of one column: the fields of its header, then pixels.
  private func bitmap(_ depth: UInt8, rows: UInt8 = 1, compression: UInt8 = 0, _ rest: [UInt8], masks: Int = 0)
    -> [UInt8]
  {
    let start = UInt8(54 + masks)
    let file: [UInt8] = [0x42, 0x4d, 0, 0, 0, 0, 0, 0, 0, 0, start, 0, 0, 0]
    let sign: [UInt8] = rows > 127 ? [0xff, 0xff, 0xff] : [0, 0, 0]
    let info: [UInt8] = [40, 0, 0, 0, 1, 0, 0, 0, rows] + sign + [1, 0, depth, 0, compression, 0, 0, 0]
    return file + info + [UInt8](repeating: 0, count: 20) + rest
  }

  @Test func readsDepthsOfBitmaps() throws {
    func pixels(_ bytes: [UInt8]) throws -> [Int] { try ImageFile.decode(storage(bytes)).integers }
    // 5 bits each; the greatest is white.
    #expect(try pixels(bitmap(16, [0xff, 0x7f, 0, 0])) == [255, 255, 255])
    #expect(try pixels(bitmap(16, [0x10, 0, 0, 0])) == [0, 0, 132])
    // 5, 6 and 5 bits.
    let masks: [UInt8] = [0, 0xf8, 0, 0, 0xe0, 7, 0, 0, 0x1f, 0, 0, 0]
    #expect(try pixels(bitmap(16, compression: 3, masks + [0, 4, 0, 0], masks: 12)) == [0, 130, 0])
    // The last row stands first, unless their number is negative.
    #expect(try pixels(bitmap(24, rows: 2, [1, 2, 3, 0, 4, 5, 6, 0])) == [6, 5, 4, 3, 2, 1])
    #expect(try pixels(bitmap(24, rows: 254, [1, 2, 3, 0, 4, 5, 6, 0])) == [3, 2, 1, 6, 5, 4])
    // Red, green, blue and alpha from the lowest bits on.
    let alpha: [UInt8] = [255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255]
    #expect(try pixels(bitmap(32, compression: 6, alpha + [9, 8, 7, 6], masks: 16)) == [9, 8, 7, 6])
  }

  @Test func refusesRunsAndContradictions() {
    func problem(_ bytes: [UInt8]) -> Diagnostic? {
      do throws(Diagnostic) { _ = try ImageFile.decode(storage(bytes)) } catch { return error }
      return nil
    }
    let runs = problem(bitmap(8, compression: 1, [0, 0, 0, 0]))
    #expect(runs?.id == "image.bmp" && runs?.kind == .unsupported)
    let gaps: [UInt8] = [0, 0xa0, 0, 0, 0xe0, 7, 0, 0, 0x1f, 0, 0, 0]
    #expect(problem(bitmap(16, compression: 3, gaps + [0, 0, 0, 0], masks: 12))?.id == "image.bmp")
    #expect(problem(bitmap(24, [1, 2]))?.id == "image.bmp")
    // A palette of two colours, and the third.
    var few = bitmap(8, [UInt8](repeating: 0, count: 8) + [2, 0, 0, 0], masks: 8)
    few[46] = 2
    #expect(problem(few)?.message.contains("beyond the 2") == true)
    for text in [
      "P2 1 1 0 0", "P2 1 1 9 10", "P2 1 1 65536 1", "P3 1 1 9 1 2", "P5 1 1 9", "P2 1 x 9 0", "P6 1 1 9\n12",
    ] {
      #expect(problem(Array(text.utf8))?.id == "image.pnm", "\(text)")
    }
    for text in ["P2 0 1 9 0", "P5 99999 99999 9\n", "P1 999999999 999999999 1"] {
      #expect(problem(Array(text.utf8))?.id == "image.size", "\(text)")
    }
  }

  @Test func noChangeTraps() throws {
    for name in Self.files {
      let bytes = try fixtureBytes(name)
      for mutation in mutations(of: bytes, flips: 2000) {
        let file = storage(mutation)
        let id = diagnosticID { () throws(Diagnostic) in _ = try ImageFile.decode(file) }
        if let id { #expect(id.hasPrefix("image.")) }
      }
      for end in 0..<bytes.count - 3 {
        let cut = diagnosticID { () throws(Diagnostic) in _ = try ImageFile.decode(storage(Array(bytes[..<end]))) }
        #expect(cut != nil, "\(name) cut to \(end) bytes")
      }
    }
  }
}
