import Foundation

/// Trains the network by digits of one hand, and says what that changed; writes digits to try it with.
@main struct Command {
  static func main() async {
    do { try await run(Array(CommandLine.arguments.dropFirst())) } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(error is Usage ? 2 : 1)
    }
  }

  private struct Usage: Error, CustomStringConvertible {
    let description = """
      usage: FineTune write SEED COUNT DIGITS.csv
             FineTune learn DIGITS.csv OTHERS.csv FOLDER
      """
  }

  private static func run(_ arguments: [String]) async throws {
    guard arguments.count == 4 else { throw Usage() }
    switch arguments[0] {
    case "write":
      guard let seed = UInt64(arguments[1]), let count = Int(arguments[2]), (1...1000).contains(count) else {
        throw Usage()
      }
      var hand = Hand(seed: seed)
      try Digit.write(hand.digits(count), to: URL(fileURLWithPath: arguments[3]))
    case "learn":
      let files = arguments[1...].map { URL(fileURLWithPath: $0) }
      try await learn(Digit.read(files[0]), others: Digit.read(files[1]), folder: files[2])
    default: throw Usage()
    }
  }

  private static func learn(_ examples: [Digit], others: [Digit], folder: URL) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let compiled = folder.appendingPathComponent("Digits.mlmodelc", isDirectory: true)
    let (reader, losses) = try await DigitReader.original.learn(examples, to: compiled)
    let curve = LossCurve(losses: losses)
    print(curve.text.joined(separator: "\n"))
    try curve.svg.write(to: folder.appendingPathComponent("loss.svg"), atomically: true, encoding: .utf8)
    print("\nread right                    before   after")
    let rows = [("\(examples.count) digits to learn from", examples), ("\(others.count) others", others)]
    let heldOut = try Digit.heldOut()
    for (name, digits) in rows + [("\(heldOut.count) of other people's", heldOut)] {
      let label = name.padding(toLength: 28, withPad: " ", startingAt: 0)
      let shares = try [DigitReader.original, reader].map { try $0.accuracy(digits) }
      print(label + shares.map { String(format: "%6.1f %%", 100 * $0) }.joined())
    }
  }
}
