import Foundation
import MLCGraph
import MLCOps
import Testing

/// Whatever a model's names hold, what mlc writes in another language is what it writes for tame names, but for the
/// names.
@Suite struct TextGateTests {
  /// Each format twice, under tame names and under hostile ones.
  @Test(arguments: NamedModel.all.indices) func namesStayNames(_ index: Int) throws {
    let model = NamedModel.all[index]
    var outputs: [ModelOutputs] = []
    var nodes: [[String]] = []
    for hostile in [false, true] {
      let work = try Workspace()
      var names = NameSource(hostile: hostile)
      nodes.append(try model.write(work.path(model.file), &names))
      outputs.append(try ModelOutputs(of: work.path(model.file), in: work))
    }
    let (tame, hostile) = (outputs[0], outputs[1])
    for ((command, run), (_, tameRun)) in zip(hostile.runs, tame.runs) {
      for text in [run.output, run.errors] {
        let commands = Readers.commands(toTerminal: text)
        #expect(commands.isEmpty, "\(model.file), \(command): \(commands.map { String($0, radix: 16) })")
      }
      // Names that Core ML cannot have are told, one a line; layers are searched by numbers, which are drawn by the
      // inputs' names; names decide which blocks are folded.
      if ["convert", "compress", "--layers"].contains(where: { command.contains($0) }) || command.hasSuffix("--svg") {
        continue
      }
      let lines = [run, tameRun].map { run in
        [run.output, run.errors].map { text in
          // Whether the machine was busy is not the names' doing.
          text.replacing(/\n\nnote: the machine was busy[^\n]*/, with: "").utf8.count { $0 == UInt8(ascii: "\n") }
        }
      }
      #expect(lines[0] == lines[1], "\(model.file), \(command)")
    }
    try expectSameC(tame, hostile, model.file)
    try expectSameSwift(tame, hostile, model.file)
    try expectSameMarkup(tame, hostile, model.file)
    try expectReadableText(hostile, model.file)
    try expectNames(nodes, outputs, model.file)
  }

  private func expectSameC(_ tame: ModelOutputs, _ hostile: ModelOutputs, _ model: String) throws {
    let folders = [tame, hostile].map { $0.work.url.appending(path: "src/x86-64-v2") }
    let files = try FileManager.default.subpathsOfDirectory(atPath: folders[0].path()).filter { $0.hasSuffix(".c") }
    #expect(files.contains { $0.hasSuffix("module.c") })
    for file in files {
      let paths = folders.map { $0.appending(path: file).path() }
      if try Data(contentsOf: URL(filePath: paths[0])) == Data(contentsOf: URL(filePath: paths[1])) { continue }
      var tokens = try paths.map { try Readers.tokens(ofC: $0) }
      // At the end stands a digest of the interface, names and all, in numbers.
      if let end = tokens[0].lastIndex(where: { $0.contains("mlc_identity") }) {
        tokens = tokens.map { all in
          all.prefix(end) + all.dropFirst(end).map { $0.hasPrefix("numeric_constant ") ? "numeric_constant" : $0 }
        }
      }
      tokens = tokens.map(Self.withoutLengths)
      #expect(tokens[0].count > 100 && tokens[0] == tokens[1], "\(model), \(file)")
    }
  }

  /// The tokens with one literal for each text of the module's table, a classifier's labels among them, and without
  /// the lengths that stand behind the texts.
  private static func withoutLengths(_ tokens: [String]) -> [String] {
    let starts = tokens.indices.dropLast().filter { place in
      tokens[place].hasPrefix("identifier 'texts'") && tokens[place + 1].hasPrefix("l_square ")
    }
    guard let start = starts.first, let end = tokens[start...].firstIndex(where: { $0.hasPrefix("semi ") })
    else { return tokens }
    var table: [String] = []
    for token in tokens[start..<end] where token != "string_literal" || table.last != token {
      table.append(token.hasPrefix("numeric_constant ") ? "numeric_constant" : token)
    }
    return tokens[..<start] + table + tokens[end...]
  }

