import MLCPackage
import MLCRuntime
import Testing

/// Values 0 and 1 are the function's input and output; 2 and up go between segments.
@Suite struct SegmentScheduleTests {
  private func commands(
    _ segments: [(device: Int, inputs: [Int], outputs: [Int])],
    sizes: [Int: [String]] = [:],
    queued: Set<Int> = [1, 2]
  ) -> [SegmentSchedule.Command] {
    let wirings = segments.enumerated().map { number, segment in
      SegmentWiring(
        device: segment.device,
        inputs: segment.inputs,
        outputs: segment.outputs,
        sizes: sizes[number] ?? []
      )
    }
    return SegmentSchedule(wirings, inputs: 1, outputs: 1, queued: queued).commands
  }

  @Test func theHostCopiesNothing() {
    #expect(commands([(0, [0], [2]), (3, [2], [1])]) == [.run(segment: 0), .run(segment: 1)])
  }

  /// The host waits where it reads, and not before; what lies on the device already is not sent again.
  @Test func copiesAreMadeOnce() {
    #expect(
      commands([(1, [0], [2]), (0, [0], [3]), (1, [2, 3, 0], [4]), (0, [4, 2], [1])], queued: [1]) == [
        .upload(0, to: 1), .run(segment: 0), .run(segment: 1), .upload(3, to: 1), .run(segment: 2),
        .download(4, from: 1), .download(2, from: 1), .wait(device: 1), .run(segment: 3),
      ]
    )
  }

  /// Between two devices a value goes through the host's memory, which does not wait.
  @Test func devicesWaitForEachOther() {
    #expect(
      commands([(1, [0], [2]), (2, [2], [1])]) == [
        .upload(0, to: 1), .run(segment: 0), .download(2, from: 1), .order(device: 2, after: 1), .upload(2, to: 2),
        .run(segment: 1), .download(1, from: 2), .wait(device: 2), .wait(device: 1),
      ]
    )
  }

  @Test func sizesAreTakenOnceTheyAreThere() {
    #expect(
      commands([(1, [0], [2]), (0, [2], [1])], sizes: [0: ["n"]], queued: [1]) == [
        .upload(0, to: 1), .run(segment: 0), .wait(device: 1), .takeSizes(segment: 0), .download(2, from: 1),
        .wait(device: 1), .run(segment: 1),
      ]
    )
  }
}
