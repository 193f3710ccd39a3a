import Foundation
import MLCCore
import MLCTensorIO
import Testing

@Suite struct NPZTests {
  static let expected: [(name: String, tensor: Tensor)] = [
    ("a", Tensor(.float32, [2, 3], [0, 1, 2, 3, 4, 5] as [Double])), ("b/c", Tensor(.int64, [2], [7, 8])),
  ]

  @Test func readsStoredAndDeflatedArchives() throws {
    for file in ["stored.npz", "deflated.npz"] {
      let tensors = try NPZ.read(fixture(file))
      #expect(tensors.map { $0.name } == ["a", "b/c"])
      #expect(tensors.map { $0.tensor } == NPZTests.expected.map { $0.tensor })
    }
  }

  @Test func roundTripsAndRepeatsItsBytes() throws {
    try withFolder { folder in
      let (first, second) = ("\(folder)/1.npz", "\(folder)/2.npz")
      try NPZ.write(NPZTests.expected, to: first)
      try NPZ.write(NPZTests.expected, to: second)
      #expect(try Data(contentsOf: URL(filePath: first)) == Data(contentsOf: URL(filePath: second)))
      #expect(try NPZ.read(first).map { $0.tensor } == NPZTests.expected.map { $0.tensor })
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["1.npz", "2.npz"])
    }
  }

  @Test func namesOfAnyCharactersRoundTrip() throws {
    let names = ["\u{1b}[31mred", "a\nb\t", "é\u{1}", "\u{1f600}", "./a b", "C:\\x"]
    try withFolder { folder in
      try NPZ.write(names.map { ($0, Tensor(.int64, [1], [1])) }, to: "\(folder)/n.npz")
      #expect(try NPZ.read("\(folder)/n.npz").map { $0.name } == names)
    }
  }

  @Test func anEmptyArchiveRoundTrips() throws {
    try withFolder { folder in
      try NPZ.write([], to: "\(folder)/e.npz")
      #expect(try NPZ.read("\(folder)/e.npz").isEmpty)
    }
  }

  @Test func replacesAnExistingFile() throws {
    try withFolder { folder in
      let path = "\(folder)/x.npz"
      try NPZ.write(NPZTests.expected, to: path)
      try NPZ.write([("only", Tensor(.int8, [1], [3]))], to: path)
      #expect(try NPZ.read(path).map { $0.name } == ["only"])
    }
  }

  @Test func refusesEntriesThatAreNoArrays() {
    #expect(diagnosticID { () throws(Diagnostic) in _ = try NPZ.read(fixture("foreign.npz")) } == "npz.entry")
  }

  @Test func refusesNamesGivenTwice() throws {
    let x = Tensor(.int8, [1], [3])
    try withFolder { folder in
      let id = diagnosticID { () throws(Diagnostic) in try NPZ.write([("x", x), ("x", x)], to: "\(folder)/x.npz") }
      #expect(id == "npz.entry")
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left.isEmpty)
    }
  }

  @Test func saysWhyAFileCannotBeWritten() throws {
    try withFolder { folder in
      let path = "\(folder)/missing/x.npz"
      #expect(diagnosticID { () throws(Diagnostic) in try NPZ.write(NPZTests.expected, to: path) } == "file.write")
    }
  }

  /// Both records of a deflated entry claim far more than deflate can yield.
  @Test func refusesImplausibleLengths() throws {
    var bytes = try fixtureBytes("deflated.npz")
    // Local records of numpy carry zip64 lengths; the central directory's are 32 bits at offset 24.
    let central = try #require(bytes.firstRange(of: [0x50, 0x4b, 1, 2])?.lowerBound)
    bytes.replaceSubrange(central + 24..<central + 28, with: [0xff, 0xff, 0xff, 0x7f])
    let id = diagnosticID { () throws(Diagnostic) in _ = try NPZ.decode(storage(bytes)) }
    #expect(id == "npz.size" || id == "npz.zip")
  }

  @Test func everyPrefixIsRefusedAndNoChangeTraps() throws {
    for name in ["stored.npz", "deflated.npz"] {
      let bytes = try fixtureBytes(name)
      for (index, mutation) in mutations(of: bytes, flips: 2000).enumerated() {
        let id = diagnosticID { () throws(Diagnostic) in _ = try NPZ.decode(storage(mutation)) }
        if index < bytes.count { #expect(id != nil, "\(name) cut to \(index) bytes") }
        if let id { #expect(id.hasPrefix("npy.") || id.hasPrefix("npz.")) }
      }
    }
  }
}
