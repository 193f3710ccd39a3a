import CoreML
import Foundation

/// A written digit: how much ink, 0 … 16, is in each of 8 × 8 squares, row by row from the top; and which digit it is.
struct Digit: Equatable, Sendable {
  static let side = 8

  let counts: [UInt8]
  let value: Int

  struct Problem: Error, CustomStringConvertible { let description: String }

  var array: MLMultiArray {
    MLMultiArray(MLShapedArray(scalars: counts.map { Float($0) }, shape: [1, Self.side, Self.side]))
  }

  /// The digits of a file as the UCI repository has them: a line for each, its 64 counts and then which it is, with
  /// commas between. Throws `Problem` with the number of the line that is another.
  static func read(_ url: URL) throws -> [Digit] {
    let lines = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline)
    guard !lines.isEmpty else { throw Problem(description: "\(url.path) has no digits") }
    return try lines.enumerated().map { index, line in
      let numbers = line.split(separator: ",", omittingEmptySubsequences: false).compactMap { UInt8($0) }
      let commas = line.count { $0 == "," }
      guard numbers.count == side * side + 1, commas == side * side, numbers[side * side] < 10,
        numbers.dropLast().allSatisfy({ $0 <= 16 })
      else {
        throw Problem(description: "\(url.path), line \(index + 1): not 64 counts up to 16 and a digit")
      }
      return Digit(counts: Array(numbers.dropLast()), value: Int(numbers[side * side]))
    }
  }

  /// Writes a file that `read` reads.
  static func write(_ digits: [Digit], to url: URL) throws {
    let lines = digits.map { digit in (digit.counts.map { "\($0)" } + ["\(digit.value)\n"]).joined(separator: ",") }
    try lines.joined().write(to: url, atomically: true, encoding: .utf8)
  }

  /// Digits of many hands, which the network has not seen.
  static func heldOut() throws -> [Digit] {
    guard let url = Bundle.module.url(forResource: "HeldOut", withExtension: "csv") else {
      throw CocoaError(.fileNoSuchFile)
    }
    return try read(url)
  }
}
