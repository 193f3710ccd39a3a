import Foundation

/// Reads the text in a picture, and draws where it stands.
@main struct OCR {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let picture = arguments.first, arguments.count <= 2 else {
      complain("usage: OCR PICTURE.png [BOXES.png]")
      exit(2)
    }
    do {
      var page = try Picture(png: picture)
      let lines = try await PageReader.load().lines(of: page)
      for line in lines { print(line.text) }
      if arguments.count == 2 {
        for line in lines { page.draw(line.box, colour: (220, 30, 30)) }
        try page.write(png: arguments[arguments.startIndex + 1])
      }
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
