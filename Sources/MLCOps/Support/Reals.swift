import MLCCore

/// The elements of a floating-point tensor, read as doubles where they lie.
enum Reals {
  case float(UnsafeBufferPointer<Float>)
  case double(UnsafeBufferPointer<Double>)

  /// Copies `lanes` (at most four) strided runs of `depth` elements side by side: run l, element k goes to `out[4k +
  /// l]`. Lanes that are not there become zero.
  func pack(_ place: Strided, lanes: Int, depth: Int, into out: UnsafeMutablePointer<Double>) {
    switch self {
    case .float(let source): packLanes(source, place, lanes, depth, out) { Double($0) }
    case .double(let source): packLanes(source, place, lanes, depth, out) { $0 }
    }
  }
}

/// Where the lanes of a panel lie in a buffer: element k of lane l at `base + l·lane + k·depth`.
struct Strided {
  var base: Int, lane: Int, depth: Int
}

@inline(__always)
private func packLanes<T>(
  _ source: UnsafeBufferPointer<T>,
  _ place: Strided,
  _ lanes: Int,
  _ depth: Int,
  _ out: UnsafeMutablePointer<Double>,
  _ widen: (T) -> Double
) {
  for lane in 0..<4 {
    if lane >= lanes {
      for k in 0..<depth { out[4 &* k &+ lane] = 0 }
      continue
    }
    var index = place.base &+ lane &* place.lane
    for k in 0..<depth {
      out[4 &* k &+ lane] = widen(source[index])
      index &+= place.depth
    }
  }
}

extension Tensor {
  /// Calls `body` with the elements; half-precision elements are widened first.
  func withReals<R>(_ body: (Reals) -> R) -> R {
    switch dtype {
    case .float32: return withElements(of: Float.self) { body(.float($0)) }
    case .float64: return withElements(of: Double.self) { body(.double($0)) }
    default: return floats.withUnsafeBufferPointer { body(.float($0)) }
    }
  }
}
