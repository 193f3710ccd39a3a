// `coreml-bench arrays` measures access to elements; `coreml-bench predictions MODEL.mlmodelc` predictions one after the other
// and eight at a time. README.md beside says how to read the figures.

switch CommandLine.arguments.dropFirst().first {
case "arrays": try ArrayBenchmark().run()
case "predictions" where CommandLine.arguments.count > 2: try await measurePredictions(CommandLine.arguments[2])
default: print("coreml-bench arrays | coreml-bench predictions MODEL.mlmodelc")
}
