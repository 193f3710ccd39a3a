import MLCCore

/// A picture of Netpbm's: bits (P1, P4; 1 is black), greys (P2, P5) or colours (P3, P6), in digits (P1 to P3) or bytes.
/// The first of several in a file is read. Its bytes must stay valid while it lives.
///
/// Source: Netpbm's pages pbm(5), pgm(5) and ppm(5).
struct PNM {
  static let comment = UInt8(ascii: "#")
  /// Blank, tab, line feed, vertical tab, form feed, carriage return.
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  private let bytes: UnsafeRawBufferPointer
  private let width: Int, height: Int, channels: Int
  var shape: [Int] { [height, width, channels] }
  /// What white is.
  private let most: Int
  private let isBits: Bool, isText: Bool
  /// What is read next.
  private var place = 2

  /// Throws `image.pnm`, `image.size`.
  init(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    self.bytes = bytes
    let kind = Int(bytes[1]) - 0x30
    (isBits, isText, channels) = (kind % 3 == 1, kind <= 3, kind % 3 == 0 ? 3 : 1)
    width = try Self.number(bytes, &place)
    height = try Self.number(bytes, &place)
    most = isBits ? 1 : try Self.number(bytes, &place)
    guard 1...65535 ~= most else { throw Diagnostic("image.pnm", "white is \(most), not 1 to 65535") }
    let shape = try ImageFile.shape(height, width, channels)
    if isText {
      // A sample is a digit at least.
      guard bytes.count - place >= shape.reduce(1, *) else { throw Self.cut }
    } else {
      // One character ends the header.
      guard place < bytes.count, Self.isSpace(bytes[place]) else { throw Self.cut }
      place += 1
      guard height <= (bytes.count - place) / rowBytes else { throw Self.cut }
    }
  }

  private static let cut = Diagnostic("image.pnm", "the file is cut off")

  /// Of a row in bytes.
  private var rowBytes: Int { isBits ? (width + 7) / 8 : width * channels * sampleBytes }
  private var sampleBytes: Int { most > 255 ? 2 : 1 }

  /// `uint8[height, width, 1 or 3]`: each sample's nearest of 8 bits. Throws `image.pnm` where one is more than white,
  /// no number, or missing.
  func pixels() throws(Diagnostic) -> Tensor {
    let row = width * channels
    var problem: Diagnostic?
    var reader = self
    let tensor = Tensor(.uint8, [height, width, channels]) { (out: UnsafeMutableBufferPointer<UInt8>) in
      do throws(Diagnostic) {
        for index in out.indices {
          let sample = isText ? try reader.digits() : sample(index / row, index % row)
          guard sample <= most else { throw Diagnostic("image.pnm", "\(sample) is more than white, \(most)") }
          out[index] = isBits ? UInt8(255 * (1 - sample)) : UInt8((sample * 255 + most / 2) / most)
        }
      } catch { problem = error }
    }
    if let problem { throw problem }
    return tensor
  }

  /// The sample at `x` of row `y` in bytes.
  private func sample(_ y: Int, _ x: Int) -> Int {
    let start = place + y * rowBytes
    if isBits { return Int(bytes[start + x / 8]) >> (7 - x % 8) & 1 }
    return sampleBytes == 1 ? Int(bytes[start + x]) : Int(bytes[start + 2 * x]) << 8 | Int(bytes[start + 2 * x + 1])
  }

  /// The next sample in digits; those of bits need nothing between them.
  private mutating func digits() throws(Diagnostic) -> Int { try Self.number(bytes, &place, digits: isBits ? 1 : 9) }

  /// The number behind white space and comments, of no more than `digits`.
  private static func number(_ bytes: UnsafeRawBufferPointer, _ place: inout Int, digits: Int = 9) throws(Diagnostic)
    -> Int
  {
    while place < bytes.count, isSpace(bytes[place]) || bytes[place] == comment {
      if bytes[place] == comment {
        while place < bytes.count, bytes[place] != 0x0a, bytes[place] != 0x0d { place += 1 }
      } else {
        place += 1
      }
    }
    let start = place
    var value = 0
    while place < bytes.count, place - start < digits, (0x30...0x39).contains(bytes[place]) {
      value = value * 10 + Int(bytes[place]) - 0x30
      place += 1
    }
    guard place > start else { throw place < bytes.count ? Diagnostic("image.pnm", "no number where one is") : cut }
    return value
  }
}
