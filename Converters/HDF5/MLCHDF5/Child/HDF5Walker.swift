import CHDF5
import MLCCore

/// Walks an HDF5 file with libhdf5. Runs in the child process only.
///
/// Throws `hdf5.damaged` for what the library refuses to read, `hdf5.limit` for files beyond any model.
package struct HDF5Walker: ~Copyable {
  static let maximumObjects = 100_000, maximumDepth = 64, maximumNameLength = 4096

  private var writer: ExtractionWriter
  private let readsData: Bool
  private var objects: [JSON] = []
  /// Where each object was met first, by its identity in the file.
  private var seen: [UInt64: String] = [:]
  /// Bytes of attributes so far.
  private var attributeBytes = 0

  init(_ writer: consuming ExtractionWriter, readsData: Bool) {
    self.writer = writer
    self.readsData = readsData
  }

  /// Extracts the file at `path`.
  package static func extract(
    _ path: String,
    _ writer: consuming ExtractionWriter,
    readsData: Bool
  ) throws(Diagnostic) {
    guard mlc_h5_prepare() == 0 else { throw Diagnostic.damaged("libhdf5") }
    let file = try HDF5Handle(mlc_h5_open(path), "the file")
    let root = try HDF5Handle(mlc_h5_open_object(file.id, "/"), "the root group")
    var walker = HDF5Walker(writer, readsData: readsData)
    try walker.object(root.id, "/", depth: 0)
    try walker.finish()
  }

  private consuming func finish() throws(Diagnostic) {
    try writer.finish(.object(["objects": .array(objects)]))
  }

  private mutating func object(_ id: hid_t, _ path: String, depth: Int) throws(Diagnostic) {
    guard objects.count < HDF5Walker.maximumObjects, depth <= HDF5Walker.maximumDepth else {
      throw Diagnostic.limit("the file holds more than \(HDF5Walker.maximumObjects) objects or nests too deeply")
    }
    var (identity, kind, count) = (UInt64(0), Int32(0), UInt64(0))
    guard mlc_h5_object(id, &identity, &kind, &count) == 0 else { throw Diagnostic.damaged("'\(path)'") }
    var entry: [String: JSON] = ["path": .string(path)]
    if let first = seen.updateValue(path, forKey: identity) {
      seen[identity] = first
      (entry["kind"], entry["target"]) = (.string("link"), .string(first))
      return objects.append(.object(entry))
    }
    entry["attributes"] = .array(try attributes(id, count, of: path))
    switch UInt32(bitPattern: kind) {
    case UInt32(mlc_h5_group):
      entry["kind"] = .string("group")
      objects.append(.object(entry))
      try members(of: id, path, depth: depth)
    case UInt32(mlc_h5_dataset):
      entry["kind"] = .string("dataset")
      try dataset(id, path, into: &entry)
      objects.append(.object(entry))
    default:
      entry["kind"] = .string("other")
      objects.append(.object(entry))
    }
  }

  private mutating func members(of group: hid_t, _ path: String, depth: Int) throws(Diagnostic) {
    let count = mlc_h5_link_count(group)
    guard (0...Int64(HDF5Walker.maximumObjects)).contains(count) else { throw Diagnostic.damaged("'\(path)'") }
    for index in 0..<UInt64(count) {
      var name = [CChar](repeating: 0, count: HDF5Walker.maximumNameLength + 1)
      let length = mlc_h5_link_name(group, index, &name, name.count)
      guard length >= 0, length <= HDF5Walker.maximumNameLength else { throw Diagnostic.damaged("a name in '\(path)'") }
      let text = String(decoding: name.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let child = (path == "/" ? "/" : path + "/") + text
      guard child.utf8.count <= HDF5Walker.maximumNameLength else { throw Diagnostic.damaged("a name in '\(path)'") }
      switch mlc_h5_link_kind(group, name) {
      case 0:
        let object = try HDF5Handle(mlc_h5_open_object(group, name), "'\(child)'")
        try self.object(object.id, child, depth: depth + 1)
      case 1, 2:
        objects.append(.object(["path": .string(child), "kind": .string("link"), "target": .string("")]))
      default: throw Diagnostic.damaged("'\(child)'")
      }
    }
  }

  private mutating func attributes(_ id: hid_t, _ count: UInt64, of path: String) throws(Diagnostic) -> [JSON] {
    guard count <= 65_536 else { throw Diagnostic.limit("'\(path)' has \(count) attributes") }
    var result: [JSON] = []
    for index in 0..<count {
      let attribute = try HDF5Handle(mlc_h5_attribute(id, index), "an attribute of '\(path)'")
      result.append(try HDF5AttributeReader(attribute.id, of: path).json(budget: &attributeBytes))
    }
    return result
  }

  private mutating func dataset(_ id: hid_t, _ path: String, into entry: inout [String: JSON]) throws(Diagnostic) {
    let fileType = try HDF5Handle(H5Dget_type(id), "the type of '\(path)'")
    let type = HDF5ElementType(fileType.id)
    let space = try HDF5Handle(H5Dget_space(id), "the shape of '\(path)'")
    let shape = try hdf5Shape(space.id, of: path)
    let properties = try HDF5Handle(H5Dget_create_plist(id), "the properties of '\(path)'")
    let storage = try HDF5StorageReader(properties.id, path)
    entry["type"] = .string(type.name)
    entry["shape"] = shape.map { .array($0.map { .integer($0) }) } ?? .null
    entry["storage"] = .string(storage.name)
    entry["filters"] = .array(storage.filters.map { .string($0) })
    guard readsData, let shape, let dtype = type.dtype, let memoryType = type.memoryType, storage.isInFile,
      let bytes = dtype.byteCount(shape.reduce(1, *))
    else { return }
    entry["dtype"] = .string(dtype.rawValue)
    entry["length"] = .integer(bytes)
    let offset = mlc_h5_offset(id)
    if type.isNative, storage.name == "contiguous", storage.filters.isEmpty, offset >= 0 {
      (entry["source"], entry["offset"]) = (.string("file"), .integer(Int(offset)))
      return
    }
    let place = try writer.append(bytes) { (memory) throws(Diagnostic) in
      guard mlc_h5_read(id, memoryType, memory) >= 0 else { throw Diagnostic.damaged("the elements of '\(path)'") }
    }
    (entry["source"], entry["offset"]) = (.string("extraction"), .integer(place))
  }
}
