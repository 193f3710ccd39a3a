import MLCCore

/// The weights file, version 2: a header of 64 bytes, then for each constant a record of 64 bytes and its elements,
/// both at multiples of 64. All integers little-endian.
///
/// Header: u32 count, u32 version. Record: u32 sentinel, u32 element type, u64 bytes, u64 offset of the elements,
/// u64 bits that pad the last byte.
enum BlobFile {
  static let alignment = 64
  static let version: UInt32 = 2
  static let sentinel: UInt32 = 0xdead_beef

  private static let codes: [(DType, UInt32)] = [
    (.float16, 1), (.float32, 2), (.uint8, 3), (.int8, 4), (.bfloat16, 5), (.int16, 6), (.uint16, 7), (.int4, 8),
    (.uint1, 9), (.uint2, 10), (.uint4, 11), (.uint3, 12), (.uint6, 13), (.int32, 14), (.uint32, 15),
  ]

  /// The element type's number; `nil` for a type that the file has no number for.
  static func code(_ dtype: DType) -> UInt32? { codes.first { $0.0 == dtype }?.1 }
}
