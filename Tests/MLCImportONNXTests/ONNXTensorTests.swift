import Foundation
import MLCCore
import MLCImportONNX
import ONNXProto
import SwiftProtobuf
import Testing

@Suite struct ONNXTensorTests {
  /// What `Fixtures/make.py` puts into a tensor of this type.
  private func expected(_ dtype: DType, _ count: Int) -> [Double] {
    (0..<count).map { index in
      switch dtype {
      case .bool: Double(index % 2)
      case .int2: Double(index % 4 - 2)
      case .uint2: Double(index % 4)
      case .float4e2m1: Double(index % 5 - 2)
      case .float8e8m0: Double(1 << (index % 5))
      default: Double(index * 5 % 13 - (dtype.isSigned ? 6 : 0))
      }
    }
  }

  @Test(arguments: ["tensors_small.onnx", "tensors_large.onnx"])
  func readsEveryTypeInBothEncodings(file: String) throws {
    let graph = try ONNXReader.read(fixture(file)).graph
    let count = file.contains("small") ? 5 : 2049
    let types: [(String, DType)] = [
      ("float32", .float32), ("float64", .float64), ("float16", .float16), ("bfloat16", .bfloat16), ("int8", .int8),
      ("int16", .int16), ("int32", .int32), ("int64", .int64), ("uint8", .uint8), ("uint16", .uint16),
      ("uint32", .uint32), ("uint64", .uint64), ("bool", .bool), ("int4", .int4), ("uint4", .uint4),
      ("int2", .int2), ("uint2", .uint2), ("float8e4m3fn", .float8e4m3fn), ("float8e4m3fnuz", .float8e4m3fnuz),
      ("float8e5m2", .float8e5m2), ("float8e5m2fnuz", .float8e5m2fnuz), ("float8e8m0", .float8e8m0),
      ("float4e2m1", .float4e2m1),
    ]
    for (name, dtype) in types {
      for encoding in ["raw", "typed"] {
        let tensor = try #require(graph.initializers["\(name)_\(encoding)_\(count)"])
        #expect(tensor.dtype == dtype && tensor.shape == [count])
        #expect(tensor.doubles == expected(dtype, count), "\(name) \(encoding)")
      }
    }
  }

  @Test func readsStringsScalarsAndEmptyTensors() throws {
    let graph = try ONNXReader.read(fixture("tensors_small.onnx")).graph
    #expect(graph.initializers["strings"] == Tensor([2], strings: ["alpha", "bêta"]))
    #expect(graph.initializers["scalar"] == Tensor([], floats: [2.5]))
    #expect(graph.initializers["empty"]?.shape == [0, 3])
    #expect(graph.initializerNames.suffix(3) == ["strings", "scalar", "empty"])
  }

  @Test func leavesLargeElementsInTheFile() throws {
    let file = try MappedFile(path: fixture("tensors_large.onnx"))
    let graph = try ONNXReader.read(file.storage, name: "large").graph
    for name in ["float32_raw_2049", "float32_typed_2049", "float64_typed_2049", "uint8_raw_2049"] {
      let start = try #require(graph.initializers[name]).withBytes { Int(bitPattern: $0.baseAddress) }
      let base = Int(bitPattern: file.bytes.baseAddress)
      #expect((base..<base + file.bytes.count).contains(start), "\(name) was copied")
    }
  }

