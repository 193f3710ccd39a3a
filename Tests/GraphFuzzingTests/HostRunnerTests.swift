import GraphFuzzing
import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import MLCTargetC
import Testing

/// That the host notices what it is for: each case spoils code that is right.
@Suite struct HostRunnerTests {
  /// `relu(-x)` through a temporary that a product reads.
  private func sample() throws -> GraphCase {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [3, 5]))
    let weight = builder.constant(Tensor([5, 2], floats: (0..<10).map { Float($0) }))
    let product = try builder(MatMul(), x, weight)
    let y = try builder(Softmax(axis: 0), product)
    let z = try builder(Softmax(axis: 1), y)
    let data = Tensor([3, 5], floats: (0..<15).map { Float($0 % 4) })
    return GraphCase("sample", builder.finish([("z", z)]), [[data]])
  }

  /// The finding when `text` of a file of the module is replaced.
  private func finding(_ text: String, _ replacement: String) throws -> Finding? {
    let item = try sample()
    let device = DeviceSet.here[0]
    var graph = try EmittedGraph(item.function, for: device)
    let layout = try #require(graph.layout([:]))
    var isFound = false
    for index in graph.files.indices where graph.files[index].text.contains(text) {
      graph.files[index].text = graph.files[index].text.replacing(text, with: replacement)
      isFound = true
    }
    #expect(isFound, "generated code has no '\(text)'")
    do { _ = try HostRunner().play(graph, [(item.runs[0], layout)], on: device) } catch let problem as Problem {
      return problem.finding
    }
    return nil
  }

  @Test func soundCodeAgrees() throws {
    let verdict = GraphJudge(try HostRunner()).verdict(try sample(), on: DeviceSet.here[0])
    guard case .agrees = verdict else {
      Issue.record("\(verdict)")
      return
    }
  }

  @Test func aStoreBehindAnOutputIsNoticed() throws {
    let found = try finding("f->outputs[0]", "((char *)f->outputs[0] + 4)")
    #expect(found?.kind == .memory)
  }

  @Test func aReadBeforeAnInputIsNoticed() throws {
    let found = try finding("f->inputs[0]", "((char *)f->inputs[0] - 4)")
    #expect(found?.kind == .memory)
  }

  @Test func aReadBehindAWeightIsNoticed() throws {
    let found = try finding("f->weights + ", "f->weights + 32 + ")
    #expect(found?.kind == .memory)
  }

  @Test func aStoreBehindATemporaryIsNoticed() throws {
    let found = try finding("f->offsets[0]", "f->offsets[0] + 4")
    #expect(found?.kind == .memory)
  }

  @Test func undefinedBehaviourIsNoticed() throws {
    let found = try finding(
      "static void run(const mlc_frame *f) {",
      "static void run(const mlc_frame *f) { volatile int n = 40; if (1 << n) n = 0;"
    )
    #expect(found?.kind == .memory && found?.detail.contains("shift") == true)
  }

  @Test func codeWithoutEndIsNoticed() throws {
    let item = try sample()
    var graph = try EmittedGraph(item.function, for: DeviceSet.here[0])
    let layout = try #require(graph.layout([:]))
    let start = "static void run(const mlc_frame *f) {"
    graph.files[0].text = graph.files[0].text.replacing(start, with: start + " for (volatile int n = 0;; n++);")
    let runner = try HostRunner(seconds: 5)
    do {
      _ = try runner.play(graph, [(item.runs[0], layout)], on: DeviceSet.here[0])
      Issue.record("it ended")
    } catch let problem as Problem { #expect(problem.finding.kind == .time, "\(problem.finding)") }
  }

  /// A shrunk case keeps what makes it fail, and little else: here a `split` that an output needs.
  @Test func shrinkingKeepsTheFailure() throws {
    var shrunk = 0
    for number in 0..<60 {
      let item = RandomGraph.draw(seed: 5, number: number)
      guard needsSplit(item), item.function.body.operations.count > 6 else { continue }
      var shrinker = GraphShrinker(tries: 200, needsSplit)
      let smallest = shrinker.shrink(item)
      #expect(needsSplit(smallest))
      #expect(smallest.function.body.operations.count <= 3 && smallest.runs.count == 1, "\(smallest.text)")
      shrunk += 1
    }
    #expect(shrunk > 3)
  }

  private func needsSplit(_ item: GraphCase) -> Bool {
    var live = Set(item.function.outputs)
    for operation in item.function.body.operations.reversed() where operation.outputs.contains(where: live.contains) {
      if operation.name == "split" { return true }
      live.formUnion(operation.inputs.joined())
    }
    return false
  }
}
