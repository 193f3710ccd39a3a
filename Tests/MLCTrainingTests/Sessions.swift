import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGradients
import MLCGraph
import MLCTargetC
import MLCTraining

/// A session that trains all weights of `function` on `archive`.
func session(
  _ function: Function,
  _ plan: TrainingPlan,
  _ archive: [(name: String, tensor: Tensor)],
  optimizer: any Optimizer = SGD(momentum: false),
  threads: Int = 2,
  recomputes: Bool = false
) throws(Diagnostic) -> TrainingSession {
  let options = TrainingStep.Options(CategoricalCrossEntropy(.probabilities, targets: .classes), optimizer)
  let names = try function.trainable([])
  guard let functions = try BatchFunctions(function, parameters: names, options, targetName: "target") else {
    preconditionFailure("no axis of examples")
  }
  let data = try TrainingData(archive, ports: functions.ports)
  try data.checkTargets(functions.targetElements)
  var compile = CompileOptions()
  compile.recomputes = recomputes
  let compiler = Compiler(compile, targets: [CTarget.self])
  return try TrainingSession(functions, plan, data, compiler, drivers: [try CPUDriver(threads: threads)])
}

/// The id of what `body` throws; `nil` where it throws nothing.
func refusal(_ body: () throws(Diagnostic) -> Void) -> String? {
  do throws(Diagnostic) { try body() } catch { return error.id.rawValue }
  return nil
}
