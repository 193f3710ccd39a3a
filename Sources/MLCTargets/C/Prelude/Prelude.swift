import MLCCore
import MLCKernels

/// The C that stands before the kernels of every generated file.
///
/// It depends on the device only through `VL`, the float32 lanes of a vector; everything else follows from the macros
/// that the compiler predefines for the instruction set.
///
/// - `V`, `VI`: `VL` float32 and int32 lanes, and `VU`, `VIU` the same at any address. A vector of truth values is a
///   `VI` of 0 and −1.
/// - `VD`, `VQ`: `VL` doubles and int64, and `VDU`, `VQU` the same at any address.
/// - `mlc_*_f32`, `mlc_*_v`: one function on one float and on one vector; the two give equal bits where both are
///   polynomials. `mlc_*_f64` are libm's.
package enum Prelude {
  /// All of it.
  package static func text(for device: DeviceDescription) -> String {
    [head(device), definitions].joined(separator: "\n")
  }

  /// What `sources` name of it, and what that names in turn: most of it would be read by the C compiler for nothing.
  package static func text(for device: DeviceDescription, of sources: [String]) -> String {
    [head(device), pieces.named(in: sources)].joined(separator: "\n")
  }

  private static func head(_ device: DeviceDescription) -> String {
    """
    \(abi)
    #define VL \(device.lanes)
    \(device.factors == .bfloat16 ? "#define MLC_ROUNDS_FACTORS" : "")
    """
  }

  /// The same for all devices.
  private static let definitions: String = {
    func both(_ templates: String...) -> String {
      templates.flatMap { [instantiate($0, vector: false), instantiate($0, vector: true)] }.joined(separator: "\n")
    }
    return """
      \(vectors)
      \(halves)
      \(codes)
      \(both(select))
      \(instantiate(scaling, vector: false))
      #if VL == 16 && defined(__AVX512F__)
      \(scalingInstruction)
      #else
      \(instantiate(scaling, vector: true))
      #endif
      \(both(math))
      \(smallFloats(vector: false))
      \(smallFloats(vector: true))
      \(smallFloatElements)
      \(libm)
      \(both(inverses))
      \(integers)
      \(integerFunctions)
      \(bytes)
      \(pairs)
      \(halfSums)
      \(tiles)
      \(wide)
      \(remainders)
      \(gathers)
      \(both(trigonometry))
      \(farTrigonometry)
      \(both(powers))
      \(memory)
      """
  }()

  private static let pieces = CDefinitions(definitions)

  /// Templates use `@F`, `@I`, `@D`, `@Q` for the types, `@(x)` for a constant and the suffix `@_`.
  static func instantiate(_ template: String, vector: Bool) -> String {
    var text = ""
    var rest = Substring(template)
    while let mark = rest.firstIndex(of: "@") {
      text += rest[..<mark]
      let code = rest.index(after: mark)
      switch rest[code] {
      case "F": text += vector ? "V" : "float"
      case "I": text += vector ? "VI" : "int32_t"
      case "D": text += vector ? "VD" : "double"
      case "Q": text += vector ? "VQ" : "int64_t"
      case "_": text += vector ? "v" : "f32"
      case "(": text += vector ? "SPLAT(" : "("
      default: preconditionFailure("unknown mark in a prelude template")
      }
      rest = rest[rest.index(after: code)...]
    }
    return text + rest
  }
}
