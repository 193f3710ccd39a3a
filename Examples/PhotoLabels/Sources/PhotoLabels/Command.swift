import Foundation

/// Prints what photos show: for each its file, and the labels of 5 % and more.
@main struct Command {
  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var fitting = Fitting.fill
    if let option = arguments.first, option.hasPrefix("--") {
      guard let chosen = Fitting(rawValue: String(option.dropFirst(2))) else { return usage() }
      fitting = chosen
      arguments.removeFirst()
    }
    guard !arguments.isEmpty else { return usage() }
    do {
      let labeller = try await PhotoLabeller.load()
      for file in arguments {
        let labels = try await labeller.labels(of: Photo(URL(fileURLWithPath: file)), fitting: fitting)
        let sure = labels.filter { $0.confidence >= 0.05 }
        print("\(file):", sure.map { "\($0.name) \(Int((100 * $0.confidence).rounded())) %" }.joined(separator: ", "))
      }
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func usage() {
    complain("usage: PhotoLabels [--crop | --fit | --fill] PHOTO…")
    exit(2)
  }

  private static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
