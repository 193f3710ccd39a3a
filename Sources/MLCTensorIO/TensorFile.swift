import MLCCore
import MLCImage

/// Tensors in files of any format that mlc reads: `.npy`, `.npz`, JSON, and pictures.
package enum TensorFile {
  /// Every tensor of the file, in its order. What the file *is* follows from its first bytes, never from its name.
  ///
  /// A file that holds one unnamed tensor names it after itself, without folder and extension. Numeric tensors of
  /// `.npy` and `.npz` stay views of the mapped file where the layout allows. Throws `file.*` when it cannot be opened,
  /// `tensor-file.unknown` for any other content, and what the format's reader throws.
  package static func read(_ path: String) throws(Diagnostic) -> [(name: String, tensor: Tensor)] {
    let storage = try MappedFile(path: path).storage
    defer { withExtendedLifetime(storage) {} }
    return try locating(Location(file: path)) { () throws(Diagnostic) in
      switch Format(of: storage.bytes) {
      case .npy: [(stem(of: path), try NPY.decode(storage))]
      case .npz: try NPZ.decode(storage)
      case .image: [(stem(of: path), try ImageFile.decode(storage))]
      case .json: try JSONTensor.decode(storage).map { ($0.name ?? stem(of: path), $0.tensor) }
      case nil:
        throw FileKind.otherwise("tensor-file.unknown", "neither .npy, .npz, JSON nor a picture", storage.bytes)
      }
    }
  }

  /// Whether the file at `path` begins like a picture; false where it cannot be opened.
  package static func isPicture(_ path: String) -> Bool {
    guard let storage = try? MappedFile(path: path).storage else { return false }
    return withExtendedLifetime(storage) { Format(of: storage.bytes) == .image }
  }

  /// Writes `.npz` (any number of tensors), `.npy` (one) or `.json` (any number), as the extension says.
  ///
  /// The file appears whole or not at all. Throws `tensor-file.extension` for another extension, `npy.count` when a
  /// `.npy` is asked to hold other than one tensor, and what the format's writer throws.
  package static func write(_ tensors: [(name: String, tensor: Tensor)], to path: String) throws(Diagnostic) {
    switch path.split(separator: ".").last {
    case "npz": try NPZ.write(tensors, to: path)
    case "json": try JSONTensor.write(tensors, to: path)
    case "npy":
      guard tensors.count == 1 else {
        throw Diagnostic(
          "npy.count",
          "a .npy file holds one tensor, not \(tensors.count): write .npz",
          kind: .usage,
          at: Location(file: path)
        )
      }
      try NPY.write(tensors[0].tensor, to: path)
    default: throw extensionProblem(path)
    }
  }

  /// Refuses before the work what `write` would refuse of `path` after it. Throws `tensor-file.extension`,
  /// `file.write`.
  package static func check(_ path: String) throws(Diagnostic) {
    guard ["npz", "json", "npy"].contains(path.split(separator: ".").last) else { throw extensionProblem(path) }
    try AtomicFile.check(path)
  }

  private static func extensionProblem(_ path: String) -> Diagnostic {
    Diagnostic(
      "tensor-file.extension",
      "tensors are written to .npz, .npy or .json files",
      kind: .usage,
      at: Location(file: path)
    )
  }

  /// `a/b/image.raw.npy` → `image.raw`.
  static func stem(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}

extension TensorFile {
  enum Format {
    case npy, npz, image, json

    /// By magic number; JSON by its first character other than white space, behind a byte order mark.
    init?(of bytes: UnsafeRawBufferPointer) {
      if bytes.starts(with: NPY.magic) {
        self = .npy
      } else if bytes.starts(with: [0x50, 0x4b, 3, 4]) || bytes.starts(with: [0x50, 0x4b, 5, 6]) {
        self = .npz
      } else if ImageFormat(of: bytes) != nil {
        self = .image
      } else if let first = bytes[JSONScanner(bytes).position...].first(where: {
        ![0x20, 0x09, 0x0a, 0x0d].contains($0)
      }),
        first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
      {
        self = .json
      } else {
        return nil
      }
    }
  }
}
