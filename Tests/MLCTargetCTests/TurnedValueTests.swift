import MLCCore
import MLCKernels
import Testing

/// Phases of a stride that lie as channels of blocks and are put together to pixels of plain rows: of one tensor, or of
/// two, one for each phase of the columns; whole vectors of channels and less, and rows that begin in a phase.
@Suite struct TurnedValueTests {
  @Test(arguments: [(32, 9, 0), (32, 20, 1), (24, 9, 1), (8, 7, 0)])
  func phasesOfBlocks(_ m: Int, _ width: Int, _ low: Int) throws {
    for device in CompileAndRun.devices {
      for tensors in 1...2 { try phases(m, width, low, tensors).check(block: device.lanes, on: device) }
    }
  }

  private struct Phases {
    let shapes: [[Dim]], nest: LoopNest

    func check(block: Int, on device: DeviceDescription) throws {
      let tensors = shapes.map { shape in
        let isBlocked = shape.count == 4 && shape != shapes.last
        return NestCase.tensor(.float32, shape, isBlocked ? .blocked(Layout.Blocked(block: block)) : .plain)
      }
      try NestCase(name: "phases", tensors: tensors, nest: nest).check(on: device)
    }
  }

  private func phases(_ m: Int, _ width: Int, _ low: Int, _ count: Int) -> Phases {
    let place = [Index.axis(2) + .constant(low), Index.axis(3) + .constant(low)]
    let (row, column) = (place[0].modulo(2), place[1].modulo(2))
    let number = count == 1 ? row * 2 + column : row
    let channel = number * Dim(m) + .axis(1)
    let values = (0..<count).map { tensor in
      Scalar.load(param: tensor, [.axis(0), channel] + place.map { $0.dividedFloor(by: 2) })
    }
    let isFirst = Scalar.compare(.less, .index(column, .int64), .integer(1, .int64))
    let value = count == 1 ? values[0] : .select(isFirst, values[0], values[1])
    let extents = [Dim(2), Dim(m), Dim(6 - low), Dim(2 * width - low)]
    let nest = LoopNest(
      extents.enumerated().map { Axis($0, $1) },
      [
        .store(
          param: count + 1,
          index: (0..<4).map { .axis($0) },
          axes: [],
          value: value + Scalar.load(param: count, [.axis(1)])
        )
      ]
    )
    let phases: [Dim] = [2, Dim(4 / count * m), 3, Dim(width)]
    return Phases(shapes: [[Dim]](repeating: phases, count: count) + [[Dim(m)], extents], nest: nest)
  }
}
