import MLCCore
import MLCKernels

/// Loop nests played in doubles on logical tensors: the meaning that generated code is compared with.
struct NestReference {
  var program: KernelProgram
  var kernel: Kernel
  /// Logical elements, row-major, by parameter.
  var values: [[Double]]
  var bindings: [String: Int] = [:]
  var stages: [Double] = []
  var axes: [Int: Int] = [:]

  func shape(_ p: Int) -> [Int] { program[kernel.params[p].tensor].shape.map { $0.evaluate(bindings)! } }

  mutating func run(_ nest: LoopNest) { loop(nest.axes) { $0.runStages(nest) } }

  private mutating func loop(_ list: [Axis], _ body: (inout NestReference) -> Void) {
    guard let axis = list.first else { return body(&self) }
    for i in 0..<axis.extent.evaluate(bindings)! {
      axes[axis.id] = i
      loop(Array(list.dropFirst()), body)
    }
  }

  private mutating func runStages(_ nest: LoopNest) {
    stages = []
    for stage in nest.stages {
      switch stage {
      case .compute(let value): stages.append(eval(value))
      case .store(let p, let index, let own, let value):
        loop(own) { $0.values[p][$0.flat(p, index)] = $0.eval(value) }
        stages.append(0)
      case .reduce(let r, let own, let value):
        var all: [Double] = []
        loop(own) { all.append($0.eval(value)) }
        switch r {
        case .sum: stages.append(all.reduce(0, +))
        case .product: stages.append(all.reduce(1, *))
        case .max: stages.append(all.reduce(-.infinity) { $0.isNaN || $1.isNaN ? .nan : Swift.max($0, $1) })
        case .min: stages.append(all.reduce(.infinity) { $0.isNaN || $1.isNaN ? .nan : Swift.min($0, $1) })
        case .argMax: stages.append(Double(all.firstIndex(of: all.max()!)!))
        case .argMin: stages.append(Double(all.firstIndex(of: all.min()!)!))
        }
      }
    }
  }

  func flat(_ p: Int, _ index: [Index]) -> Int {
    zip(index, shape(p)).reduce(0) { sum, pair in
      var i = eval(pair.0)
      if case .value = pair.0 { i = Swift.max(0, Swift.min(i, pair.1 - 1)) }
      precondition(i >= 0 && i < pair.1, "index \(i) of \(pair.1)")
      return sum * pair.1 + i
    }
  }

  func eval(_ i: Index) -> Int {
    switch i {
    case .dim(let d): d.evaluate(bindings)!
    case .axis(let id): axes[id]!
    case .sum(let a, let b): eval(a) + eval(b)
    case .product(let a, let d): eval(a) * d.evaluate(bindings)!
    case .floorDiv(let a, let d): Int((Double(eval(a)) / Double(d.evaluate(bindings)!)).rounded(.down))
    case .mod(let a, let d): eval(a) - eval(.floorDiv(a, d)) * d.evaluate(bindings)!
    case .value(let s): Int(eval(s))
    }
  }

  func eval(_ s: Scalar) -> Double {
    switch s {
    case .constant(let x, _): return x
    case .integer(let x, _): return Double(x)
    case .load(let p, let index): return values[p][flat(p, index)]
    case .index(let i, _): return Double(eval(i))
    case .unary(let f, let x): return Self.unary(f, eval(x))
    case .binary(let f, let x, let y): return Self.binary(f, eval(x), eval(y))
    case .compare(let f, let x, let y): return Self.compare(f, eval(x), eval(y)) ? 1 : 0
    case .select(let c, let x, let y): return eval(c) != 0 ? eval(x) : eval(y)
    case .cast(let x, let t): return Tensor(t, [], [eval(x)]).doubles[0]
    case .stage(let k): return stages[k]
    case .accumulator: preconditionFailure("no accumulator")
    }
  }
}
