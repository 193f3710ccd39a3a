import MLCCore
import MLCHDF5
import Testing

@Suite struct HDF5FileTests {
  private static let ramp = [0.0, 1, 2, 3, 4, 5]

  @Test func elementsOfEveryType() throws {
    let file = try Fixture.read("types.h5")
    let types: [String: DType] = [
      "float16": .float16, "float32": .float32, "float64": .float64, "int8": .int8, "int16": .int16, "int32": .int32,
      "int64": .int64, "uint8": .uint8, "uint16": .uint16, "uint32": .uint32, "uint64": .uint64,
      "float16_big": .float32, "float32_big": .float32, "int32_big": .int32,
    ]
    for (name, dtype) in types {
      let tensor = try #require(file["/types/\(name)"]?.dataset?.tensor, "\(name)")
      #expect(tensor.type == TensorType(dtype, [2, 3]), "\(name)")
      #expect(tensor.doubles == Self.ramp, "\(name)")
    }
    #expect(file["/types/bool"]?.dataset?.tensor == Tensor(.bool, [3], [1, 0, 1]))
    for name in ["compound", "text"] {
      #expect(file["/types/\(name)"]?.dataset != nil)
      #expect(file["/types/\(name)"]?.dataset?.tensor == nil)
    }
  }

  @Test func everyStorage() throws {
    let file = try Fixture.read("types.h5")
    #expect(file["/scalar"]?.dataset?.tensor == Tensor.scalar(.float32, 2.5))
    #expect(file["/empty"]?.dataset?.tensor?.shape == [0, 3])
    #expect(file["/null"]?.dataset?.shape == nil)
    #expect(file["/null"]?.dataset?.tensor == nil)
    let chunked = try #require(file["/chunked"]?.dataset)
    #expect(chunked.storage == "chunked")
    #expect(chunked.filters == ["shuffle", "gzip"])
    #expect(chunked.tensor?.doubles == (0..<100).map { Double($0) })
    #expect(file["/never_written"]?.dataset?.tensor?.doubles == [3, 3, 3, 3])
    let behind = try Fixture.read("user_block.h5")
    #expect(behind["/data"]?.dataset?.tensor?.doubles == [0, 1, 2, 3])
  }

  @Test func structureAlone() throws {
    let file = try Fixture.read("types.h5", data: false)
    #expect(file["/types/float16"]?.dataset?.type == "float16")
    #expect(file["/types/float16"]?.dataset?.shape == [2, 3])
    #expect(file["/types/float16"]?.dataset?.tensor == nil)
    #expect(file.members(of: "/") == ["chunked", "empty", "never_written", "null", "scalar", "types"])
  }

  @Test func attributes() throws {
    let group = try #require(try Fixture.read("attributes.h5")["/group"])
    #expect(group[attribute: "variable"]?.string == "größer")
    #expect(group[attribute: "fixed"]?.string == "fixed")
    #expect(group[attribute: "names"]?.strings == ["kernel:0", "bias:0"])
    #expect(group[attribute: "variable_names"]?.strings == ["a", "bc"])
    #expect(group[attribute: "no_names"]?.strings == [])
    #expect(group[attribute: "number"]?.value == .numbers([1.5]))
    #expect(group[attribute: "numbers"]?.value == .integers([1, 2, 3, 4]))
    #expect(group[attribute: "numbers"]?.shape == [2, 2])
    #expect(group[attribute: "infinite"]?.value == .numbers([.infinity]))
    #expect(group[attribute: "flag"]?.value == .integers([1]))
    #expect(group[attribute: "pair"]?.type == "compound")
    #expect(group[attribute: "pair"]?.value == nil)
    #expect(group[attribute: "nothing"]?.shape == nil)
  }

  /// Nothing outside of the file is opened, and a group within itself ends.
  @Test func linksStayInTheFile() throws {
    let file = try Fixture.read("links.h5")
    #expect(file["/again"]?.dataset?.tensor?.doubles == [1, 1, 1])
    #expect(file["/data"]?.kind == .link)
    #expect(file["/data"]?.target == "/again")
    #expect(file["/soft"]?.kind == .link)
    #expect(file["/elsewhere"]?.kind == .link)
    #expect(file["/group/up"]?.target == "/")
    #expect(file["/outside"]?.dataset?.storage == "external")
    #expect(file["/outside"]?.dataset?.tensor == nil)
    #expect(file["/virtual"]?.dataset?.storage == "virtual")
    #expect(file["/virtual"]?.dataset?.tensor == nil)
  }
}
