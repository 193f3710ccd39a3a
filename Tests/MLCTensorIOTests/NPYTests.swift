import MLCCore
import MLCTensorIO
import Testing

@Suite struct NPYTests {
  static let codes: [(code: String, dtype: DType)] = [
    ("f2", .float16), ("f4", .float32), ("f8", .float64), ("i1", .int8), ("i2", .int16), ("i4", .int32),
    ("i8", .int64), ("u1", .uint8), ("u2", .uint16), ("u4", .uint32), ("u8", .uint64),
  ]

  @Test func readsEveryTypeInBothByteOrders() throws {
    for (code, dtype) in NPYTests.codes {
      for order in ["le", "be"] {
        let tensor = try NPY.read(fixture("\(code)_\(order).npy"))
        #expect(tensor == Tensor(dtype, [2, 3], [0, 1, 2, 3, 4, 5]), "\(code) \(order)")
      }
    }
  }

  @Test func readsBoolScalarEmptyAndFortranOrder() throws {
    #expect(try NPY.read(fixture("bool.npy")) == Tensor(.bool, [3], [1, 0, 1]))
    #expect(try NPY.read(fixture("scalar.npy")) == Tensor(.float32, [], [2.5]))
    #expect(try NPY.read(fixture("empty.npy")) == Tensor(.float32, [0, 3], [Double]()))
    #expect(try NPY.read(fixture("fortran.npy")) == Tensor(.int32, [2, 3, 4], Array(0..<24)))
  }

  @Test func readsVersionsTwoAndThree() throws {
    for version in [2, 3] {
      #expect(try NPY.read(fixture("version\(version).npy")) == Tensor(.int16, [4], [0, 1, 2, 3]))
    }
  }

  @Test func boolBytesBecomeZeroOrOne() throws {
    var bytes = try fixtureBytes("bool.npy")
    bytes[bytes.count - 1] = 7
    #expect(try NPY.decode(storage(bytes)) == Tensor(.bool, [3], [1, 0, 1]))
  }

