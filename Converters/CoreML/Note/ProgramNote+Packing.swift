import CZlib
import Foundation
import MLCCore

/// Notes as metadata have them: `zlib:` LENGTH `:` BASE64, a zlib stream (RFC 1950) in base64 (RFC 4648) that unpacks
/// to LENGTH bytes of JSON. The names of layers repeat in all that a note says, and pack to a tenth.
extension ProgramNote {
  private static let mark = "zlib:"

  /// The most that `count` packed bytes may unpack to: 100 times as many, and a megabyte.
  private static func maximumLength(_ count: Int) -> Int { 100 * count + 1 << 20 }

  /// `json` packed; as it is where it packs to less than `unpacked` takes.
  static func packed(_ json: Data) -> String {
    var count = compressBound(uLong(json.count))
    var bytes = [UInt8](repeating: 0, count: Int(count))
    let status = json.withUnsafeBytes { source in
      let from = source.bindMemory(to: UInt8.self).baseAddress
      return compress2(&bytes, &count, from, uLong(source.count), Z_BEST_COMPRESSION)
    }
    guard status == Z_OK, json.count <= maximumLength(Int(count)) else { return String(decoding: json, as: UTF8.self) }
    return "\(mark)\(json.count):\(Data(bytes[..<Int(count)]).base64EncodedString())"
  }

  /// The JSON in `text`, packed or not. Throws `coreml.note` for what unpacks to another length than it says, or to
  /// more than packed bytes may.
  static func unpacked(_ text: String) throws(Diagnostic) -> Data {
    guard text.hasPrefix(mark) else { return Data(text.utf8) }
    let parts = text.dropFirst(mark.count).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let length = Int(parts[0]), let packed = Data(base64Encoded: String(parts[1])),
      (0...maximumLength(packed.count)).contains(length)
    else { throw damaged("it is not packed as it should be") }
    var count = uLong(length)
    var bytes = [UInt8](repeating: 0, count: max(1, length))
    let status = packed.withUnsafeBytes { source in
      uncompress(&bytes, &count, source.bindMemory(to: UInt8.self).baseAddress, uLong(source.count))
    }
    guard status == Z_OK, count == uLong(length) else { throw damaged("what it unpacks to is not what it says") }
    return Data(bytes[..<length])
  }
}
