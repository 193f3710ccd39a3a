import MLCCore

/// Reads what the child process wrote, trusting nothing in it: the child handled a stranger's file.
package struct ExtractionReader {
  private let extraction: Storage
  private let source: Storage

  init(_ extraction: MappedFile, source: MappedFile) {
    self.init(extraction: extraction.storage, source: source.storage)
  }
  package init(extraction: Storage, source: Storage) { (self.extraction, self.source) = (extraction, source) }

  /// Throws `hdf5.extraction`, or the problem that the child met.
  package func file() throws(Diagnostic) -> HDF5File {
    let directory = try directory()
    if case .object(let problem)? = directory["problem"] { throw self.problem(problem) }
    guard case .array(let entries)? = directory["objects"] else { throw unsound("it lists no objects") }
    var objects: [HDF5Object] = []
    for case .object(let entry) in entries { objects.append(try object(entry)) }
    guard objects.count == entries.count, objects.first?.path == "/" else {
      throw unsound("its list is not of objects")
    }
    return HDF5File(objects)
  }

  private func unsound(_ what: String) -> Diagnostic {
    Diagnostic("hdf5.extraction", "what was read from the file is unsound: \(what)")
  }

  private func directory() throws(Diagnostic) -> [String: JSON] {
    let bytes = extraction.bytes
    let header = ExtractionWriter.headerLength
    guard bytes.count >= header, bytes.starts(with: ExtractionWriter.magic) else { throw unsound("it has no header") }
    func number(_ place: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
    guard number(8) == ExtractionWriter.version else { throw unsound("its version is \(number(8))") }
    let (offset, length) = (number(16), number(24))
    guard offset >= UInt64(header), offset <= UInt64(bytes.count), length <= UInt64(bytes.count) - offset else {
      throw unsound("its directory lies outside")
    }
    let text = UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset + length)])
    let json: JSON
    do throws(Diagnostic) { json = try JSON(parsing: text) } catch {
      if error.id == "json.too-large" { throw Diagnostic.limit("the file's attributes are too large") }
      throw unsound(error.message)
    }
    guard case .object(let directory) = json else { throw unsound("its directory is no object") }
    return withExtendedLifetime(extraction) { directory }
  }

  private func problem(_ entry: [String: JSON]) -> Diagnostic {
    guard case .string(let id)? = entry["id"], case .string(let message)? = entry["message"],
      ["hdf5.damaged", "hdf5.limit"].contains(id)
    else { return unsound("its problem has no id") }
    return Diagnostic(.init(id), message)
  }

  private func object(_ entry: [String: JSON]) throws(Diagnostic) -> HDF5Object {
    guard case .string(let path)? = entry["path"], path.hasPrefix("/"), case .string(let word)? = entry["kind"],
      let kind = HDF5Object.Kind(rawValue: word)
    else { throw unsound("an object has no path or kind") }
    var object = HDF5Object(path, kind)
    if case .string(let target)? = entry["target"] { object.target = target }
    if case .array(let attributes)? = entry["attributes"] {
      for case .object(let attribute) in attributes { object.attributes.append(try self.attribute(attribute)) }
    }
    if kind == .dataset { object.dataset = try dataset(entry, path) }
    return object
  }

  private func attribute(_ entry: [String: JSON]) throws(Diagnostic) -> HDF5Attribute {
    guard case .string(let name)? = entry["name"], case .string(let type)? = entry["type"] else {
      throw unsound("an attribute has no name or type")
    }
    var value: HDF5Attribute.Value?
    if case .array(let items)? = entry["value"] {
      let (integers, numbers) = (items.compactMap(ExtractionReader.integer), items.compactMap(ExtractionReader.number))
      let strings = items.compactMap(ExtractionReader.string)
      if type == "string", strings.count == items.count {
        value = .strings(strings)
      } else if !type.hasPrefix("float"), integers.count == items.count {
        value = .integers(integers)
      } else if numbers.count == items.count {
        value = .numbers(numbers)
      } else {
        throw unsound("attribute '\(name)' has elements of several kinds")
      }
    }
    return HDF5Attribute(name: name, type: type, shape: try shape(entry["shape"]), value: value)
  }

  private static func integer(_ item: JSON) -> Int? { if case .integer(let value) = item { value } else { nil } }
  private static func string(_ item: JSON) -> String? { if case .string(let value) = item { value } else { nil } }
  /// Infinities and NaN are strings.
  private static func number(_ item: JSON) -> Double? {
    switch item {
    case .number(let value): value
    case .integer(let value): Double(value)
    case .string(let text): Double(text)
    default: nil
    }
  }

  private func shape(_ item: JSON?) throws(Diagnostic) -> [Int]? {
    guard case .array(let items)? = item else { return nil }
    let shape = items.compactMap(ExtractionReader.integer)
    guard shape.count == items.count, let count = shape.checkedProduct, count <= maximumTensorBytes else {
      throw unsound("a shape is none")
    }
    return shape
  }

  private func dataset(_ entry: [String: JSON], _ path: String) throws(Diagnostic) -> HDF5Dataset {
    guard case .string(let type)? = entry["type"], case .string(let storage)? = entry["storage"],
      case .array(let filters)? = entry["filters"]
    else { throw unsound("dataset '\(path)' is not described") }
    var dataset = HDF5Dataset(
      type: type,
      shape: try shape(entry["shape"]),
      storage: storage,
      filters: filters.compactMap(ExtractionReader.string)
    )
    guard case .string(let place)? = entry["source"] else { return dataset }
    guard case .string(let name)? = entry["dtype"], let dtype = DType(rawValue: name), dtype.bitWidth >= 8,
      case .integer(let offset)? = entry["offset"], case .integer(let length)? = entry["length"],
      let shape = dataset.shape, ["file", "extraction"].contains(place)
    else { throw unsound("the elements of dataset '\(path)' are not described") }
    let home = place == "file" ? source : extraction
    guard offset >= 0, length >= 0, offset <= home.bytes.count, length <= home.bytes.count - offset else {
      throw Diagnostic("hdf5.damaged", "the elements of '\(path)' lie behind the end of the file; it may be cut short")
    }
    guard let tensor = Tensor(dtype, shape, storage: home, range: offset..<offset + length) else {
      throw unsound("the elements of dataset '\(path)' are not as many as its shape says")
    }
    dataset.tensor = tensor
    return dataset
  }
}
