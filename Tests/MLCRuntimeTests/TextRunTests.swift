import CMLCKernelABI
import MLCCore
import MLCDriverCPU
import MLCPackage
import MLCRuntime
import MLCText
import Testing

/// Texts of a run: numbers inside, texts outside.
@Suite struct TextRunTests {
  /// Gives the text behind `x`, then number 1 of the module, then what `x` and the separator `y` make.
  private static func joiner() throws -> Fixture {
    try Fixture(
      """
      static const mlc_text texts[] = {{"", 0}, {"concat", 6}, {"a\\0b", 3}};
      static int32_t bind(const int64_t *s, int64_t *o, int64_t *arena) { return *arena = 0; }
      static void run(const mlc_frame *f) {
        const uint32_t *x = f->inputs[0], *y = f->inputs[1];
        uint32_t *z = f->outputs[0], *joined = f->outputs[1];
        for (int64_t i = 0; i < f->symbols[0]; i++) z[i] = x[i] == y[i] ? 2 : x[i];
        const uint32_t words[] = {1};
        void *const b[] = {(void *)x, (void *)y, joined};
        *f->fault = f->text(f->texts, words, 1, b, f->symbols);
      }
      __attribute__((visibility("default"))) const mlc_module mlc_module_v5 = {
        MLC_ABI_VERSION, 1, 0, 0, 0, 0, 0, bind, run, &math, identity, texts, 3};
      """,
      FunctionInterface(
        "main",
        inputs: [.init("x", TensorType(.string, ["n"])), .init("y", TensorType(.string, ["n"]))],
        outputs: [.init("z", TensorType(.string, ["n"])), .init("joined", TensorType(.string, ["n"]))],
        symbols: [.init("n")]
      )
    )
  }

  @Test func equalTextsHaveOneNumber() throws {
    let model = try Self.joiner().load()
    for _ in 0..<3 {
      let x = Tensor([4], strings: ["", "é", "e\u{301}", "concat"])
      let y = Tensor([4], strings: ["", "é", "é", "x"])
      let outputs = try model.predict([x, y])
      #expect(outputs[0] == Tensor([4], strings: ["a\0b", "a\0b", "e\u{301}", "concat"]))
      #expect(outputs[1] == Tensor([4], strings: ["", "éé", "e\u{301}é", "concatx"]))
    }
    let empty = Tensor([0], strings: [])
    #expect(try model.predict([empty, empty]) == [empty, empty])
  }

  @Test func manyThreadsHaveTheirOwnTexts() async throws {
    let model = try Self.joiner().load()
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<50).allSatisfy { round in
            let x = Tensor([2], strings: ["\(task)", "\(round)"])
            let joined = Tensor([2], strings: ["\(task)\(task)", "\(round)\(round)"])
            return (try? model.predict([x, x])[1]) == joined
          }
        }
      }
      for await holds in group { #expect(holds) }
    }
  }

  @Test func numbersAreRefused() throws {
    let model = try Self.joiner().load()
    let numbers = Tensor(.uint32, [1], [1])
    expect("runtime.input-type") { _ = try model.predict([numbers, numbers]) }
  }
}
