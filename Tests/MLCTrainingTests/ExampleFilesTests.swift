import Foundation
import MLCCore
import MLCTensorIO
import MLCTraining
import Testing

/// Folders of examples.
@Suite struct ExampleFilesTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-examples-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path())
  }

  private func numbers(_ values: [Double]) -> Tensor { Tensor(.float32, [values.count, 1], values) }

  @Test func arraysHaveTheNamesOfTheirFiles() throws {
    try withFolder { folder in
      try NPY.write(numbers([1, 2]), to: "\(folder)/x.npy")
      try NPY.write(Tensor(.int64, [2], [3, 4]), to: "\(folder)/target.npy")
      let read = try ExampleFiles.read(folder)
      #expect(read.map { $0.name } == ["target", "x"] && read[1].tensor == numbers([1, 2]))
    }
  }

  /// Archives follow each other by the numbers in their names, whatever the order of tensors in each.
  @Test func archivesFollowEachOther() throws {
    try withFolder { folder in
      try NPZ.write([("x", numbers([3])), ("target", numbers([30]))], to: "\(folder)/part-10.npz")
      try NPZ.write([("target", numbers([10, 20])), ("x", numbers([1, 2]))], to: "\(folder)/part-9.npz")
      let read = try ExampleFiles.read(folder)
      #expect(read.map { $0.name } == ["target", "x"])
      #expect(read.map { $0.tensor } == [numbers([10, 20, 30]), numbers([1, 2, 3])])
    }
  }

  @Test func refusals() throws {
    func id(_ fill: (String) throws -> Void) throws -> String? {
      var found: String?
      try withFolder { folder in
        try fill(folder)
        found = refusal { () throws(Diagnostic) in _ = try ExampleFiles.read(folder) }
      }
      return found
    }
    let x = numbers([1])
    #expect(try id { _ in } == "update.data-folder")
    let both = try id { folder in
      try NPY.write(x, to: "\(folder)/x.npy")
      try NPZ.write([("x", x)], to: "\(folder)/x.npz")
    }
    #expect(both == "update.data-folder")
    for other in [("y", x), ("x", Tensor(.float32, [1, 2], [1.0, 2])), ("x", Tensor(.float64, [1, 1], [1.0]))] {
      let found = try id { folder in
        try NPZ.write([("x", x)], to: "\(folder)/1.npz")
        try NPZ.write([other], to: "\(folder)/2.npz")
      }
      #expect(found == "update.data-folder", "\(other)")
    }
  }
}
