import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import TestSupport
import Testing

/// Core ML neural networks on the interpreter and on a level of this CPU, against answers computed without mlc and
/// without Core ML (`Tests/Corpora/coreml/make_networks.py`). They take the levels in turn: what operators mean on each
/// of them the operator suite plays.
@Suite(.serialized) struct NetworkTests {
  @Test func everyExecutorAgrees() throws {
    let archive = try ModelArchive("networks.zip")
    let (names, problems) = (archive.names(with: ".npz"), archive.problems())
    print("\(names.count) Core ML neural networks, \(problems.count) problems")
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    #expect(names.count >= 150)
  }

  /// Weights of few bits stay so.
  @Test func quantisedWeightsStayCompressed() throws {
    let archive = try ModelArchive("networks.zip")
    let folder = archive.folder
    let names = Corpus.names(folder.path()).filter { $0.hasSuffix(".mlmodel") && $0.hasPrefix("quantised_") }
    for name in names + ["half.mlmodel"] {
      let function = try CoreMLPackage.read(folder.appending(path: name).path()).main
      #expect(function.body.operations.contains { $0.isConstantExpression }, "\(name)")
    }
    #expect(names.count == 17)
  }

  /// Flipped bits in any layer give a program or a diagnostic, never anything else.
  @Test func damagedNetworksAreReadOrRefused() throws {
    let archive = try ModelArchive("networks.zip")
    let folder = archive.folder
    var bits = FlippedBits()
    var (refused, files) = (0, 0)
    let damaged = folder.appending(path: "damaged")
    for name in Corpus.names(folder.path()) where name.hasSuffix(".mlmodel") {
      let whole = try Data(contentsOf: folder.appending(path: name))
      for _ in 0..<FlippedBits.count * 2 / 5 {
        try bits.copy(of: whole).write(to: damaged)
        files += 1
        do throws(Diagnostic) { _ = try CoreMLPackage.read(damaged.path()) } catch { refused += 1 }
      }
    }
    #expect(refused > files / 4, "\(refused) of \(files) were refused")
  }
}
