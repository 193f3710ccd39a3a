import Foundation
import MLCCore

extension Bench {
  /// Compiles the model, unless that was done before, and measures it in a child process.
  func measureSource() throws(Diagnostic) -> Int32 {
    let bounds = try limits.limits()
    try ModelSource.check(targets: [target ?? "host"], time: bounds.time)
    let source = try ModelSource.load(model, limits: bounds)
    let targets = [target ?? "host"]
    let package = try CompiledSource(try precision.applied(to: source).source, targets: targets, cache: cache.cache)
    let isHalf = precision.precision == .fp16
    let full = isHalf && against == nil ? try CompiledSource(source, targets: targets, cache: cache.cache) : nil
    var arguments = [
      "bench", package.path, "--iterations", "\(iterations)", "--warmup", "\(warmup)", "--seed", "\(seed)",
    ]
    if let inputs { arguments += ["--inputs", inputs] }
    for size in sizes.sizes { arguments += ["--size", size] }
    if let threads = threads.threads { arguments += ["--threads", "\(threads)"] }
    if let other = against ?? full?.path { arguments += ["--against", other] }
    arguments += BenchOrigin.arguments(model, package.time)
    if let concurrency { arguments += ["--concurrency", "\(concurrency)"] }
    if let report { arguments += ["--report", report] }
    if ops { arguments.append("--ops") }
    if let order { arguments += ["--order", order.rawValue] }
    if let trace { arguments += ["--trace", trace] }
    if raw { arguments.append("--raw") }
    if output.json { arguments.append("--json") }
    // What is measured is what the user would have: nothing is confined.
    var limits = ChildLimits()
    limits.hasNetwork = true
    let environment = ProcessInfo.processInfo.environment
    var program = ChildProgram("/proc/self/exe", arguments, environment: environment, limits: limits)
    program.speaks = true
    defer { withExtendedLifetime((package, full)) {} }
    return try program.run().status
  }
}
