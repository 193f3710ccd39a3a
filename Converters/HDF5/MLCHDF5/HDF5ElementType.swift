import CHDF5
import MLCCore

/// The elements of a dataset or an attribute, seen through libhdf5. Used in the child process only.
struct HDF5ElementType {
  /// In words: `float32`, `int8`, `string`, `compound` …
  let name: String
  /// What tensors hold of it, `nil` for none.
  let dtype: DType?
  /// Elements in the file are this machine's, bit for bit.
  let isNative: Bool
  private let fileType: hid_t

  /// `fileType` outlives this.
  init(_ fileType: hid_t) {
    self.fileType = fileType
    let (size, little) = (H5Tget_size(fileType), mlc_h5_is_little_endian(fileType) > 0)
    let whole = H5Tget_precision(fileType) == 8 * size
    switch Int(mlc_h5_class(fileType)) {
    case mlc_h5_float:
      let format = mlc_h5_float_format(fileType)
      let dtypes: [Int: DType] = format == 2 ? [2: .bfloat16] : [2: .float16, 4: .float32, 8: .float64]
      name = format == 2 ? "bfloat16" : "float\(8 * size)"
      isNative = little && format != 0
      // What is not ours bit for bit is converted to the next wider type of this machine.
      dtype = isNative ? dtypes[size] : size <= 4 ? .float32 : size == 8 ? .float64 : nil
    case mlc_h5_integer:
      let signed = mlc_h5_is_signed(fileType) != 0
      name = (signed ? "int" : "uint") + "\(8 * size)"
      dtype = DType(rawValue: name).flatMap { $0.isPacked ? nil : $0 }
      isNative = whole && (little || size == 1)
    case mlc_h5_enumeration:
      let isBool = size == 1 && HDF5ElementType.isBoolean(fileType)
      (name, dtype, isNative) = (isBool ? "bool" : "enum", isBool ? .bool : nil, isBool)
    case mlc_h5_string: (name, dtype, isNative) = ("string", nil, false)
    case mlc_h5_compound: (name, dtype, isNative) = ("compound", nil, false)
    default: (name, dtype, isNative) = ("other", nil, false)
    }
  }

  /// The type to read elements as; `nil` when there is none.
  var memoryType: hid_t? {
    guard let dtype else { return nil }
    if isNative { return fileType }
    let native = mlc_h5_native(dtype.isFloat ? 1 : 0, dtype.bitWidth / 8, dtype.isSigned ? 1 : 0)
    return native < 0 ? nil : native
  }

  /// h5py's spelling of booleans: FALSE is 0, TRUE is 1.
  private static func isBoolean(_ type: hid_t) -> Bool {
    guard H5Tget_nmembers(type) == 2 else { return false }
    return [(UInt8(0), "FALSE"), (1, "TRUE")].allSatisfy { value, expected in
      var (value, name) = (value, [CChar](repeating: 0, count: 16))
      guard H5Tenum_nameof(type, &value, &name, name.count) >= 0 else { return false }
      return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) == expected
    }
  }
}

/// An identifier of libhdf5, given back at the end.
struct HDF5Handle: ~Copyable {
  let id: hid_t

  /// Throws `hdf5.damaged` when `id` is none: `what` could not be opened.
  init(_ id: hid_t, _ what: @autoclosure () -> String) throws(Diagnostic) {
    guard id >= 0 else { throw Diagnostic.damaged(what()) }
    self.id = id
  }
  deinit { H5Idec_ref(id) }
}

extension Diagnostic {
  static func damaged(_ what: String) -> Diagnostic {
    Diagnostic("hdf5.damaged", "\(what) cannot be read; the file is damaged or cut off, or no HDF5 file")
  }
  static func limit(_ what: String) -> Diagnostic { Diagnostic("hdf5.limit", what) }
}
