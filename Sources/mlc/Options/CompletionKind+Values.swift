import ArgumentParser
import MLCCompiler
import MLCFormatCoreML
import MLCGraph
import MLCImportONNX
import MLCKernels
import MLCOps

extension CompletionKind {
  /// A target.
  static var target: CompletionKind { .list(targetNames) }

  /// Targets with commas between them: names follow those that are written, none twice.
  static var targets: CompletionKind { .custom { _, _, prefix in extended(prefix) } }

  static var deploymentTarget: CompletionKind { .list(CoreMLWriteOptions.DeploymentTarget.allCases.map { $0.name }) }

  /// What 'mlc explain' explains.
  static var explained: CompletionKind {
    .custom { _, _, _ in
      let operators = OperatorSet.standard.map { $0.name } + ONNXOperatorTable.rules.flatMap { $0.types }
      return ["list"] + operators.sorted() + Explanation.table.map { $0.id }.sorted()
    }
  }

  private static var targetNames: [String] { ["host"] + DeviceSet.catalog.map { $0.name } }

  private static func extended(_ prefix: String) -> [String] {
    let written = prefix.split(separator: ",", omittingEmptySubsequences: false).dropLast().map(String.init)
    return targetNames.filter { !written.contains($0) }.map { (written + [$0]).joined(separator: ",") }
  }
}