  private func expectSameSwift(_ tame: ModelOutputs, _ hostile: ModelOutputs, _ model: String) throws {
    for file in ["FromModel.swift", "FromPackage.swift", "Built.swift"] {
      let kinds = try [tame, hostile].map { try Readers.syntax(ofSwift: $0.work.path(file)) }
      #expect(kinds[0].count > 100 && kinds[0] == kinds[1], "\(model), \(file)")
      let commands = Readers.commands(toTerminal: try hostile.file(file))
      #expect(commands.isEmpty, "\(model), \(file): \(commands.map { String($0, radix: 16) })")
    }
  }

  private func expectSameMarkup(_ tame: ModelOutputs, _ hostile: ModelOutputs, _ model: String) throws {
    // What is measured, and which blocks are folded, follows names.
    for page in [try hostile.file("layers.html"), try hostile.run("inspect \(hostile.name) --svg").output] {
      #expect(throws: Never.self) { try Readers.elements(ofXML: page) }
      #expect(Readers.commands(toTerminal: page).isEmpty, "\(model)")
    }
    let pages = try [tame, hostile].map { outputs in
      [try outputs.run("inspect \(outputs.name) --svg --unfolded").output, try outputs.file("report.html")]
    }
    for (one, other) in zip(pages[0], pages[1]) {
      let elements = try [one, other].map { try Readers.elements(ofXML: $0) }
      #expect(elements[0].count > 10 && elements[0] == elements[1], "\(model)")
      #expect(Readers.commands(toTerminal: other).isEmpty, "\(model)")
    }
    try expectSameFigures(tame, hostile, model)
  }

  /// Marks on the scales of a measurement follow what was measured, and so does a note that the machine was busy; all
  /// else is the same.
  private func expectSameFigures(_ tame: ModelOutputs, _ hostile: ModelOutputs, _ model: String) throws {
    let pages = try [tame, hostile].map { outputs in
      try outputs.file("bench.html").replacing(/<p class="fail">Note: the machine was busy[^\n<]*<\/p>/, with: "")
    }
    let elements = try pages.map { page in
      try Readers.elements(ofXML: page).filter { !$0.contains(" path [") && !$0.contains(" span [\"style\"]") }
    }
    #expect(elements[0].count > 50, "\(model)")
    #expect(elements[0] == elements[1], "\(model): \(elements[0].difference(from: elements[1]))")
    #expect(Readers.commands(toTerminal: pages[1]).isEmpty, "\(model)")
  }

  /// The text form parses, and prints as it was.
  private func expectReadableText(_ outputs: ModelOutputs, _ model: String) throws {
    for (command, run) in outputs.runs where command.hasSuffix("--text") && !run.output.contains("@blob(") {
      let text = String(run.output.dropLast())
      let program = try ProgramText(text: text, blobs: []).program(named: OperatorSet.named)
      #expect(ProgramText(program).text == text, "\(model)")
    }
  }

  /// What programs read keeps every name as it is: each node that stands in a step under its tame name stands there
  /// under the hostile one.
  private func expectNames(_ nodes: [[String]], _ outputs: [ModelOutputs], _ model: String) throws {
    let told = try outputs.map { outputs in
      let steps = try outputs.run("bench c.mlmodelc --ops --iterations 1 --warmup 0 --json").json()["ops"]
      return try #require(steps as? [[String: Any]]).compactMap { $0["nodes"] as? String }.joined(separator: ", ")
    }
    let shown = Set(told[0].components(separatedBy: ", "))
    let kept = nodes[0].indices.filter { shown.contains(nodes[0][$0]) }
    #expect(!kept.isEmpty, "\(model)")
    for node in kept.map({ nodes[1][$0] }) where node.unicodeScalars.count <= 256 {
      // A string of C ends at NUL, so that one is spelled.
      let spelled = node.unicodeScalars.map { $0 == "\0" ? #"\u{0}"# : String($0) }.joined()
      #expect(told[1].unicodeScalars.contains(spelled.unicodeScalars), "\(model): \(node.debugDescription)")
    }
    try expectInterface(outputs[1], model)
  }

  private func expectInterface(_ outputs: ModelOutputs, _ model: String) throws {
    let written = try JSONSerialization.jsonObject(with: Data(try outputs.file("out.json").utf8)) as? [String: Any]
    let interface = try outputs.run("inspect \(outputs.name) --json").json()["outputs"] as? [[String: Any]]
    #expect(Set((written ?? [:]).keys) == Set((interface ?? []).compactMap { $0["name"] as? String }), "\(model)")
  }
}
