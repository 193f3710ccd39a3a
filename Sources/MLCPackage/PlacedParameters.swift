import MLCCore

/// What a model has learnt as one file: tensors at multiples of 64 bytes. A tensor of texts is each text's length in
/// bytes, of 32 bits with the lowest first, and its UTF-8.
struct PlacedParameters {
  let tensors: [(offset: Int, tensor: Tensor)]
  let entries: [Manifest.Parameters.Entry]
  let byteCount: Int

  init(_ parameters: [(name: String, tensor: Tensor)]) {
    var (end, placed, entries) = (0, [(offset: Int, tensor: Tensor)](), [Manifest.Parameters.Entry]())
    for (name, tensor) in parameters {
      let offset = (end + 63) & ~63
      let stored = tensor.dtype == .string ? PlacedParameters.bytes(of: tensor.strings) : tensor
      placed.append((offset, stored))
      entries.append(.init(name: name, dtype: tensor.dtype, shape: tensor.shape, offset: offset))
      end = offset + stored.byteCount
    }
    (tensors, self.entries, byteCount) = (placed, entries, end)
  }

  private static func bytes(of texts: [String]) -> Tensor {
    var bytes: [UInt8] = []
    for text in texts {
      let utf8 = Array(text.utf8)
      for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: utf8.count >> shift)) }
      bytes += utf8
    }
    let storage = Storage(byteCount: bytes.count) { $0.copyBytes(from: bytes) }
    guard let tensor = Tensor(.uint8, [bytes.count], storage: storage) else {
      preconditionFailure("\(bytes.count) bytes for as many elements")
    }
    return tensor
  }

  /// Throws `package.field` for what does not lie in the file.
  static func read(_ parameters: Manifest.Parameters, _ storage: Storage) throws(Diagnostic)
    -> [(name: String, tensor: Tensor)]
  {
    var read: [(name: String, tensor: Tensor)] = []
    for entry in parameters.tensors {
      guard entry.offset <= storage.bytes.count, let count = entry.shape.checkedProduct,
        let tensor = tensor(entry, count, storage)
      else {
        let place = "does not fit into '\(parameters.file.path)'"
        throw Diagnostic("package.field", "the parameter '\(entry.name.shown(60))' \(place)")
      }
      read.append((entry.name, tensor))
    }
    return read
  }

  private static func tensor(_ entry: Manifest.Parameters.Entry, _ count: Int, _ storage: Storage) -> Tensor? {
    if entry.dtype == .string {
      return texts(count, UnsafeRawBufferPointer(rebasing: storage.bytes[entry.offset...])).map {
        Tensor(entry.shape, strings: $0)
      }
    }
    guard let bytes = entry.dtype.byteCount(count), bytes <= storage.bytes.count - entry.offset else { return nil }
    return Tensor(entry.dtype, entry.shape, storage: storage, range: entry.offset..<entry.offset + bytes)
  }

  private static func texts(_ count: Int, _ bytes: UnsafeRawBufferPointer) -> [String]? {
    guard count <= bytes.count / 4 else { return nil }
    var (texts, place) = ([String](), 0)
    for _ in 0..<count {
      guard bytes.count - place >= 4 else { return nil }
      let length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
      place += 4
      guard length <= bytes.count - place,
        let text = String(validating: bytes[place..<place + length], as: UTF8.self)
      else { return nil }
      texts.append(text)
      place += length
    }
    return texts
  }
}
