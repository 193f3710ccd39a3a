import Foundation
import MLCCore
import MLCTensorIO
import Testing

@Suite struct TensorFileTests {
  @Test func knowsFormatsByContent() throws {
    #expect(try TensorFile.read(fixture("f4_le.npy")).map { $0.name } == ["f4_le"])
    #expect(try TensorFile.read(fixture("stored.npz")).map { $0.name } == ["a", "b/c"])
    #expect(try TensorFile.read(fixture("rgb.png"))[0].tensor.shape == [8, 12, 3])
    #expect(try TensorFile.read(fixture("rgb.jpg"))[0].tensor.shape == [8, 12, 3])
    try withFolder { folder in
      try Data("nothing known".utf8).write(to: URL(filePath: "\(folder)/x.npy"))
      let read = { () throws(Diagnostic) in _ = try TensorFile.read("\(folder)/x.npy") }
      #expect(diagnosticID(read) == "tensor-file.unknown")
    }
  }

  @Test func diagnosticsNameTheFile() {
    let error = #expect(throws: Diagnostic.self) { try TensorFile.read(fixture("object.npy")) }
    #expect(error?.location.file == fixture("object.npy"))
    #expect(diagnosticID { () throws(Diagnostic) in _ = try TensorFile.read("/nonexistent.npy") } == "file.open")
  }

  @Test func writesByExtension() throws {
    let x: (name: String, tensor: Tensor) = ("x", Tensor(.float32, [2], [1, 2] as [Double]))
    try withFolder { folder in
      try TensorFile.write([x], to: "\(folder)/x.npy")
      #expect(try TensorFile.read("\(folder)/x.npy")[0].tensor == x.tensor)
      try TensorFile.write([x, ("y", x.tensor)], to: "\(folder)/x.npz")
      #expect(try TensorFile.read("\(folder)/x.npz").map { $0.name } == ["x", "y"])
      let two = { () throws(Diagnostic) in try TensorFile.write([x, x], to: "\(folder)/two.npy") }
      #expect(diagnosticID(two) == "npy.count")
      let other = { () throws(Diagnostic) in try TensorFile.write([x], to: "\(folder)/x.txt") }
      #expect(diagnosticID(other) == "tensor-file.extension")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.sorted() == ["x.npy", "x.npz"])
    }
  }
}
