import ArgumentParser
import MLCCore
import MLCGraph
import MLCImportONNX
import MLCKernels
import MLCOps

struct Explain: Command {
  static let configuration = CommandConfiguration(
    abstract: "Explains an operator, or an error by the id in brackets.",
    discussion: """
      Examples:
        mlc explain conv
        mlc explain Conv
        mlc explain runtime.no-target
        mlc explain list
        mlc explain --operators

      Operators are named as in the text form that 'mlc inspect --text' prints, or as in ONNX. 'list' names all that \
      there are; --operators tells of each operator of ONNX from which operator set on it is read, and what it becomes.
      """
  )

  @Argument(help: "An operator, an error id, or 'list'.", completion: .explained) var name: String?
  @Flag(help: "List the operators of ONNX.") var operators = false
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if (name == nil) != operators {
      throw ValidationError(operators ? "--operators takes no name" : "Missing expected argument '<name>'")
    }
  }

  func perform() throws(Diagnostic) -> Int32 {
    guard let name else {
      listONNX()
      return 0
    }
    if name == "list" {
      list()
    } else if let type = OperatorSet.standard.first(where: { $0.name == name }) {
      let page = OperatorPage(type)
      Console.result(output.json ? page.json.line : page.text)
    } else if let rule = ONNXOperatorTable.rule(named: name) {
      explain(ONNXOperatorTable.entry(name, rule))
    } else if let explanation = Explanation.of(name) {
      Console.result(output.json ? explanation.json.line : ConsoleText(document: explanation.text))
    } else {
      throw unknown(name)
    }
    return 0
  }

  private func unknown(_ name: String) -> Diagnostic {
    let known =
      OperatorSet.standard.map { $0.name } + ONNXOperatorTable.rules.flatMap { $0.types }
      + Explanation.table.map { $0.id }
    let hint = known.nearest(to: name).map { "did you mean '\($0)'?" } ?? "'mlc explain list' names them"
    return Diagnostic("explain.unknown", "there is no operator and no explanation '\(name)'; \(hint)", kind: .usage)
  }

  private func list() {
    let operators = OperatorSet.standard.map { $0.name }
    let errors = Explanation.table.map { $0.id }.sorted() + Explanation.operators.map { "OPERATOR.\($0.problem)" }
    if output.json {
      Console.result(
        JSON.object([
          "operators": .array(operators.map { .string($0) }), "errors": .array(errors.map { .string($0) }),
        ]).line
      )
      return
    }
    Console.result(ConsoleText(document: "operators:\n" + operators.map { "  \($0)" }.joined(separator: "\n")))
    Console.result(ConsoleText(document: "\nerrors:\n" + errors.map { "  \($0)" }.joined(separator: "\n")))
  }

  private func listONNX() {
    let entries = ONNXOperatorTable.entries
    if output.json {
      Console.result(JSON.object(["operators": .array(entries.map { $0.json })]).line)
      return
    }
    var table = Table(["domain", "operator", "from", "becomes", "note"], right: [2], cut: [4])
    for entry in entries { table.add([entry.domain, entry.type, "\(entry.sinceOpset)", entry.becomes, entry.note]) }
    Console.result(table.text)
  }

  private func explain(_ entry: ONNXOperatorTable.Entry) {
    if output.json {
      Console.result(entry.json.line)
      return
    }
    let note = entry.note.isEmpty ? "" : " Note: \(entry.note)."
    Console.result(
      "\(entry.type) is an operator of ONNX (\(entry.domain)). mlc reads it from operator set \(entry.sinceOpset) on; "
        + "it becomes: \(entry.becomes).\(note) 'mlc inspect --text' shows it in a model that has it."
    )
  }
}

extension ONNXOperatorTable.Entry {
  fileprivate var json: JSON {
    .object([
      "onnx": .string(type), "domain": .string(domain), "since_opset": .integer(sinceOpset),
      "becomes": .string(becomes),
      "note": .string(note),
    ])
  }
}
