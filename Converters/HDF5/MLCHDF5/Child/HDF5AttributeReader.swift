import CHDF5
import MLCCore

/// Reads one attribute.
struct HDF5AttributeReader {
  /// All attributes of a file together.
  static let maximumBytes = 48 << 20
  /// Longer lists of numbers have no value.
  static let maximumNumbers = 4096

  private let id: hid_t
  private let owner: String

  init(_ id: hid_t, of owner: String) { (self.id, self.owner) = (id, owner) }

  /// The attribute as the directory spells it; what it takes is added to `budget`.
  func json(budget: inout Int) throws(Diagnostic) -> JSON {
    var buffer = [CChar](repeating: 0, count: HDF5Walker.maximumNameLength + 1)
    let length = H5Aget_name(id, buffer.count, &buffer)
    guard (0...HDF5Walker.maximumNameLength).contains(length) else { throw damaged("a name") }
    let name = String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let type = try HDF5Handle(H5Aget_type(id), "the type of attribute '\(name)' of '\(owner)'")
    let space = try HDF5Handle(H5Aget_space(id), "the shape of attribute '\(name)' of '\(owner)'")
    let shape = try hdf5Shape(space.id, of: "\(owner)@\(name)")
    let element = HDF5ElementType(type.id)
    let count = shape.map { $0.reduce(1, *) } ?? 0
    let size = H5Tget_size(type.id).multipliedReportingOverflow(by: count)
    budget = size.overflow ? Int.max : budget.addingReportingOverflow(size.partialValue + 64 + length).partialValue
    guard (0...HDF5AttributeReader.maximumBytes).contains(budget) else {
      throw Diagnostic.limit("the file's attributes take more than \(HDF5AttributeReader.maximumBytes) bytes")
    }
    var value = JSON.null
    if element.name == "string" {
      value = try strings(type.id, space.id, count, budget: &budget)
    } else if let memoryType = element.memoryType, let dtype = element.dtype, let shape,
      count <= HDF5AttributeReader.maximumNumbers
    {
      value = try numbers(memoryType, dtype, shape)
    }
    return .object([
      "name": .string(name), "type": .string(element.name), "value": value,
      "shape": shape.map { .array($0.map { .integer($0) }) } ?? .null,
    ])
  }

  private func damaged(_ what: String) -> Diagnostic { Diagnostic.damaged("\(what) of an attribute of '\(owner)'") }

  private func numbers(_ memoryType: hid_t, _ dtype: DType, _ shape: [Int]) throws(Diagnostic) -> JSON {
    var status: Int32 = 0
    let storage = Storage(byteCount: dtype.byteCount(shape.reduce(1, *)) ?? 0) {
      if !$0.isEmpty { status = H5Aread(id, memoryType, $0.baseAddress) }
    }
    guard status >= 0, let tensor = Tensor(dtype, shape, storage: storage) else { throw damaged("the value") }
    if dtype.isFloat { return .array(tensor.doubles.map { $0.isFinite ? .number($0) : .string("\($0)") }) }
    return .array(tensor.integers.map { .integer($0) })
  }

  private func strings(_ type: hid_t, _ space: hid_t, _ count: Int, budget: inout Int) throws(Diagnostic) -> JSON {
    if count == 0 { return .array([]) }
    let isVariable = H5Tis_variable_str(type)
    guard isVariable >= 0 else { throw damaged("the type") }
    return isVariable > 0 ? try variable(type, space, count, budget: &budget) : try fixed(type, count)
  }

  private func fixed(_ type: hid_t, _ count: Int) throws(Diagnostic) -> JSON {
    let size = H5Tget_size(type)
    var bytes = [UInt8](repeating: 0, count: size * count)
    guard H5Aread(id, type, &bytes) >= 0 else { throw damaged("the value") }
    return .array(
      (0..<count).map { index in
        var text = bytes[index * size..<(index + 1) * size].prefix { $0 != 0 }
        while text.last == UInt8(ascii: " ") { text.removeLast() }
        return .string(String(decoding: text, as: UTF8.self))
      }
    )
  }

  private func variable(
    _ type: hid_t,
    _ space: hid_t,
    _ count: Int,
    budget: inout Int
  ) throws(Diagnostic) -> JSON {
    let memoryType = try HDF5Handle(mlc_h5_variable_string(type), "the type of an attribute of '\(owner)'")
    var pointers = [UnsafeMutablePointer<CChar>?](repeating: nil, count: count)
    guard H5Aread(id, memoryType.id, &pointers) >= 0 else { throw damaged("the value") }
    defer { mlc_h5_free_strings(memoryType.id, space, &pointers) }
    var strings: [JSON] = []
    for pointer in pointers {
      let text = pointer.map { String(cString: $0) } ?? ""
      budget += text.utf8.count
      guard budget <= HDF5AttributeReader.maximumBytes else {
        throw Diagnostic.limit("the file's attributes take more than \(HDF5AttributeReader.maximumBytes) bytes")
      }
      strings.append(.string(text))
    }
    return .array(strings)
  }
}
