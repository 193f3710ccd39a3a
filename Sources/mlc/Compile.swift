import ArgumentParser
import MLCCompiler
import MLCCore
import MLCPackage

struct Compile: Command {
  static let configuration = CommandConfiguration(
    abstract: "Writes native code for the targets you name.",
    discussion: """
      Examples:
        mlc compile model.onnx
        mlc compile model.onnx -o model.mlmodelc --target x86-64-v2,x86-64-v3,x86-64-v4
        mlc compile model.onnx --input x=1,3,224,224 --keep-sources generated

      Without -o the package stands beside the model. Code for several targets goes into one package; the best that the CPU \
      supports is chosen when it is loaded. The C compiler is the one that MLC_CC names, else clang, else cc.
      """
  )

  @Argument(help: "An .onnx file or .mlpackage.", completion: .file()) var model: String
  @Option(name: .shortAndLong, help: ArgumentHelp("Where the package goes.", valueName: "OUT.mlmodelc")) var out: String?
  @OptionGroup var bindings: BindingOptions
  @OptionGroup var targets: TargetOptions
  @Option(help: ArgumentHelp("Keep the generated C here, one folder a target.", valueName: "DIR"), completion: .directory)
  var keepSources: String?
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    let source = try ModelSource.load(model, inputs: try bindings.bindings())
    let path = out ?? source.sibling("mlmodelc")
    let report = try source.compile(to: path, targets: targets.names ?? ["host"]) { $0.keepSources = keepSources }
    Console.result(output.json ? report.json(path).line : report.table + "\n\(path)")
    return 0
  }
}

extension CompileReport {
  fileprivate var table: String {
    var table = Table(
      ["target", "steps", "kernels", "code KB", "weights MB", "arena MB", "seconds"],
      right: [1, 2, 3, 4, 5, 6]
    )
    for target in targets {
      table.add([
        target.device, "\(target.steps)", "\(target.kernels)", target.codeBytes.kilobytes, target.weightBytes.megabytes,
        target.arenaBytes.map { $0.megabytes } ?? "varies", target.seconds.fixed(1),
      ])
    }
    return table.text
  }

  fileprivate func json(_ path: String) -> JSON {
    let rows: [JSON] = targets.map { target in
      .object([
        "target": .string(target.device), "steps": .integer(target.steps), "kernels": .integer(target.kernels),
        "code_bytes": .integer(target.codeBytes), "weight_bytes": .integer(target.weightBytes),
        "arena_bytes": target.arenaBytes.map { .integer($0) } ?? .null, "seconds": .rounded(target.seconds, 3),
      ])
    }
    return .object(["package": .string(path), "targets": .array(rows)])
  }
}
