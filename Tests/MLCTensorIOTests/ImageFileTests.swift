import MLCCore
import MLCImage
import MLCTensorIO
import Testing

@Suite struct ImageFileTests {
  /// The gradient of the fixtures: `(16 x, 16 y, 128)`, 8 rows of 12 pixels.
  static let gradient = Tensor(
    .uint8,
    [8, 12, 3],
    (0..<8).flatMap { y in (0..<12).flatMap { x in [16 * x, 16 * y, 128] } }
  )

  @Test func readsPNGOfEveryKind() throws {
    #expect(try ImageFile.read(fixture("rgb.png")) == ImageFileTests.gradient)
    #expect(try ImageFile.read(fixture("clear.png")).shape == [8, 12, 4])
    #expect(try ImageFile.read(fixture("palette.png")).shape == [8, 12, 3])
    #expect(try ImageFile.read(fixture("deep.png")).shape == [8, 12, 1])
    // 16 bits a channel, of 600 · place.
    let deep = (0..<96).map { Int((Double(600 * $0) * 255 / 65535).rounded()) }
    #expect(try ImageFile.read(fixture("deep.png")) == Tensor(.uint8, [8, 12, 1], deep))
    let grey = try ImageFile.read(fixture("grey.png"))
    #expect(grey == Tensor(.uint8, [8, 12, 1], (0..<96).map { 16 * ($0 % 12) }))
  }

  @Test func convertsChannels() throws {
    let white = Tensor(.uint8, [8, 12, 3], [Int](repeating: 255, count: 288))
    #expect(try ImageFile.read(fixture("clear.png"), channels: 3) == white)
    let grey = try ImageFile.read(fixture("grey.png"), channels: 3)
    #expect(grey == Tensor(.uint8, [8, 12, 3], (0..<288).map { 16 * ($0 / 3 % 12) }))
    #expect(try ImageFile.read(fixture("rgb.jpg"), channels: 1).shape == [8, 12, 1])
    #expect(try ImageFile.read(fixture("grey.jpg"), channels: 3).shape == [8, 12, 3])
  }

