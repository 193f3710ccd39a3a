import MLCCore
import MLCGraph
import MLCOps

/// A small convolutional net with weights in the weights file and in place.
func convolutionalNet(_ dtype: DType = .float32) throws -> Program {
  try program { builder in
    let x = builder.input("image", TensorType(dtype, [1, 3, 8, 8]))
    let origin = Location(file: "model.onnx", node: "/layer.0/Conv", op: "Conv")
    let weight = builder.constant(numbers(dtype, [4, 3, 3, 3]), name: "w.0", origin: origin)
    let bias = builder.constant(numbers(dtype, [4]), name: "b.0")
    var conv = Conv()
    (conv.pad, conv.strides) = ([1, 1, 1, 1], [2, 2])
    let y = try builder(conv, x, weight, bias, name: "conv:0", origin: origin)
    var pool = MaxPool()
    (pool.kernelSizes, pool.strides) = ([2, 2], [2, 2])
    let z = try builder(pool, try builder(Relu(), y), name: "pool")
    let mean = try builder(ReduceMean(axes: [2, 3]), z)
    return [("scores", try builder(Softmax(axis: -1), mean, name: "softmax"))]
  }
}

/// Control flow over a size that is only known at run time.
func loopingProgram() throws -> Program {
  try program { builder in
    let x = builder.input("x", TensorType(.float32, [Dim("n"), 2]))
    let go = builder.input("go", TensorType(.bool, [Int]()))
    let zero = builder.constant(Tensor.scalar(.int64, 0), name: "zero")
    let three = builder.constant(Tensor.scalar(.int64, 3), name: "three")
    let one = builder.constant(Tensor.scalar(.int64, 1), name: "one")
    let two = builder.constant(Tensor.scalar(.float32, 2.0), name: "two")
    let a = builder.beginBlock(inputs: [("i", TensorType(.int64, [Int]())), ("v", builder.fact(x).type)])
    let condition = builder.endBlock(yielding: [try builder(Less(), a[0], three)])
    let b = builder.beginBlock(inputs: [("i2", TensorType(.int64, [Int]())), ("v2", builder.fact(x).type)])
    let next = [try builder(Add(), b[0], one), try builder(Mul(), b[1], two)]
    let body = builder.endBlock(yielding: next)
    let loop = try builder.append(WhileLoop(), [[zero, x]], names: ["count", "value"], blocks: [condition, body])
    _ = builder.beginBlock()
    let yes = builder.endBlock(yielding: [try builder(Neg(), loop[1])])
    _ = builder.beginBlock()
    let no = builder.endBlock(yielding: [loop[1]])
    let choice = try builder.append(Cond(), [[go]], names: ["choice"], blocks: [yes, no])
    return [("steps", loop[0]), ("y", choice[0])]
  }
}
