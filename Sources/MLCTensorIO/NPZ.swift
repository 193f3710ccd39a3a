import MLCCore

/// NumPy's archive: a zip of `.npy` files, one a tensor, named `NAME.npy`.
package enum NPZ {
  /// Every tensor of the archive, in its order. Throws `file.*` and what `decode` throws.
  package static func read(_ path: String) throws(Diagnostic) -> [(name: String, tensor: Tensor)] {
    let file = try MappedFile(path: path)
    return try locating(Location(file: path)) { () throws(Diagnostic) in try decode(file.storage) }
  }

  /// Names lose their `.npy`. Throws `npz.zip` (not a sound archive), `npz.size` (entries would unpack to more than the
  /// archive may hold), `npz.entry` (an entry that is not an array, or two of one name) and what `NPY.decode` throws,
  /// located at the entry.
  package static func decode(_ storage: Storage) throws(Diagnostic) -> [(name: String, tensor: Tensor)] {
    let archive = try ZipReader(storage)
    var tensors: [(name: String, tensor: Tensor)] = []
    var names: Set<String> = []
    for entry in try archive.entries() {
      guard entry.name.hasSuffix(".npy") else {
        throw Diagnostic("npz.entry", "'\(entry.name)' in the archive is not a .npy array")
      }
      let name = String(entry.name.dropLast(4))
      guard names.insert(name).inserted else {
        throw Diagnostic("npz.entry", "the archive holds '\(name)' twice")
      }
      let tensor = try locating(Location(node: name)) { () throws(Diagnostic) in
        try NPY.decode(try archive.unpack(entry))
      }
      tensors.append((name, tensor))
    }
    return tensors
  }

  /// Writes an uncompressed archive; equal tensors give equal bytes. The file appears whole or not at all.
  ///
  /// Throws `npz.entry` for a name that is empty or given twice, `npy.dtype` and `file.write`.
  package static func write(_ tensors: [(name: String, tensor: Tensor)], to path: String) throws(Diagnostic) {
    var names: Set<String> = []
    var entries: [(name: String, storage: Storage)] = []
    for (name, tensor) in tensors {
      guard !name.isEmpty, !name.utf8.contains(0), names.insert(name).inserted else {
        throw Diagnostic("npz.entry", "'\(name)' is empty or given twice", kind: .usage, at: Location(file: path))
      }
      let storage = try locating(Location(file: path, node: name)) { () throws(Diagnostic) in try NPY.encode(tensor) }
      entries.append((name + ".npy", storage))
    }
    try ZipWriter.write(entries, to: path)
  }
}
