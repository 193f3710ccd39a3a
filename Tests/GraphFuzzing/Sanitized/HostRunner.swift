import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCTargetC
import Synchronization
import TestSupport

/// Builds generated code and plays it in a small host (`Host.c`), a process of its own a case, in which every buffer
/// stands between fences, on this processor or another (`HostMachine`).
package final class HostRunner: Sendable {
  private let folder: String
  private let clang: CCompiler
  /// Where sources and data of cases that fail are kept; nowhere when `nil`.
  private let kept: String?
  /// Seconds of wall clock that the C compiler, and the host, may take for one case.
  private let seconds: Int
  /// How code for this processor is built, each build played.
  private let builds: [HostBuild]
  /// The machines whose hosts are built.
  private let machines = Mutex<Set<HostMachine>>([])

  /// Throws `compiler.missing`.
  package init(
    keeping kept: String? = nil,
    seconds: Int = 90,
    builds: [HostBuild] = [.checked, .shipped]
  ) throws(Diagnostic) {
    clang = try CCompiler.find()
    (self.kept, self.seconds, self.builds) = (kept, seconds, builds)
    folder = FileManager.default.temporaryDirectory.appending(path: "mlc-graphs-\(UUID().uuidString)").path()
    do {
      for path in [folder, kept].compactMap({ $0 }) {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      }
      let source = Prelude.abi + "\n" + String(decoding: PackageResources.Host_c, as: UTF8.self)
      try source.write(toFile: "\(folder)/host.c", atomically: false, encoding: .utf8)
    } catch { throw Diagnostic("test.folder", "cannot write in '\(folder)'", kind: .environment) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Builds the host of `machine` unless it is there. Throws `test.host` when its compiler cannot.
  private func prepare(_ machine: HostMachine) throws {
    try machines.withLock { ready in
      guard !ready.contains(machine) else { return }
      let result = ChildRun(machine.hostCommand(clang), in: folder, seconds: seconds)
      guard result.status == 0 else {
        throw Diagnostic("test.host", "the host of \(machine) cannot be built: \(result.text)", kind: .environment)
      }
      ready.insert(machine)
    }
  }

  /// The outputs of one run, as played in order and as played in shuffled tasks.
  package struct Played {
    var inOrder: [Tensor], shuffled: [Tensor]
    var fault: Int
    /// Whether the module takes the sizes; there is nothing else where it does not.
    var isBound = true

    /// The parts of a run of `batch`, by function.
    func divided(_ batch: FunctionBatch) -> [Played] {
      zip(batch.divided(inOrder), batch.divided(shuffled)).map {
        Played(inOrder: $0, shuffled: $1, fault: fault, isBound: isBound)
      }
    }
  }

  /// Plays `graph` on each of `runs`: what became of each, by build. Throws `Finding`.
  package func play(
    _ graph: EmittedGraph,
    _ runs: [(inputs: [Tensor], layout: EmittedGraph.Layout)],
    on device: DeviceDescription
  ) throws -> [[Played]] {
    let machine = try HostMachine(device)
    try prepare(machine)
    return try machine.builds(builds).map { try play(graph, runs, on: device, machine, $0) }
  }

  private func play(
    _ graph: EmittedGraph,
    _ runs: [(inputs: [Tensor], layout: EmittedGraph.Layout)],
    on device: DeviceDescription,
    _ machine: HostMachine,
    _ way: HostBuild
  ) throws -> [Played] {
    let place = "\(folder)/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    var isSound = false
    defer {
      if let kept, !isSound { try? FileManager.default.copyItem(atPath: place, toPath: "\(kept)/\(UUID().uuidString)") }
      try? FileManager.default.removeItem(atPath: place)
    }
    try build(graph.files, for: device, on: machine, way, in: place)
    try graph.hostData(runs).bytes.write(to: URL(filePath: "\(place)/data"))
    let command = machine.playCommand(folder, ["./module.so", "data", "results", "1"])
    let result = ChildRun(command, in: place, seconds: seconds)
    if result.isLate { throw Problem(.time, "the code runs for over \(seconds) s") }
    guard result.status == 0 else { throw Problem(.memory, result.summary) }
    var results = HostResults(try Data(contentsOf: URL(filePath: "\(place)/results")))
    let played = try runs.map { try self.played(graph, $0.layout, &results) }
    precondition(results.isAtEnd, "the host wrote more than was expected")
    isSound = true
    return played
  }

  private func build(
    _ files: [SourceFile],
    for device: DeviceDescription,
    on machine: HostMachine,
    _ way: HostBuild,
    in place: String
  ) throws {
    for file in files { try file.text.write(toFile: "\(place)/\(file.name)", atomically: false, encoding: .utf8) }
    let command = machine.moduleCommand(clang, device, files.map { $0.name }, way)
    let result = ChildRun(command, in: place, seconds: seconds)
    let size = files.reduce(0) { $0 + $1.text.utf8.count }
    if result.isLate { throw Problem(.time, "clang takes over \(seconds) s for \(size) bytes") }
    guard result.status == 0 else { throw Problem(.clang, String(result.text.prefix(400))) }
  }

  /// One run's results: fault, sizes and outputs of each of the two plays.
  private func played(
    _ graph: EmittedGraph,
    _ layout: EmittedGraph.Layout,
    _ results: inout HostResults
  ) throws -> Played {
    var plays: [[Tensor]] = []
    var fault = 0
    for _ in 0..<2 {
      guard results.number() == 0 else { continue }
      fault = max(fault, results.number())
      let symbols = layout.symbols.map { _ in results.number() }
      guard zip(symbols, layout.symbols).allSatisfy({ $0 <= $1 && $0 >= 0 }), let shapes = graph.outputShapes(symbols)
      else { throw Problem(.numbers, "late sizes became \(symbols), their bounds are \(layout.symbols)") }
      plays.append(
        try zip(graph.function.outputs, shapes).map { output, shape in
          let stored = results.string(results.number())
          let dtype = graph.function.type(output).dtype
          let storage = Storage(byteCount: dtype.byteCount(shape.reduce(1, *))!) {
            $0.copyBytes(from: stored.prefix($0.count))
          }
          guard let tensor = Tensor(dtype, shape, storage: storage) else { throw Problem(.numbers, "output \(shape)") }
          return tensor
        }
      )
    }
    guard plays.count == 2 else { return Played(inOrder: [], shuffled: [], fault: 0, isBound: false) }
    return Played(inOrder: plays[0], shuffled: plays[1], fault: fault)
  }
}

/// A finding, thrown.
package struct Problem: Error {
  package var finding: Finding
  init(_ kind: Finding.Kind, _ detail: String) { finding = Finding(kind, detail) }
}
