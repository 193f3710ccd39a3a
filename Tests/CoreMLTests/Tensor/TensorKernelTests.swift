import CMLCTensor
import Foundation
import Testing

/// The kernels of all instruction sets that this machine has, beside the plainest.
@Suite struct TensorKernelTests {
  private let levels = (0..<8).compactMap { mlct_kernels_at(Int32($0))?.pointee }

  private func name(_ level: mlct_kernels) -> String { String(cString: level.name) }

  /// What an operation makes of three lists of lanes.
  private func lanes(_ level: mlct_kernels, _ op: UInt32, _ inputs: [[UInt32]]) -> [UInt32] {
    let count = inputs[0].count
    var result = [UInt32](repeating: 0, count: count)
    var (first, second, third) = (inputs[0], inputs[1], inputs[2])
    let steps = [mlct_step(op: UInt16(op), target: 3, a: 0, b: 1, c: 2)]
    let (extents, slots) = ([count], [Int32](repeating: -1, count: 4))
    var places = [UnsafeMutableRawPointer?](repeating: nil, count: 4)
    func operand(_ base: UnsafeMutableRawPointer?, _ place: UInt32) -> mlct_operand {
      mlct_operand(base: base, strides: nil, place: place, type: MLCT_UINT32, is_dense: true)
    }
    first.withUnsafeMutableBytes { a in
      second.withUnsafeMutableBytes { b in
        third.withUnsafeMutableBytes { c in
          result.withUnsafeMutableBytes { d in
            let read = [operand(a.baseAddress, 0), operand(b.baseAddress, 1), operand(c.baseAddress, 2)]
            let written = [operand(d.baseAddress, 3)]
            steps.withUnsafeBufferPointer { steps in
              read.withUnsafeBufferPointer { read in
                written.withUnsafeBufferPointer { written in
                  extents.withUnsafeBufferPointer { extents in
                    slots.withUnsafeBufferPointer { slots in
                      var program = mlct_program()
                      (program.steps, program.step_count) = (steps.baseAddress, 1)
                      (program.inputs, program.input_count) = (read.baseAddress, 3)
                      (program.outputs, program.output_count) = (written.baseAddress, 1)
                      (program.extents, program.rank, program.block) = (extents.baseAddress, 1, 256)
                      (program.slots, program.place_count) = (slots.baseAddress, 4)
                      level.run(&program, 0, count, nil, &places)
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    return result
  }

  /// Every operation on numbers of all kinds: integers the same, floats at most one unit apart.
  @Test func operationsAgree() {
    var draw = Draw(31)
    let floats: [Float] = [.infinity, -.infinity, .nan, -1, 0, -0.0, .leastNonzeroMagnitude]
    let wild = floats.map { $0.bitPattern } + [1, .max, .max >> 1]
    let inputs = (0..<3).map { list in
      (0..<1003).map { index -> UInt32 in
        if index % 11 == list { return draw.pick(wild) }
        return index % 3 == 0 ? UInt32(draw.int(0...40)) : Float.random(in: -9..<9, using: &draw).bitPattern
      }
    }
    for op in 0..<MLCT_OPS.rawValue {
      let plain = lanes(levels[0], op, inputs)
      for level in levels.dropFirst() {
        let found = zip(plain, lanes(level, op, inputs)).enumerated().first { _, pair in
          let (a, b) = (Float(bitPattern: pair.0), Float(bitPattern: pair.1))
          return pair.0 != pair.1 && !(a.isNaN && b.isNaN) && a.nextUp != b && a.nextDown != b
        }
        let operands = found.map { index, _ in inputs.map { Float(bitPattern: $0[index]) } }
        #expect(found == nil, "\(name(level)): operation \(op) of \(operands ?? [])")
      }
    }
  }

  @Test func conversionsAgree() {
    let bytes = (0..<65536).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    for level in levels {
      var (lanes, halves) = ([UInt32](repeating: 0, count: 65536), [UInt16](repeating: 0, count: 65536))
      level.load(MLCT_FLOAT16, bytes, &lanes, 65536)
      level.store(MLCT_FLOAT16, lanes, &halves, 65536)
      for index in 0..<65536 {
        let (exact, value) = (Float(Float16(bitPattern: UInt16(index))), Float(bitPattern: lanes[index]))
        guard exact == value || exact.isNaN && value.isNaN, exact.isNaN || halves[index] == UInt16(index) else {
          Issue.record("\(name(level)): the half \(index)")
          break
        }
      }
      // What lies between two halves, and ties.
      let between = (0..<40_000).map { Float(bitPattern: 0x3300_0000 + UInt32($0) * 11_371) }
      var rounded = [UInt16](repeating: 0, count: between.count)
      level.store(MLCT_FLOAT16, between, &rounded, between.count)
      let wrong = zip(between, rounded).first { Float16($0).bitPattern != $1 }
      #expect(wrong == nil, "\(name(level))")
    }
  }

  @Test func foldsAndProductsAgree() {
    var draw = Draw(32)
    let (rows, depth, columns) = (29, 300, 83)
    let a = (0..<rows * depth).map { _ in Float(draw.int(-8...8)) }
    let b = (0..<depth * columns).map { _ in Float(draw.int(-8...8)) }
    var exact = [Float](repeating: 0, count: rows * columns)
    for i in 0..<rows {
      for k in 0..<depth { for j in 0..<columns { exact[i * columns + j] += a[i * depth + k] * b[k * columns + j] } }
    }
    for level in levels {
      let (high, wide) = (Int(level.tile_rows), Int(level.tile_columns))
      let (down, across) = ((rows + high - 1) / high, (columns + wide - 1) / wide)
      var left = [Float](repeating: 0, count: down * high * depth)
      var right = [Float](repeating: 0, count: across * wide * depth)
      level.pack(a, 1, depth, depth, rows, level.tile_rows, &left)
      level.pack(b, columns, 1, depth, columns, level.tile_columns, &right)
      var result = [Float](repeating: 0, count: rows * columns)
      level.product(true, left, right, depth * wide, &result, columns, rows, columns, depth, true)
      // Whole numbers: every order of additions is exact.
      #expect(result == exact, "\(name(level))")
      level.row_product(true, a, 1, b, columns, &result, columns, depth)
      #expect(Array(result.prefix(columns)) == Array(exact.prefix(columns)), "\(name(level))")
      for fold in [MLCT_FOLD_SUM, MLCT_FOLD_MIN, MLCT_FOLD_MAX] {
        var (row, column) = (mlct_partial(), [mlct_partial](repeating: mlct_partial(), count: columns))
        level.fold(fold, MLCT_FLOAT32, b, b.count, 1, 1, &row)
        level.fold(fold, MLCT_FLOAT32, b, depth, columns, columns, &column)
        let numbers = b.map { Double($0) }
        let expected = fold == MLCT_FOLD_SUM ? numbers.reduce(0, +) : fold == MLCT_FOLD_MIN ? -8 : 8
        let total = column.map { $0.real }
        let all = fold == MLCT_FOLD_SUM ? total.reduce(0, +) : fold == MLCT_FOLD_MIN ? total.min() : total.max()
        #expect(row.real == expected && all == expected, "\(name(level))")
      }
    }
  }
}
