import Foundation
import Testing

/// The pages of the documentation: their commands run, their links lead somewhere, and one finds them all.
@Suite struct DocumentationTests {
  static let pages: [String] = {
    let folder = MLCProcess.root.appending(path: "Specs/Manual").path()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "Specs/Manual/\($0)" }
  }()

  private static func text(_ page: String) throws -> String {
    try String(contentsOf: MLCProcess.root.appending(path: page), encoding: .utf8)
  }

  /// What stands between the fences of `language`, in order.
  private static func blocks(_ language: String, in page: String) throws -> [String] {
    try text(page).components(separatedBy: "\n```\(language)\n").dropFirst().map { block in
      block.components(separatedBy: "\n```")[0]
    }
  }

  @Test(arguments: pages) func commandsRun(_ page: String) throws {
    let commands = try Self.blocks("sh", in: page)
    if commands.isEmpty { return }
    let work = try Workspace()
    let files = FileManager.default
    for (file, name) in [("documented.onnx", "model.onnx"), ("documented.npz", "samples.npz")] {
      try files.copyItem(at: MLCProcess.fixtures.appending(path: file), to: work.url.appending(path: name))
    }
    let picture = MLCProcess.root.appending(path: "Examples/text-line.png")
    try files.copyItem(at: picture, to: work.url.appending(path: "picture.png"))
    let script = #"set -euo pipefail; PATH="$(dirname "$1"):$PATH"; cd "$2""#
    let run = try MLCProcess(script: ([script] + commands).joined(separator: "\n"), [work.url.path()])
    #expect(run.status == 0, "\(page)\n\(run.output)\n\(run.errors)")
  }

  /// A shell is told the values of options, and of lists what is not in them yet.
  @Test func valuesAreCompleted() throws {
    func completions(_ words: String...) throws -> String {
      let script = #"""
        eval "$("$1" completion bash)"
        COMP_WORDS=(mlc "${@:2}"); COMP_CWORD=$(($# - 1)); COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
        PATH="$(dirname "$1"):$PATH"
        _mlc mlc "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        echo "${COMPREPLY[@]}"
        """#
      return try MLCProcess(script: script, words).output
    }
    #expect(try completions("compile", "model.onnx", "--target", "x86-64-v3,").contains("x86-64-v3,armv8-a"))
    #expect(try !completions("compile", "model.onnx", "--target", "x86-64-v3,").contains("x86-64-v3,x86-64-v3"))
    #expect(try completions("compile", "--precision", "").contains("fp16"))
    #expect(try completions("convert", "--minimum-deployment-target", "iOS").contains("iOS17"))
    #expect(try completions("compress", "--quantize", "").contains("uint4"))
    #expect(try completions("explain", "runtime.").contains("runtime.no-target"))
  }

  /// Every command stands in a block of some page, or in its table.
  @Test func everyCommandIsThere() throws {
    let all = try Self.pages.map { try Self.text($0) }.joined()
    let help = try MLCProcess("--help").output
    let table = help.components(separatedBy: "SUBCOMMANDS:")[1].components(separatedBy: "\n\n")[0]
    let names = table.split(separator: "\n")
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.compactMap { $0.split(separator: " ").first }
    #expect(names.count > 10)
    for name in names { #expect(all.contains("| `\(name)` |"), "no page has the command \(name)") }
  }

  /// The table of settings has those that the command lists where it knows a key not at all; each of these is read.
  @Test func everySettingIsThere() throws {
    let work = try Workspace()
    let model = try work.copy("classifier.onnx")
    func problem(_ settings: String) throws -> String {
      try settings.write(toFile: work.path("mlc.json"), atomically: true, encoding: .utf8)
      return try MLCProcess("build", model).errors
    }
    let list = try #require(try problem(#"{"frobnicate": 1}"#).firstMatch(of: /there are (\w+(?:, \w+)*)/)?.1)
    let known = Set(list.components(separatedBy: ", "))
    let page = try Self.text("Specs/Manual/SwiftPackages.md")
    let table = try #require(page.components(separatedBy: "\n| setting |").last?.components(separatedBy: "\n\n").first)
    let cells = table.split(separator: "\n").dropFirst(2).compactMap { $0.split(separator: "|").first }
    let documented = cells.flatMap { $0.matches(of: /`(\w+)`/).map { String($0.1) } }
    #expect(documented.count == known.count && Set(documented) == known, "\(documented), \(known)")
    for key in known {
      let problem = try problem("{\"\(key)\": null}")
      #expect(problem.contains("'\(key)' is ") && !problem.contains("is no setting"), "\(problem)")
    }
  }

  @Test func linksLead() throws {
    let more = ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Examples/README.md", "Specs/Package.md"]
    for page in Self.pages + more {
      let folder = MLCProcess.root.appending(path: page).deletingLastPathComponent()
      for link in try Self.prose(page).matches(of: /\]\(([^)\s]+)\)/).map({ String($0.1) }) where !link.contains(":") {
        let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        let file = parts[0].isEmpty ? MLCProcess.root.appending(path: page) : folder.appending(path: parts[0])
        #expect(FileManager.default.fileExists(atPath: file.path()), "\(page) links to \(link)")
        guard parts.count > 1, let target = try? String(contentsOf: file, encoding: .utf8) else { continue }
        #expect(Self.anchors(target).contains(parts[1]), "\(page) links to \(link), which is no heading")
      }
    }
  }

  /// What stands outside of fences.
  private static func prose(_ page: String) throws -> String {
    let parts = try text(page).components(separatedBy: "\n```").enumerated()
    return parts.filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: "\n")
  }

  /// The fragments of a page's headings.
  private static func anchors(_ text: String) -> Set<String> {
    var isCode = false
    var anchors: Set<String> = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode, line.hasPrefix("#"), let title = line.firstIndex(of: " ") else { continue }
      let letters = line[title...].dropFirst().lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
      anchors.insert(letters.replacing(" ", with: "-"))
    }
    return anchors
  }

  /// The README leads to every page, and fits on two screens.
  @Test func oneFindsThemAll() throws {
    let (readme, index) = (try Self.text("README.md"), try Self.text("Specs/Manual/README.md"))
    for page in Self.pages.dropFirst() where page != "Specs/Manual/README.md" {
      let name = String(page.dropFirst("Specs/Manual/".count))
      #expect(readme.contains("](\(page))") && index.contains("](\(name))"), "\(page) is not listed")
    }
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 100)
  }
}
