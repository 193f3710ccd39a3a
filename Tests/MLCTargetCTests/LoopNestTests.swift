import MLCCore
import MLCKernels
import Testing

@Suite struct LoopNestTests {
  typealias T = NestCase
  static func ax(_ id: Int) -> Index { .axis(id) }
  static func load(_ p: Int, _ axes: Int...) -> Scalar { .load(param: p, axes.map { .axis($0) }) }
  static func f(_ x: Double) -> Scalar { .constant(x, .float32) }

  func play(_ cases: [NestCase]) throws {
    for device in CompileAndRun.devices { for test in cases { try test.check(on: device) } }
  }

  @Test func aDeviceRuns() { #expect(!CompileAndRun.devices.isEmpty) }

  /// Every float function, at lengths with and without a tail, in each float type.
  @Test func unaries() throws {
    let functions = Scalar.Unary.allCases.filter { ![.logicalNot, .bitwiseNot, .isNaN, .isInf].contains($0) }
    let count = Dim(functions.count)
    let stages = functions.indices.map { k in
      let index = [Index.constant(k), .axis(0)]
      let value = Scalar.unary(functions[k], .load(param: 0, index))
      return LoopNest.Stage.store(param: 1, index: index, axes: [], value: value)
    }
    let fill: (Int, Int) -> Double = { _, i in
      let x = Double(i * 37 % 101) / 64 - 0.75
      switch functions[i / 45] {
      case .log, .sqrt, .rsqrt, .log1p: return abs(x) + 0.1
      case .acosh: return abs(x) + 1.01
      case .asin, .acos, .atanh: return x * 0.9
      default: return x + 0.01
      }
    }
    let tensors = [T.tensor(.float32, [count, 45]), T.tensor(.float32, [count, 45])]
    try play([NestCase(name: "unaries", tensors: tensors, nest: LoopNest([Axis(0, 45)], stages), fill: fill)])
  }

  @Test func typesAndBroadcasts() throws {
    var cases: [NestCase] = []
    for t in [DType.float16, .bfloat16, .float32, .float64, .int8, .int32, .int64, .uint8] {
      let nest = LoopNest(
        [Axis(0, 5), Axis(1, 37)],
        [.store(param: 2, index: [Self.ax(0), Self.ax(1)], axes: [], value: Self.load(0, 0, 1) * Self.load(1, 1))]
      )
      let whole: (Int, Int) -> Double = { p, i in Double((i + p) % 11) }
      cases.append(
        NestCase(
          name: "mul_\(t)",
          tensors: [T.tensor(t, [5, 37]), T.tensor(t, [37]), T.tensor(t, [5, 37])],
          nest: nest,
          fill: whole
        )
      )
    }
    let position = Scalar.index(.axis(1), .int32)
    let masked = Scalar.select(
      .compare(.lessEqual, position, .index(.axis(0), .int32)),
      Self.load(0, 0, 1),
      Self.f(-.infinity)
    )
    cases.append(
      NestCase(
        name: "causal",
        tensors: [T.tensor(.float32, [40, 40]), T.tensor(.float32, [40, 40])],
        nest: LoopNest(
          [Axis(0, 40), Axis(1, 40)],
          [.store(param: 1, index: [Self.ax(0), Self.ax(1)], axes: [], value: masked)]
        )
      )
    )
    let inside = Scalar.compare(.greaterEqual, .index(.axis(1), .int32), .integer(2, .int32))
    let pad = Scalar.select(inside, .load(param: 0, [.axis(0), .axis(1) + .constant(-2)]), Self.f(0))
    cases.append(
      NestCase(
        name: "pad",
        tensors: [T.tensor(.float32, [3, 20]), T.tensor(.float32, [3, 22])],
        nest: LoopNest(
          [Axis(0, 3), Axis(1, 22)],
          [.store(param: 1, index: [Self.ax(0), Self.ax(1)], axes: [], value: pad)]
        )
      )
    )
    let rows = Scalar.load(param: 0, [.value(.load(param: 1, [.axis(0)])), .axis(1)])
    cases.append(
      NestCase(
        name: "gather",
        tensors: [T.tensor(.float32, [7, 20]), T.tensor(.int64, [5]), T.tensor(.float32, [5, 20])],
        nest: LoopNest(
          [Axis(0, 5), Axis(1, 20)],
          [.store(param: 2, index: [Self.ax(0), Self.ax(1)], axes: [], value: rows)]
        ),
        fill: { p, i in p == 1 ? Double(i * 3 % 9) : Double(i) }
      )
    )
    try play(cases)
  }

  @Test func reductions() throws {
    var cases: [NestCase] = []
    for r in LoopNest.Reduction.allCases {
      let t: DType = r == .argMax || r == .argMin ? .int64 : .float32
      for (n, m) in [(3, 70), (3, 5), (19, 130)] {
        let (N, M) = (Dim(n), Dim(m))
        let fill: (Int, Int) -> Double = { p, i in 1 + Double((i * 37 + p) % 101) / 1000 }
        cases.append(
          NestCase(
            name: "\(r)_rows",
            tensors: [T.tensor(.float32, [N, M]), T.tensor(t, [N])],
            nest: LoopNest(
              [Axis(0, N)],
              [
                .reduce(r, axes: [Axis(1, M)], value: Self.load(0, 0, 1)),
                .store(param: 1, index: [Self.ax(0)], axes: [], value: .stage(0)),
              ]
            ),
            fill: fill
          )
        )
        cases.append(
          NestCase(
            name: "\(r)_columns",
            tensors: [T.tensor(.float32, [N, M]), T.tensor(t, [M])],
            nest: LoopNest(
              [Axis(1, M)],
              [
                .reduce(r, axes: [Axis(0, N)], value: Self.load(0, 0, 1)),
                .store(param: 1, index: [Self.ax(1)], axes: [], value: .stage(0)),
              ]
            ),
            fill: fill
          )
        )
      }
    }
    try play(cases)
  }

  /// Softmax over rows and over a middle axis, layer norm, with sizes known and named.
  @Test func rows() throws {
    func softmax(_ n: Dim, _ c: Dim, _ w: Dim) -> LoopNest {
      let x = Self.load(0, 0, 2, 1)
      let index = [Self.ax(0), Self.ax(2), Self.ax(1)]
      return LoopNest(
        [Axis(0, n), Axis(1, w)],
        [
          .reduce(.max, axes: [Axis(2, c)], value: x),
          .store(param: 1, index: index, axes: [Axis(2, c)], value: .unary(.exp, x - .stage(0))),
          .reduce(.sum, axes: [Axis(2, c)], value: Self.load(1, 0, 2, 1)),
          .store(param: 1, index: index, axes: [Axis(2, c)], value: Self.load(1, 0, 2, 1) / .stage(2)),
        ]
      )
    }
    func layerNorm(_ n: Dim, _ c: Dim, _ count: Int) -> LoopNest {
      let x = Self.load(0, 0, 1)
      let scale = Self.f(1 / Double(count))
      let centred = x - .stage(1)
      return LoopNest(
        [Axis(0, n)],
        [
          .reduce(.sum, axes: [Axis(1, c)], value: x), .compute(.stage(0) * scale),
          .reduce(.sum, axes: [Axis(1, c)], value: centred * centred),
          .compute(.unary(.rsqrt, .stage(2) * scale + Self.f(1e-5))),
          .store(
            param: 3,
            index: [Self.ax(0), Self.ax(1)],
            axes: [Axis(1, c)],
            value: centred * .stage(3) * Self.load(1, 1) + Self.load(2, 1)
          ),
        ]
      )
    }
    var cases: [NestCase] = []
    for (n, c, w) in [(2, 50, 1), (2, 5, 37), (3, 129, 1), (1, 1000, 1)] {
      cases.append(
        NestCase(
          name: "softmax",
          tensors: [T.tensor(.float32, [Dim(n), Dim(c), Dim(w)]), T.tensor(.float32, [Dim(n), Dim(c), Dim(w)])],
          nest: softmax(Dim(n), Dim(c), Dim(w))
        )
      )
      cases.append(
        NestCase(
          name: "softmax_named",
          tensors: [T.tensor(.float32, ["n", "c", "w"]), T.tensor(.float32, ["n", "c", "w"])],
          nest: softmax("n", "c", "w"),
          symbols: ["n": n, "c": c, "w": w]
        )
      )
    }
    for c in [70, 7] {
      cases.append(
        NestCase(
          name: "layer_norm",
          tensors: [
            T.tensor(.float32, [4, Dim(c)]), T.tensor(.float32, [Dim(c)]), T.tensor(.float32, [Dim(c)]),
            T.tensor(.float32, [4, Dim(c)]),
          ],
          nest: layerNorm(4, Dim(c), c)
        )
      )
    }
    try play(cases)
  }

  /// Softmax over each axis of tensors in channel blocks or not, of channels that fill their blocks and that do not.
  @Test func rowsOfBlocks() throws {
    var cases: [NestCase] = []
    let index = [Self.ax(0), Self.ax(1), Self.ax(2), Self.ax(3)]
    for (c, block) in [(32, 16), (150, 16), (24, 8), (19, 8), (10, 4)] {
      let shape: [Dim] = [2, Dim(c), 3, 18]
      let blocked = Layout.blocked(.init(block: block))
      let halo = Layout.blocked(.init(block: block, top: 1, bottom: 2, left: 3, right: 1))
      for (name, a, b) in [("plain", Layout.plain, halo), ("blocks", halo, blocked)] {
        for along in [1, 3] {
          let axes = shape.enumerated().map { Axis($0, $1) }
          let (x, y) = (Scalar.load(param: 0, index), Scalar.load(param: 1, index))
          let stages: [LoopNest.Stage] = [
            .reduce(.max, axes: [axes[along]], value: x),
            .store(param: 1, index: index, axes: [axes[along]], value: .unary(.exp, x - .stage(0))),
            .reduce(.sum, axes: [axes[along]], value: y),
            .store(param: 1, index: index, axes: [axes[along]], value: y / .stage(2)),
          ]
          cases.append(
            NestCase(
              name: "softmax_\(along)_\(name)_\(c)_\(block)",
              tensors: [T.tensor(.float32, shape, a), T.tensor(.float32, shape, b)],
              nest: LoopNest(axes.filter { $0.id != along }, stages)
            )
          )
        }
      }
    }
    try play(cases)
  }

  @Test func layouts() throws {
    var cases: [NestCase] = []
    let index = [Self.ax(0), Self.ax(1), Self.ax(2), Self.ax(3)]
    for (c, block) in [(32, 16), (19, 16), (3, 8), (24, 8), (10, 4)] {
      let shape: [Dim] = [2, Dim(c), 5, 21]
      let axes = shape.enumerated().map { Axis($0, $1) }
      let blocked = Layout.blocked(.init(block: block))
      let halo = Layout.blocked(.init(block: block, top: 1, bottom: 2, left: 3, right: 1))
      for (name, a, b) in [
        ("to_blocked", Layout.plain, halo), ("to_plain", halo, .plain), ("blocked", blocked, halo),
        ("same", blocked, blocked),
      ] {
        let value = Scalar.unary(.abs, .load(param: 0, index)) + Self.load(1, 1)
        cases.append(
          NestCase(
            name: "\(name)_\(c)_\(block)",
            tensors: [T.tensor(.float32, shape, a), T.tensor(.float32, [Dim(c)]), T.tensor(.float32, shape, b)],
            nest: LoopNest(axes, [.store(param: 2, index: index, axes: [], value: value)])
          )
        )
      }
      cases.append(
        NestCase(
          name: "mean_\(c)_\(block)",
          tensors: [T.tensor(.float32, shape, halo), T.tensor(.float32, [2, Dim(c)])],
          nest: LoopNest(
            [axes[0], axes[1]],
            [
              .reduce(.sum, axes: [axes[2], axes[3]], value: .load(param: 0, index)),
              .store(param: 1, index: [Self.ax(0), Self.ax(1)], axes: [], value: .stage(0) * Self.f(1 / 105)),
            ]
          )
        )
      )
      let half = [Self.ax(0), Self.ax(1), Self.ax(2).dividedFloor(by: 2), Self.ax(3).dividedFloor(by: 3)]
      cases.append(
        NestCase(
          name: "nearest_\(c)_\(block)",
          tensors: [T.tensor(.float32, [2, Dim(c), 3, 7], blocked), T.tensor(.float32, shape, blocked)],
          nest: LoopNest(axes, [.store(param: 1, index: index, axes: [], value: .load(param: 0, half))])
        )
      )
    }
    cases += Self.volumes
    for (m, n) in [(16, 16), (33, 47), (5, 100), (100, 5), (3, 2)] {
      cases.append(
        NestCase(
          name: "transpose_\(m)_\(n)",
          tensors: [T.tensor(.float32, [3, Dim(m), Dim(n)]), T.tensor(.float32, [3, Dim(n), Dim(m)])],
          nest: LoopNest(
            [Axis(0, 3), Axis(1, Dim(m)), Axis(2, Dim(n))],
            [.store(param: 1, index: [Self.ax(0), Self.ax(2), Self.ax(1)], axes: [], value: Self.load(0, 0, 1, 2))]
          )
        )
      )
    }
    try play(cases)
  }
}
