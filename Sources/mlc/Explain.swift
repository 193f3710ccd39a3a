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

      Operators are named as in the text form that 'mlc inspect --text' prints, or as in ONNX. 'list' names all that \
      there are.
      """
  )

  @Argument(help: "An operator, an error id, or 'list'.", completion: .explained) var name: String
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    if name == "list" {
      list()
    } else if let type = OperatorSet.standard.first(where: { $0.name == name }) {
      let page = OperatorPage(type)
      Console.result(output.json ? page.json.line : page.text)
    } else if let rule = ONNXOperatorTable.rule(named: name) {
      explain(rule)
    } else if let explanation = Explanation.of(name) {
      Console.result(output.json ? explanation.json.line : ConsoleText(document: explanation.text))
    } else {
      throw unknown
    }
    return 0
  }

  private var unknown: Diagnostic {
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

  private func explain(_ rule: ONNXRule) {
    let domain = rule.domain.isEmpty ? "ai.onnx" : rule.domain
    if output.json {
      Console.result(
        JSON.object([
          "onnx": .string(name), "domain": .string(domain), "since_opset": .integer(rule.sinceOpset),
        ]).line
      )
      return
    }
    Console.result(
      "\(name) is an operator of ONNX (\(domain)). mlc reads it from operator set \(rule.sinceOpset) on; what it "
        + "becomes shows 'mlc inspect --text' on a model that has it."
    )
  }
}