  private func file(_ header: String, _ elements: [UInt8]) -> [UInt8] {
    let magic: [UInt8] = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]
    return magic + [UInt8(header.utf8.count & 0xff), UInt8(header.utf8.count >> 8)] + Array(header.utf8) + elements
  }

  @Test func readsAndWritesTexts() throws {
    #expect(try NPY.read(fixture("text.npy")) == Tensor([2], strings: ["a", "bc"]))
    for texts in [["", "ü€😀", "a b"], ["", "", ""], ["e\u{301}", "\u{e9}", "x\0y"]] {
      let tensor = Tensor([3, 1], strings: texts)
      #expect(try NPY.decode(try NPY.encode(tensor)) == tensor)
    }
    let empty = Tensor([0, 2], strings: [])
    #expect(try NPY.decode(try NPY.encode(empty)) == empty)
  }

  @Test func readsTextsOfOtherOrders() throws {
    let bytes = "adcb".utf8.flatMap { byte -> [UInt8] in [0, 0, 0, byte] }
    let file = file("{'descr': '>U1', 'fortran_order': True, 'shape': (2, 2)}", bytes)
    #expect(try NPY.decode(storage(file)) == Tensor([2, 2], strings: ["a", "c", "d", "b"]))
  }

  @Test func refusesWhatIsNoText() throws {
    let file = file("{'descr': '<U1', 'fortran_order': False, 'shape': (1,)}", [0, 0xd8, 0, 0])
    #expect(diagnosticID { () throws(Diagnostic) in _ = try NPY.decode(storage(file)) } == "npy.text")
  }

  @Test func refusesWhatIsNoNumber() throws {
    for (name, id) in [
      ("object.npy", "npy.object"), ("complex.npy", "npy.dtype"), ("record.npy", "npy.dtype"),
    ] {
      #expect(diagnosticID { () throws(Diagnostic) in _ = try NPY.read(fixture(name)) } == id, "\(name)")
    }
  }

  @Test func refusesMalformedHeaders() {
    let cases: [(header: String, id: String)] = [
      ("", "npy.header"),
      ("{}", "npy.header"),
      ("{'descr': '<f4', 'fortran_order': False}", "npy.header"),
      ("{'descr': '<f4', 'fortran_order': 0, 'shape': ()}", "npy.header"),
      ("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}", "npy.header"),
      ("{'descr': '<f4', 'fortran_order': False, 'shape': ()} x", "npy.header"),
      ("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "npy.header"),
      ("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "npy.shape"),
      ("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}", "npy.shape"),
      ("{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,)}", "npy.shape"),
      ("{'descr': '<f4', 'fortran_order': False, 'shape': (\(String(repeating: "1,", count: 65)))}", "npy.shape"),
      ("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "npy.length"),
      ("{'descr': '<f4', 'fortran_order': False, 'shape': (0,)}", "npy.length"),
      ("{'descr': '|O', 'fortran_order': False, 'shape': ()}", "npy.object"),
      ("{'descr': '', 'fortran_order': False, 'shape': ()}", "npy.dtype"),
      ("{'descr': '<U0', 'fortran_order': False, 'shape': (1099511627776,)}", "npy.dtype"),
    ]
    for (header, id) in cases {
      // Four bytes of elements: one float32.
      let file = storage(file(header, [0, 0, 0, 0]))
      #expect(diagnosticID { () throws(Diagnostic) in _ = try NPY.decode(file) } == id, "\(header)")
    }
  }

  @Test func everyPrefixIsRefusedAndNoChangeTraps() throws {
    for name in ["f4_le.npy", "fortran.npy", "version3.npy"] {
      let bytes = try fixtureBytes(name)
      for (index, mutation) in mutations(of: bytes, flips: 2000).enumerated() {
        let id = diagnosticID { () throws(Diagnostic) in _ = try NPY.decode(storage(mutation)) }
        if index < bytes.count { #expect(id != nil, "\(name) cut to \(index) bytes") }
        if let id { #expect(id.hasPrefix("npy.")) }
      }
    }
  }

  @Test func roundTripsEveryType() throws {
    for (_, dtype) in NPYTests.codes + [("b1", .bool)] {
      for shape in [[], [1], [0, 3], [2, 3, 4]] {
        let tensor = Tensor(dtype, shape, (0..<shape.reduce(1, *)).map { Double($0 % 100) })
        #expect(try NPY.decode(NPY.encode(tensor)) == tensor)
      }
    }
    let specials = Tensor(.float32, [4], [Double.nan, .infinity, -.infinity, -0.0])
    #expect(try NPY.decode(NPY.encode(specials)) == specials)
  }

  @Test func elementsStartAlignedInWrittenFiles() throws {
    for rank in 0..<12 {
      let tensor = Tensor(.float32, [Int](repeating: 1, count: rank), [1.0])
      let file = try NPY.encode(tensor)
      #expect(file.bytes.count % 64 == 4)
    }
  }

  @Test func narrowTypesAreWrittenAsBytes() throws {
    let numbers = try NPY.decode(try NPY.encode(Tensor(.int4, [3], [-8, 7, -1])))
    #expect(numbers == Tensor(.int8, [3], [-8, 7, -1]))
    #expect(try NPY.decode(try NPY.encode(Tensor(.uint2, [3], [3, 0, 2]))) == Tensor(.uint8, [3], [3, 0, 2]))
    for dtype in [DType.float8e4m3fn, .float8e8m0, .float4e2m1] {
      let written = try NPY.decode(try NPY.encode(Tensor(dtype, [3], codes: [1, 7, 10])))
      #expect(written == Tensor(.uint8, [3], [1, 7, 10]))
    }
  }

  @Test func refusesToWriteTypesWithoutCounterpart() {
    let tensor = Tensor(.bfloat16, [1], [1.0])
    #expect(diagnosticID { () throws(Diagnostic) in _ = try NPY.encode(tensor) } == "npy.dtype")
  }
}