  /// The numbers that the file has, not light: luma of BT.601, alpha in equal steps.
  @Test func convertsNumbers() throws {
    func pixel(_ channels: [Int], _ count: Int) -> [Int] {
      ImageFile.channels(of: Tensor(.uint8, [1, 1, channels.count], channels), count).integers
    }
    #expect(pixel([255, 0, 0], 1) == [76] && pixel([0, 255, 0], 1) == [150] && pixel([0, 0, 255], 1) == [29])
    #expect(pixel([100, 100, 100], 1) == [100] && pixel([255, 255, 255], 1) == [255])
    #expect(pixel([0, 128], 1) == [127] && pixel([0, 128], 3) == [127, 127, 127])
    #expect(pixel([10, 20, 30, 255], 3) == [10, 20, 30] && pixel([10, 20, 30, 0], 3) == [255, 255, 255])
    #expect(pixel([10, 20, 30, 51], 3) == [206, 208, 210] && pixel([0, 0, 0, 0], 1) == [255])
    let luma = ImageFileTests.gradient.integers.indices.filter { $0 % 3 == 0 }.map { place in
      let rgb = ImageFileTests.gradient.integers[place..<place + 3].map(Double.init)
      return Int((0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]).rounded())
    }
    #expect(try ImageFile.read(fixture("rgb.png"), channels: 1).integers == luma)
  }

  @Test func saysWhatFilesAreInstead() throws {
    func problem(_ bytes: [UInt8]) -> Diagnostic? {
      do throws(Diagnostic) { _ = try ImageFile.decode(storage(bytes)) } catch { return error }
      return nil
    }
    let gif = problem(Array("GIF89a".utf8))
    #expect(gif?.message.contains("a GIF picture") == true)
    #expect(gif?.notes == ["save it as PNG, as 'convert IN OUT.png' does"])
    #expect(problem([])?.message.contains("an empty file") == true)
    let page = problem(Array("<!DOCTYPE html>".utf8))
    #expect(page?.message.contains("HTML") == true && page?.notes == [])
    for name in ["rgb.png", "rgb.jpg"] {
      let bytes = try fixtureBytes(name)
      #expect(problem(Array(bytes.prefix(bytes.count / 2)))?.message.hasPrefix("the file is cut off") == true)
      var damaged = bytes
      for place in bytes.count / 3..<bytes.count * 2 / 3 { damaged[place] = 0xff }
      #expect(problem(damaged)?.message.contains("cut off") == false, "\(name)")
    }
  }

  @Test func readsJPEGCloseToItsSource() throws {
    for name in ["rgb.jpg", "progressive.jpg"] {
      let pixels = try ImageFile.read(fixture(name))
      #expect(pixels.shape == [8, 12, 3])
      let worst = zip(pixels.integers, ImageFileTests.gradient.integers).map { abs($0 - $1) }.max()!
      #expect(worst <= 16, "\(name)")
    }
    #expect(try ImageFile.read(fixture("grey.jpg")).shape == [8, 12, 1])
  }

  @Test func roundTripsPNG() throws {
    try withFolder { folder in
      for channels in 1...4 {
        let pixels = Tensor(.uint8, [5, 7, channels], (0..<35 * channels).map { $0 % 256 })
        try ImageFile.writePNG(pixels, to: "\(folder)/x.png")
        #expect(try ImageFile.read("\(folder)/x.png") == pixels)
      }
    }
  }

  @Test func refusesToWriteWhatIsNoPicture() throws {
    try withFolder { folder in
      for tensor in [
        Tensor(.float32, [2, 2, 3], [Int](repeating: 0, count: 12)),
        Tensor(.uint8, [2, 2, 5], [Int](repeating: 0, count: 20)), Tensor(.uint8, [0, 2, 3], [Int]()),
      ] {
        let id = diagnosticID { () throws(Diagnostic) in try ImageFile.writePNG(tensor, to: "\(folder)/x.png") }
        #expect(id == "image.shape")
      }
    }
  }

  @Test func refusesOtherFormats() {
    #expect(diagnosticID { () throws(Diagnostic) in _ = try ImageFile.read(fixture("bool.npy")) } == "image.format")
    #expect { try ImageFile.read(fixture("cmyk.jpg")) } throws: { error in
      let problem = error as? Diagnostic
      return problem?.id == "image.jpeg" && problem?.message.contains("save it as RGB") == true
    }
  }

  /// A header that claims 2³¹ − 1 pixels a side.
  @Test func refusesHugePictures() throws {
    var bytes = try fixtureBytes("rgb.png")
    bytes.replaceSubrange(16..<24, with: [0, 15, 66, 64, 0, 15, 66, 64])
    let checksum = crc32(bytes[12..<29])
    bytes.replaceSubrange(29..<33, with: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * $0)) })
    let id = diagnosticID { () throws(Diagnostic) in _ = try ImageFile.decode(storage(bytes)) }
    #expect(id == "image.size")
  }

  @Test func everyPrefixIsRefusedAndNoChangeTraps() throws {
    for name in ["rgb.png", "palette.png", "rgb.jpg", "progressive.jpg"] {
      let bytes = try fixtureBytes(name)
      for (index, mutation) in mutations(of: bytes, flips: 1000).enumerated() {
        let file = storage(mutation)
        let id = diagnosticID { () throws(Diagnostic) in _ = try ImageFile.decode(file) }
        // The last two bytes of a JPEG file only say that it ends, the last twelve of a PNG file likewise.
        if index < bytes.count - 12 { #expect(id != nil, "\(name) cut to \(index) bytes") }
        if let id { #expect(id.hasPrefix("image.")) }
      }
    }
  }

  private func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }
  }
}
