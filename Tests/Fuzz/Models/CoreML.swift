import FuzzSupport
import MLCCore
import MLCFormatCoreML

extension FuzzTarget {
  /// A model in a package. The payloads of its fields 15000 are the file of weights beside it, so that one input holds
  /// both.
  static let coreML = FuzzTarget("coreml", ProtobufMutator()) { (bytes) throws(Diagnostic) in
    Scratch.write(bytes, to: "\(package)/Data/com.apple.CoreML/model.mlmodel")
    weights(in: bytes).withUnsafeBytes {
      Scratch.write($0, to: "\(package)/Data/com.apple.CoreML/weights/weight.bin")
    }
    manifest.withUnsafeBytes { Scratch.write($0, to: "\(package)/Manifest.json") }
    try Exercise.run(try CoreMLPackage.read(package), of: bytes)
  }

  /// A package's `Manifest.json`; the model that it should name is there and empty.
  static let coreMLManifest = FuzzTarget("coreml-manifest", JSONMutator(), seeds: [manifest]) {
    (bytes) throws(Diagnostic) in
    Scratch.write(bytes, to: "\(package)/Manifest.json")
    Scratch.write(UnsafeRawBufferPointer(start: nil, count: 0), to: "\(package)/Data/com.apple.CoreML/model.mlmodel")
    _ = try CoreMLPackage.read(package)
  }

  private static let manifest = Array(
    """
    {
      "fileFormatVersion": "1.0.0",
      "itemInfoEntries": {
        "A": {
          "author": "com.apple.CoreML", "description": "", "name": "model.mlmodel",
          "path": "com.apple.CoreML/model.mlmodel"
        }
      },
      "rootModelIdentifier": "A"
    }
    """.utf8
  )

  private static let package: String = {
    let path = "\(Scratch.folder)/model.mlpackage"
    for folder in ["", "/Data", "/Data/com.apple.CoreML", "/Data/com.apple.CoreML/weights"] {
      Scratch.makeFolder(path + folder)
    }
    return path
  }()

  private static func weights(in bytes: UnsafeRawBufferPointer) -> [UInt8] {
    // The tag of field 15000 with a length.
    let tag: [UInt8] = [0xc2, 0xa9, 0x07]
    var rest = bytes[...]
    while rest.count > 3 {
      if rest.starts(with: tag) {
        var (length, shift) = (0, 0)
        var payload = rest.dropFirst(3)
        while let byte = payload.popFirst(), shift < 28 {
          length |= Int(byte & 0x7f) << shift
          shift += 7
          if byte < 0x80 { return Array(payload.prefix(length)) }
        }
      }
      rest = rest.dropFirst()
    }
    return []
  }
}
