import CMLCTensor

extension ElementwiseGroup {
  /// Computes everything; the elements of `kept` go to `memories`.
  mutating func run(_ kept: [TensorNode], _ memories: [TensorMemory]) {
    let count = shape.reduce(1, *)
    var outputs: [mlct_operand] = []
    for (node, memory) in zip(kept, memories) {
      let place = placeOf[ObjectIdentifier(node)] ?? 0
      // Lanes that are elements are written where they shall lie.
      if node.kind.width == 4 { places[Int(place)].slot = -1 }
      outputs.append(
        mlct_operand(base: memory.base, strides: nil, place: place, type: node.kind.code, is_dense: true)
      )
    }
    let alive = slotCount + inputs.count + outputs.count
    let block = min(max(Self.cachedLanes / max(alive, 1) / 64 * 64, 256), 4096)
    let strides = inputs.flatMap { $0.strides }
    let slots = places.map { $0.slot }
    strides.withUnsafeBufferPointer { strides in
      let operands = inputs.enumerated().map { index, input in
        mlct_operand(
          base: input.value.base,
          strides: strides.baseAddress.map { $0 + index * shape.count },
          place: UInt32(index),
          type: input.value.kind.code,
          is_dense: input.isDense
        )
      }
      Self.withProgram(steps, operands, outputs, shape, block, constants, slots) { program in
        nonisolated(unsafe) let program = program  // constant while threads run it
        let (lanes, placeCount) = (slotCount * block, places.count)
        Parallel.run(count, grain: max(Self.leastPart / steps.count, block), alignment: block) { part in
          withUnsafeTemporaryAllocation(byteCount: max(lanes, 1) * 4, alignment: 64) { memory in
            withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: placeCount) { pointers in
              Parallel.kernels.run(
                program,
                part.lowerBound,
                part.upperBound,
                memory.baseAddress,
                pointers.baseAddress
              )
            }
          }
        }
      }
    }
  }

  /// Lanes that stay in a first-level cache of 32 KB, and steps on elements that are worth another thread.
  private static let (cachedLanes, leastPart) = (6144, 1 << 17)

  private static func withProgram(
    _ steps: [mlct_step],
    _ inputs: [mlct_operand],
    _ outputs: [mlct_operand],
    _ shape: [Int],
    _ block: Int,
    _ constants: [UInt32],
    _ slots: [Int32],
    _ body: (UnsafePointer<mlct_program>) -> Void
  ) {
    steps.withUnsafeBufferPointer { steps in
      inputs.withUnsafeBufferPointer { inputs in
        outputs.withUnsafeBufferPointer { outputs in
          shape.withUnsafeBufferPointer { extents in
            constants.withUnsafeBufferPointer { constants in
              slots.withUnsafeBufferPointer { slots in
                var program = mlct_program()
                (program.steps, program.step_count) = (steps.baseAddress, steps.count)
                (program.inputs, program.input_count) = (inputs.baseAddress, inputs.count)
                (program.outputs, program.output_count) = (outputs.baseAddress, outputs.count)
                (program.extents, program.rank, program.block) = (extents.baseAddress, extents.count, block)
                (program.constants, program.constant_count) = (constants.baseAddress, constants.count)
                (program.slots, program.place_count) = (slots.baseAddress, slots.count)
                body(&program)
              }
            }
          }
        }
      }
    }
  }
}
