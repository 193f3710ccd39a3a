import Foundation

/// A recording out of a RIFF WAVE file: 16-bit integers or 32-bit floats, any number of channels.
struct WAVFile {
  let sampleRate: Int
  /// One channel, the mean of the file's, -1 … 1.
  let samples: [Float]

  struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  private struct Format {
    var code: Int, channels: Int, sampleRate: Int, bits: Int
  }

  /// Throws `Problem` for what is no WAV file, is cut off, or has samples of another kind.
  init(_ data: Data) throws {
    let bytes = [UInt8](data)
    guard bytes.count >= 12, bytes[0..<4].elementsEqual("RIFF".utf8), bytes[8..<12].elementsEqual("WAVE".utf8) else {
      throw Problem("this is no WAV file")
    }
    var format: Format?
    var position = 12
    while position + 8 <= bytes.count {
      let size = Self.integer(bytes, position + 4, 4)
      let body = position + 8
      guard size <= bytes.count - body else { throw Problem("the WAV file is cut off") }
      if bytes[position..<position + 4].elementsEqual("fmt ".utf8) {
        format = try Self.format(bytes, body, size)
      } else if bytes[position..<position + 4].elementsEqual("data".utf8) {
        guard let format else { throw Problem("the WAV file has samples before their format") }
        sampleRate = format.sampleRate
        samples = try Self.samples(bytes[body..<body + size], format)
        return
      }
      position = body + size + size % 2
    }
    throw Problem("the WAV file has no samples")
  }

  private static func integer(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
  }

  private static func format(_ bytes: [UInt8], _ start: Int, _ size: Int) throws -> Format {
    guard size >= 16 else { throw Problem("the WAV file's format is cut off") }
    var format = Format(
      code: integer(bytes, start, 2),
      channels: integer(bytes, start + 2, 2),
      sampleRate: integer(bytes, start + 4, 4),
      bits: integer(bytes, start + 14, 2)
    )
    // The extensible form has the code further on.
    if format.code == 0xfffe && size >= 26 { format.code = integer(bytes, start + 24, 2) }
    guard format.channels > 0 else { throw Problem("the WAV file has no channels") }
    return format
  }

  private static func samples(_ bytes: ArraySlice<UInt8>, _ format: Format) throws -> [Float] {
    let scalars: [Float]
    switch (format.code, format.bits) {
    case (1, 16):
      scalars = bytes.withUnsafeBytes { raw in
        (0..<raw.count / 2).map { index in
          Float(Int16(littleEndian: raw.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self))) / 32768
        }
      }
    case (3, 32):
      scalars = bytes.withUnsafeBytes { raw in
        (0..<raw.count / 4).map { index in
          Float(bitPattern: UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
        }
      }
    default:
      throw Problem("the WAV file's samples are neither 16-bit integers nor 32-bit floats")
    }
    let channels = format.channels
    if channels == 1 { return scalars }
    return (0..<scalars.count / channels).map { frame in
      scalars[frame * channels..<(frame + 1) * channels].reduce(0, +) / Float(channels)
    }
  }
}
