import ArgumentParser
import Foundation
import GraphFuzzing
import MLCCompiler
import MLCCore

@main struct FuzzGraphs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuzz-graphs",
    abstract: "Plays graphs as generated code under sanitizers and compares with the interpreter.",
    subcommands: [RandomGraphs.self, Worker.self],
    defaultSubcommand: RandomGraphs.self
  )
}

/// What a worker plays.
struct Selection: ParsableArguments {
  @Option(help: "What the graphs follow from.") var seed: UInt64 = 1
  @Option(help: "How many graphs.") var count = 1500
  @Option(help: "The number of the first graph.") var first = 0
  @Option(help: "Play only on this device; on every one that this CPU can be unless given.") var target: String?
  @Option(help: "Nested concatenations of doubles in every graph, this deep, in place of graphs of all kinds.")
  var nesting: Int?
  @Option(help: "How many smaller cases are tried for one that fails.") var shrinks = 40

  var arguments: [String] {
    var list = ["--seed", "\(seed)", "--count", "\(count)", "--shrinks", "\(shrinks)"]
    if let target { list += ["--target", target] }
    if let nesting { list += ["--nesting", "\(nesting)"] }
    return list
  }

  func graph(_ number: Int) -> GraphCase {
    guard let nesting else { return RandomGraph.draw(seed: seed, number: number) }
    var random = SeededGenerator(seed: seed, name: "nested \(number)")
    return RandomGraph.nested(&random, depth: nesting, "nested graph \(number) of seed \(seed)")
  }
}

struct RandomGraphs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "random",
    abstract: "Draws graphs from a seed.",
    discussion: "Exits with 1 when a graph is wrong. Each wrong one is printed, as small as it could be made."
  )
  @OptionGroup var selection: Selection
  @Option(help: "Processes at a time.") var jobs = 2
  @Option(help: "Stop after this many seconds.") var time: Int?
  @Flag(help: "Print the last line as JSON.") var json = false

  func run() throws {
    let team = Team(arguments: selection.arguments, jobs: jobs, seconds: time)
    let report = try team.run(selection.first..<selection.first + selection.count)
    for entry in report.wrong { print(entry.report + "\n") }
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

  func run() throws {
    let judge = GraphJudge(try SanitizedRunner(keeping: ProcessInfo.processInfo.environment["MLC_KEEP"]))
    var campaign = Campaign(judge)
    if let target = selection.target { campaign = Campaign(judge, devices: try DeviceSet([target]).devices) }
    for number in Swift.stride(from: selection.first, to: end, by: stride) {
      Line.begin(number).print()
      let item = selection.graph(number)
      for device in campaign.devices { Line.entry(campaign.play(item, on: device, shrinks: selection.shrinks)).print() }
    }
  }
}
