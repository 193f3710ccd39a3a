import ArgumentParser
import Foundation
import GraphFuzzing
import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX

struct Models: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays ONNX models on seeded inputs.",
    discussion: "Exits with 1 when one is wrong."
  )
  @Argument(help: "ONNX files.") var files: [String]
  @Option(help: "Play only on this device; on every one that this CPU can be unless given.") var target: String?
  @Option(help: "Seconds that one model may take to compile, and to run.") var seconds = 3600

  func run() throws {
    let judge = GraphJudge(try HostRunner(seconds: seconds))
    let campaign = try target.map { Campaign(judge, devices: try DeviceSet([$0]).devices) } ?? Campaign(judge)
    var report = CampaignReport()
    for file in files {
      let function = try ONNXImporter.read(file).main
      let inputs = try InputGenerator(function, sizes: try SizeChoice(function).byName, seed: 1).inputs()
      let name = URL(filePath: file).lastPathComponent
      for entry in campaign.play(GraphCase(name, function, [inputs])) {
        report.add(entry)
        print("\(name) on \(entry.device): \(entry.outcome) \(entry.report.prefix(1500))")
      }
    }
    print(report.summary)
    if !report.wrong.isEmpty { throw ExitCode(1) }
  }
}
