import ArgumentParser
import MLCCore
import MLCFormatCoreML

/// What a Core ML package is written for.
struct DeploymentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The oldest system that shall load the package; without it the oldest that has its forms of weights.",
      valueName: "iOS15...iOS18"
    ),
    completion: .deploymentTarget
  )
  var minimumDeploymentTarget: String?
  @Flag(help: "Write nothing that Apple's loader would refuse: end with exit code 4 instead.") var strict = false

  /// Throws `convert.target` for a system that mlc does not know.
  func options() throws(Diagnostic) -> CoreMLWriteOptions {
    var options = CoreMLWriteOptions(isStrict: strict)
    if let name = minimumDeploymentTarget {
      guard let target = CoreMLWriteOptions.DeploymentTarget(name) else {
        let known = CoreMLWriteOptions.DeploymentTarget.allCases.map { $0.name }.joined(separator: ", ")
        throw Diagnostic("convert.target", "there is no deployment target '\(name)'; there are \(known)", kind: .usage)
      }
      options.minimumDeploymentTarget = target
    }
    return options
  }
}
