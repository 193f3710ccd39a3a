import Foundation

/// Colours pictures into a folder: all of them, or as frames of a camera, of which late ones are dropped.
@main struct Command {
  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var rate: Double?
    if arguments.first == "--rate" {
      rate = arguments.count > 1 ? Double(arguments[1]) : nil
      guard let rate, rate > 0 else { return usage() }
      arguments.removeFirst(2)
    }
    guard arguments.count > 1 else { return usage() }
    let urls = arguments.map { URL(fileURLWithPath: $0) }
    do {
      try FileManager.default.createDirectory(at: urls[0], withIntermediateDirectories: true)
      let colorizer = try await Colorizer.load()
      if let rate {
        try await film(Array(urls.dropFirst()), rate, into: urls[0], colorizer)
      } else {
        let limit = ProcessInfo.processInfo.activeProcessorCount
        let files = try await Gallery.map(Array(urls.dropFirst()), limit: limit) { picture in
          try await colour(picture, urls[0], colorizer)
        }
        for file in files { print(file.path) }
      }
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  /// Reads, colours and writes one picture; answers where.
  @Sendable private static func colour(_ picture: URL, _ folder: URL, _ colorizer: Colorizer) async throws -> URL {
    let file = folder.appendingPathComponent(picture.deletingPathExtension().lastPathComponent + ".png")
    try await colorizer.colorized(try Picture(contentsOf: picture)).write(to: file)
    return file
  }

  /// Plays the pictures, `rate` of them a second.
  private static func film(_ pictures: [URL], _ rate: Double, into folder: URL, _ colorizer: Colorizer) async throws {
    let camera = LatestFrames<URL>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { camera.finish() }
        for picture in pictures {
          camera.show(picture)
          try await Task.sleep(for: .seconds(1 / rate))
        }
      }
      for await picture in camera.frames { print(try await colour(picture, folder, colorizer).path) }
      try await group.waitForAll()
    }
    print("\(camera.dropped) of \(pictures.count) frames came too late")
  }

  private static func usage() {
    complain("usage: Colorizer [--rate FRAMES-A-SECOND] FOLDER PICTURE…")
    exit(2)
  }

  private static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
