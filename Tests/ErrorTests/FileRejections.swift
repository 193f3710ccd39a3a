import Foundation
import MLCCore
import MLCImage
import MLCPackage
import MLCProtobuf
import MLCTensorIO

extension Rejection {
  static let files: [Rejection] = [
    // Files of sysfs are regular and cannot be mapped.
    Rejection("file.map") { _ = try MappedFile(path: "/sys/devices/system/cpu/online") },
    Rejection("file.rename") {
      let folder = try ScratchFolder()
      try PackageWriter.write(.sound(kernels: []), to: folder.file("a.mlmodelc"))
      // The system renames no folder by its entry for itself.
      try PackageWriter.write(.sound(kernels: []), to: folder.file("a.mlmodelc/."))
    },
    Rejection("image.bmp") { _ = try ImageFile.decode(storage(Array("BM".utf8) + [UInt8](repeating: 0, count: 8))) },
    Rejection("image.pnm") { _ = try ImageFile.decode(storage(Array("P1 1 1".utf8))) },
    Rejection("image.png") { _ = try ImageFile.decode(storage([137, 80, 78, 71, 13, 10, 26, 10])) },
    Rejection("npz.zip") { _ = try ZipReader(storage([0])) },
    scanning("test.malformed", [0xff]),
    Rejection("test.too-large") {
      // A file with a hole of 2 GiB takes no room.
      let folder = try ScratchFolder()
      let path = try folder.write([], to: "hole")
      try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 1 << 31)
      let file = try MappedFile(path: path)
      try withExtendedLifetime(file) { () throws(Diagnostic) in
        _ = try ProtobufScan(file.bytes, rules: [], minimumLength: 1, format: "test")
      }
    },
  ]

  private static func scanning(_ id: String, _ bytes: [UInt8]) -> Rejection {
    Rejection(id) {
      let bytes = storage(bytes)
      try withExtendedLifetime(bytes) { () throws(Diagnostic) in
        _ = try ProtobufScan(bytes.bytes, rules: [], minimumLength: 1, format: "test")
      }
    }
  }

  private static func storage(_ bytes: [UInt8]) -> Storage {
    Storage(byteCount: bytes.count) { $0.copyBytes(from: bytes) }
  }
}
