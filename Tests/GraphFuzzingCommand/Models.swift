import ArgumentParser
import Foundation
import GraphFuzzing
import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX
import MLCKernels
import Synchronization
import TestSupport

struct Models: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays ONNX models on seeded inputs.",
    discussion: """
      Each is played twice, the tasks of its kernels in order and shuffled, and the bits must be the same. Exits \
      with 1 when one is wrong, or further from the reference than convolutional nets (90 dB) and others (80 dB) may \
      be unless --arithmetic rounds factors.
      """
  )
  @Argument(help: "ONNX files.") var files: [String]
  @Option(help: "Play only on this device; on every one that this CPU can be unless given.") var target: String?
  @Option(help: "What products round their factors to: fp16 or bf16.") var arithmetic: String?
  @Option(help: "Seconds that one model may take to compile, and to run.") var seconds = 3600
  @Option(help: "Models at a time.") var jobs = 2

  func run() throws {
    let judge = GraphJudge(try HostRunner(seconds: seconds, builds: [.checkedFast]))
    let devices = try Selection.devices(target, arithmetic: arithmetic)
    let next = Mutex(0)
    let wrong = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
      while true {
        let place = next.withLock { place in
          defer { place += 1 }
          return place
        }
        guard place < files.count else { return }
        let failures = play(files[place], devices, judge)
        wrong.withLock { $0 += failures }
      }
    }
    let (played, failed) = (files.count * devices.count, wrong.withLock { $0 })
    print("\(played) played: \(failed == 0 ? "all agree" : "\(failed) WRONG")")
    if failed > 0 { throw ExitCode(1) }
  }

  /// Prints what became of the model on each device, and answers on how many it fails.
  private func play(_ file: String, _ devices: [DeviceDescription], _ judge: GraphJudge) -> Int {
    let name = URL(filePath: file).lastPathComponent
    do {
      let function = try ONNXImporter.read(file).main
      let inputs = try InputGenerator(function, sizes: try SizeChoice(function).byName, seed: 1).inputs()
      let item = GraphCase(name, function, [inputs])
      return devices.count { device in
        let (verdict, decibels) = judge.measuredVerdict(item, on: device)
        let noise = decibels.map { $0.isFinite ? "\(Int($0)) dB" : "the same numbers" } ?? "nothing compared"
        let isClose = arithmetic != nil || (decibels ?? 0) >= function.leastSignalToNoise
        if case .agrees = verdict, isClose {
          print("\(name) on \(device.name): agrees, \(noise)")
          return false
        }
        print("\(name) on \(device.name): WRONG, \(noise), \("\(verdict)".prefix(1500))")
        return true
      }
    } catch {
      print("\(name): \(error)")
      return devices.count
    }
  }
}
