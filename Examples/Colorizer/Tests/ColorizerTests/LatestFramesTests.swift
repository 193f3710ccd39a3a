import Testing

@testable import Colorizer

@Suite struct LatestFramesTests {
  /// While a frame is worked on four more arrive: the reader gets the last of them, never one behind it.
  @Test func lateFramesAreDropped() async {
    let camera = LatestFrames<Int>()
    var seen: [Int] = []
    var next = 0
    camera.show(next)
    for await frame in camera.frames {
      seen.append(frame)
      for _ in 0..<4 where next < 12 {
        next += 1
        camera.show(next)
      }
      if next == 12 { camera.finish() }
    }
    #expect(seen == [0, 4, 8, 12])
    #expect(camera.dropped == 9)
  }

  @Test func aReaderInTimeGetsEveryFrame() async {
    let camera = LatestFrames<Int>()
    var seen: [Int] = []
    camera.show(0)
    for await frame in camera.frames {
      seen.append(frame)
      if frame < 9 { camera.show(frame + 1) } else { camera.finish() }
    }
    #expect(seen == Array(0...9))
    #expect(camera.dropped == 0)
  }

  /// Frames of a film through the network itself: what comes out is in order, and with what was dropped is all.
  @Test func aFilmIsColouredInOrder() async throws {
    let colorizer = try await Colorizer.load()
    let picture = try ColorizerTests.picture("astronaut").grey
    let camera = LatestFrames<(number: Int, picture: Picture)>()
    let film = Task {
      for number in 0..<40 {
        camera.show((number, picture))
        try await Task.sleep(for: .milliseconds(2))
      }
      camera.finish()
    }
    var numbers: [Int] = []
    for await frame in camera.frames {
      let coloured = try await colorizer.colorized(frame.picture)
      #expect(coloured != picture)
      numbers.append(frame.number)
    }
    try await film.value
    #expect(numbers == numbers.sorted() && numbers.last == 39)
    #expect(numbers.count + camera.dropped == 40)
  }
}
