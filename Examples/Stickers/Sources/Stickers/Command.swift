import Foundation

/// Learns and recognises drawings, for each user their own; draws some to try it with.
@main struct Command {
  static func main() async {
    do {
      for line in try await run(Array(CommandLine.arguments.dropFirst())) { print(line) }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(error is Usage ? 2 : 1)
    }
  }

  private struct Usage: Error, CustomStringConvertible {
    let description = """
      usage: Stickers learn FOLDER USER STICKER DRAWING…
             Stickers recognise FOLDER USER DRAWING…
             Stickers draw SKETCH SEED FILE.png
      """
  }

  /// The lines to print. Albums lie in the folder, one for each user.
  private static func run(_ arguments: [String]) async throws -> [String] {
    switch (arguments.first, arguments.count) {
    case ("learn", 5...):
      let album = try Album(of: arguments[2], in: URL(fileURLWithPath: arguments[1]))
      let examples = try arguments[4...].map { file in
        try StickerBookTrainingInput(drawingAt: URL(fileURLWithPath: file), label: arguments[3])
      }
      try await album.learn(examples)
      return ["\(arguments[2]) has taught \(examples.count) drawings of '\(arguments[3])': \(album.url.path)"]
    case ("recognise", 4...):
      let album = try Album(of: arguments[2], in: URL(fileURLWithPath: arguments[1]))
      let drawings = try arguments[3...].map { try StickerBookInput(drawingAt: URL(fileURLWithPath: $0)) }
      return zip(arguments[3...], try album.recognise(drawings)).map { "\($0): \($1)" }
    case ("draw", 4):
      guard let sketch = Sketch(rawValue: arguments[1]), let seed = UInt64(arguments[2]) else { throw Usage() }
      var hand = Hand(seed: seed)
      try hand.draw(sketch).write(to: URL(fileURLWithPath: arguments[3]))
      return []
    default: throw Usage()
    }
  }
}
