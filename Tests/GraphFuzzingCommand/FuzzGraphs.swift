import ArgumentParser
import Foundation
import GraphFuzzing
import MLCCompiler
import MLCCore
import MLCKernels

@main struct FuzzGraphs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuzz-graphs",
    abstract: "Plays graphs as generated code under sanitizers and compares with the interpreter.",
    subcommands: [RandomGraphs.self, Models.self, Worker.self],
    defaultSubcommand: RandomGraphs.self
  )
}

/// Which graphs, on which devices.
struct Selection: ParsableArguments {
  @Option(help: "What the graphs follow from.") var seed: UInt64 = 1
  @Option(help: "The number of the first graph.") var first = 0
  @Option(help: "Play only on this device; on every one that this CPU can be unless given.") var target: String?
  @Option(help: "What products round their factors to: fp16 or bf16.") var arithmetic: String?
  @Option(help: "Graphs of doubles, concatenated with pieces of themselves this often, in place of all kinds.")
  var nesting: Int?
  @Flag(help: "Change graphs here and there after they are drawn.") var mutate = false
  @Option(help: "A folder of ONNX models, 'model.onnx' in folders of their own, half of what is changed.")
  var seeds: String?
  @Option(help: "How many smaller cases are tried for one that fails.") var shrinks = 40

  var arguments: [String] {
    var list = ["--seed", "\(seed)", "--shrinks", "\(shrinks)"]
    if let target { list += ["--target", target] }
    if let arithmetic { list += ["--arithmetic", arithmetic] }
    if let nesting { list += ["--nesting", "\(nesting)"] }
    if mutate { list += ["--mutate"] }
    if let seeds { list += ["--seeds", seeds] }
    return list
  }

  func campaign(_ judge: GraphJudge) throws -> Campaign {
    guard target != nil || arithmetic != nil else { return Campaign(judge) }
    return Campaign(judge, devices: try Selection.devices(target, arithmetic: arithmetic))
  }

  /// Those that are called `target`, or that this CPU can be, with factors of products rounded to `arithmetic`, also
  /// where there are no instructions for that.
  static func devices(_ target: String?, arithmetic: String?) throws -> [DeviceDescription] {
    let devices = try target.map { try DeviceSet([$0]).devices } ?? DeviceSet.here
    guard let arithmetic else { return devices }
    guard let type = DType(rawValue: arithmetic), [.float16, .bfloat16].contains(type) else {
      throw ValidationError("--arithmetic \(arithmetic) is neither fp16 nor bf16")
    }
    return devices.map { device in
      var device = device
      device.factors = type
      return device
    }
  }

  /// Graph `number`; `nil` where no change of the one drawn has types.
  func graph(_ number: Int, _ models: SeedModels) -> GraphCase? {
    var random = SeededGenerator(seed: seed, name: "choice \(number)")
    if let nesting { return RandomGraph.nested(&random, depth: nesting, "nested graph \(number) of seed \(seed)") }
    guard mutate else { return RandomGraph.draw(seed: seed, number: number) }
    let model = random.next() % 2 == 0 ? models.pick(&random) : nil
    var mutator = GraphMutator(random)
    guard var item = mutator.mutated(model ?? RandomGraph.draw(seed: seed, number: number)) else { return nil }
    item.label = "graph \(number) of seed \(seed): \(item.label)"
    return item
  }
}

struct RandomGraphs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "random",
    abstract: "Draws graphs from a seed.",
    discussion: "Exits with 1 when a graph is wrong. Each wrong one is printed, as small as it could be made."
  )
  @OptionGroup var selection: Selection
  @Option(help: "How many graphs.") var count = 1500
  @Option(help: "Processes at a time.") var jobs = 2
  @Option(help: "Stop after this many seconds.") var time: Int?
  @Flag(help: "Print the last line as JSON.") var json = false

  func run() throws {
    let team = Team(arguments: selection.arguments, jobs: jobs, seconds: time)
    let report = try team.run(selection.first..<selection.first + count)
    for entry in report.wrong { print(entry.report + "\n") }
    if !json { print(report.kindTable) }
    print(json ? report.json : report.summary)
    if !report.wrong.isEmpty { throw ExitCode(1) }
  }
}

/// Plays every `stride`th graph and prints an entry a line, so that whoever started it survives what it does not.
struct Worker: ParsableCommand {
  static let configuration = CommandConfiguration(shouldDisplay: false)
  @OptionGroup var selection: Selection
  @Option var end: Int
  @Option var stride: Int
  @Option(help: "Graphs that are built as one.") var together = 12
  @Option(help: "Seconds since 1970 at which it stops.") var until: Double

  func run() throws {
    let judge = GraphJudge(try HostRunner(keeping: ProcessInfo.processInfo.environment["MLC_KEEP"]))
    let campaign = try selection.campaign(judge)
    let models = SeedModels(selection.seeds)
    var next = selection.first
    while next < end, Date.now.timeIntervalSince1970 < until {
      var items: [GraphCase] = []
      let first = next
      while items.count < together, next < end {
        Line.begin(next, "").print()
        if let item = selection.graph(next, models) { items.append(item) }
        next += stride
      }
      Line.begin(first, items.map { $0.text }.joined(separator: "\n")).print()
      for device in campaign.devices {
        for entry in campaign.play(items, on: device, shrinks: selection.shrinks) { Line.entry(entry).print() }
      }
    }
  }
}