  @Test func refusesWhatCannotBe() throws {
    func reading(_ change: (inout Onnx_TensorProto) -> Void) -> () throws -> Void {
      var tensor = floats("w", [2], [1, 2])
      change(&tensor)
      let proto = model(initializers: [tensor])
      return { _ = try read(proto) }
    }
    expectDiagnostic("onnx.tensor-size", reading { $0.dims = [3] })
    expectDiagnostic("onnx.tensor-size", reading { $0.floatData = [] })
    expectDiagnostic(
      "onnx.tensor-size",
      reading {
        $0.dims = [1 << 30]
        $0.floatData = [1]
      }
    )
    expectDiagnostic("onnx.tensor-shape", reading { $0.dims = [-1] })
    expectDiagnostic("onnx.tensor-shape", reading { $0.dims = [1 << 32, 1 << 32] })
    expectDiagnostic("onnx.tensor-shape", reading { $0.dims = [Int64.max] })
    expectDiagnostic("onnx.tensor-shape", reading { $0.dims = [Int64](repeating: 1, count: 65) })
    expectDiagnostic("onnx.tensor-data", reading { $0.rawData = Data(count: 8) })
    expectDiagnostic("onnx.tensor-data", reading { $0.dataType = 7 })
    expectDiagnostic("onnx.tensor-segment", reading { $0.segment = .with { $0.begin = 0 } })
    let float6 = expectDiagnostic("onnx.tensor-type", reading { $0.dataType = 27 })
    #expect(float6?.message.contains("'w'") == true && float6?.message.contains("float6e2m3") == true)
    expectDiagnostic("onnx.tensor-type", reading { $0.dataType = 0 })
    expectDiagnostic("onnx.string") {
      _ = try read(
        model(initializers: [
          .with {
            $0.name = "s"
            $0.dataType = 8
            $0.dims = [1]
            $0.stringData = [Data([0xff])]
          }
        ])
      )
    }
  }

  @Test func refusesLargePayloadsThatDoNotFit() throws {
    let large = [Float](repeating: 1, count: 1000)
    expectDiagnostic("onnx.tensor-size") { _ = try read(model(initializers: [floats("w", [999], large)])) }
    expectDiagnostic("onnx.tensor-data") {
      var tensor = floats("w", [1000], large)
      tensor.rawData = Data(count: 4000)
      _ = try read(model(initializers: [tensor]))
    }
    expectDiagnostic("onnx.tensor-size") {
      let tensor = Onnx_TensorProto.with {
        $0.name = "w"
        $0.dataType = 6
        $0.dims = [2000]
        $0.int32Data = [Int32](repeating: 7, count: 1999)
      }
      _ = try read(model(initializers: [tensor]))
    }
  }

  @Test func makesBooleansZeroOrOne() throws {
    let tensor = Onnx_TensorProto.with {
      $0.name = "b"
      $0.dataType = 9
      $0.dims = [3]
      $0.rawData = Data([0, 2, 255])
    }
    let result = try read(model(initializers: [tensor])).graph.initializers["b"]
    #expect(result?.withBytes { Array($0) } == [0, 1, 1])
  }

  @Test func expandsSparseTensors() throws {
    func sparse(_ indices: [Int64], _ indexDims: [Int64], _ dims: [Int64]) -> Onnx_ModelProto {
      var proto = model()
      let positions = Onnx_TensorProto.with {
        $0.dataType = 7
        $0.dims = indexDims
        $0.int64Data = indices
      }
      proto.graph.sparseInitializer = [
        .with {
          $0.values = floats("w", [2], [3, 4])
          $0.indices = positions
          $0.dims = dims
        }
      ]
      return proto
    }
    let expected = Tensor([2, 2], floats: [0, 3, 4, 0])
    #expect(try read(sparse([1, 2], [2], [2, 2])).graph.initializers["w"] == expected)
    #expect(try read(sparse([0, 1, 1, 0], [2, 2], [2, 2])).graph.initializers["w"] == expected)
    expectDiagnostic("onnx.sparse-tensor") { _ = try read(sparse([1, 4], [2], [2, 2])) }
    expectDiagnostic("onnx.sparse-tensor") { _ = try read(sparse([0, 1, 2, 0], [2, 2], [2, 2])) }
    expectDiagnostic("onnx.sparse-tensor") { _ = try read(sparse([1], [1], [2, 2])) }
    expectDiagnostic("onnx.sparse-tensor") { _ = try read(sparse([1, 2], [2], [1 << 30])) }
    var many = sparse([1, 2], [2], [1 << 25])
    #expect(throws: Never.self) { _ = try read(many) }
    for index in 0..<2 {
      var another = many.graph.sparseInitializer[0]
      another.values.name = "w\(index)"
      many.graph.sparseInitializer.append(another)
    }
    expectDiagnostic("onnx.sparse-tensor") { _ = try read(many) }
  }
}
