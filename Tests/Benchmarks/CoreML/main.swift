import Foundation

// `coreml-bench arrays` measures access to elements; `coreml-bench predictions MODEL.mlmodelc` predictions one after
// the other and eight at a time; `coreml-bench soak MODEL.mlmodelc [SECONDS] [THREADS]` whether many threads get the
// right results in steady memory; `coreml-bench tasks MODEL.mlmodelc` what many tasks take, and how soon they end;
// `coreml-bench tensors` answers `tensor.py`; `coreml-bench update MODEL.mlmodelc OUT.mlmodelc TIMES` learns and
// writes for tests that look from outside. README.md in the folder above says how to read the figures.

switch CommandLine.arguments.dropFirst().first {
case "arrays": try ArrayBenchmark().run()
case "tensors": await TensorBenchmark().run()
case "predictions" where CommandLine.arguments.count > 2: try await measurePredictions(CommandLine.arguments[2])
case "tasks" where CommandLine.arguments.count > 2: try await measureTasks(CommandLine.arguments[2])
case "soak" where CommandLine.arguments.count > 2:
  var soak = Soak(path: CommandLine.arguments[2])
  let numbers = CommandLine.arguments.dropFirst(3).compactMap(Double.init)
  if let seconds = numbers.first { soak.seconds = seconds }
  if numbers.count > 1 { soak.threads = Int(numbers[1]) }
  exit(try soak.run() ? 0 : 1)
case "update" where CommandLine.arguments.count > 4:
  try await writeUpdates(
    URL(filePath: CommandLine.arguments[2]),
    to: URL(filePath: CommandLine.arguments[3]),
    times: Int(CommandLine.arguments[4]) ?? 1
  )
default:
  print("coreml-bench arrays | tensors | (predictions | tasks | soak) MODEL.mlmodelc | update MODEL OUT TIMES")
}
