import Foundation
import MLCCore
import MLCImportONNX
import ONNXProto
import SwiftProtobuf
import Testing

/// Every ONNX operator on inputs of every element type, few and many, under early and late operator sets: imported or
/// refused.
@Suite struct ONNXElementTypeTests {
  @Test func operatorsTakeOrRefuseEveryElementType() throws {
    // float, uint8, int32, int64, string, bool, float16, double, bfloat16, float8e4m3fn, float4e2m1, float8e8m0, int2.
    let types: [Int32] = [1, 2, 6, 7, 8, 9, 10, 11, 16, 17, 23, 24, 26]
    let attributes = [
      [], [ONNXModels.attribute("axis", 0), ONNXModels.attribute("mode", "constant"), Self.number("alpha", 2)],
      [ONNXModels.attribute("pads", [1, 1, 1, 1]), ONNXModels.attribute("axes", [0]), Self.number("beta", 3)],
    ]
    var (taken, refused, bugs) = (0, 0, [Diagnostic]())
    for rule in ONNXOperatorTable.rules {
      for type in rule.types {
        for (elements, attributes) in types.flatMap({ type in attributes.map { (type, $0) } }) {
          let forms = [(1, 1), (2, 6), (1, 7), (2, 9), (1, 13), (2, 11), (3, 13), (3, 17), (4, 18), (5, 18), (3, 27)]
          for (count, opset) in forms {
            do {
              try ONNXModels.read(Self.model(type, rule.domain, elements, count, opset, attributes))
              taken += 1
            } catch let error as Diagnostic {
              refused += 1
              if error.kind == .bug { bugs.append(error) }
            }
          }
        }
      }
    }
    #expect(bugs.isEmpty, "\(bugs.prefix(10))")
    #expect(taken > 1000 && refused > 1000, "\(taken) taken, \(refused) refused")
  }

  /// A node may have no outputs at all.
  @Test func operatorsWithoutOutputsAreNoTrap() throws {
    for rule in ONNXOperatorTable.rules {
      for type in rule.types {
        for attributes in [[], [Self.number("value_float", 1)]] {
          var model = Self.model(type, rule.domain, 1, 1, 17, attributes)
          model.graph.node[0].output = []
          let error = #expect(throws: Diagnostic.self) { try ONNXModels.read(model) }
          #expect(error?.kind != .bug, "\(type): \(error!)")
        }
      }
    }
  }

  private static func number(_ name: String, _ value: Float) -> Onnx_AttributeProto {
    .with { ($0.name, $0.type, $0.f) = (name, .float, value) }
  }

  /// The last input is a vector, as amounts and axes are.
  private static func model(
    _ type: String,
    _ domain: String,
    _ elements: Int32,
    _ count: Int,
    _ opset: Int,
    _ attributes: [Onnx_AttributeProto]
  ) -> Onnx_ModelProto {
    let names = (0..<count).map { "x\($0)" }
    var node = ONNXModels.node(type, names, attributes)
    (node.domain, node.output) = (domain, count % 2 == 0 ? ["y"] : ["y", "z"])
    let inputs = names.enumerated().map { ($1, $0 > 0 && $0 == count - 1 ? [4] : [2, 2]) }
    var model = ONNXModels.model([node], inputs: inputs, opset: opset)
    if !domain.isEmpty {
      model.opsetImport.append(
        .with {
          $0.domain = domain
          $0.version = 1
        }
      )
    }
    for place in model.graph.input.indices { model.graph.input[place].type.tensorType.elemType = elements }
    return model
  }
}
