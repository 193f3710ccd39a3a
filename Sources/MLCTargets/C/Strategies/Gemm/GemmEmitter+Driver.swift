import MLCCore
import MLCKernels

extension GemmEmitter {
  /// The kernel's body: for each task, its panel, and the tiles of its rows as even as they can be.
  func driver(_ symbol: String) -> CCode {
    let left = problem.lhsType.cStorageType
    return """
      const int64_t *s = frame->symbols;
      const int64_t M = \(spell(matmul.m.extent)), N = \(spell(matmul.n.extent)), K = \(spell(matmul.k.extent));
      const int64_t blocks = \(rowBlocks), panels = \(columnPanels);
      \(element) *sums = (void *)scratch;
      \(scratchAreas)
      (void)s;
      \(plan.usesTiles ? "mlc_tiles_begin();" : "")
      for (int64_t task = begin; task < end; task++) {
        \(positions)
        const int64_t column = number * \(plan.width);
        const int64_t low = M * block / blocks, high = M * (block + 1) / blocks;
        const int64_t columns = N - column < \(plan.width) ? N - column : \(plan.width);
        const \(left) *lhs = (const \(left) *)buffers[\(matmul.lhs.param)] + \(offset(problem.lhs))
          + low * \(spell(problem.lhs.stride(matmul.m)));
        \(rightBase)
        int64_t done = 0;
        do {
          const int64_t depth = \(plan.chunked ? "K - done < \(plan.depth) ? K - done : \(plan.depth)" : "K");
          \(leftPacking(symbol))
          \(rightPacking(symbol))
          struct \(symbol)_at at = {
            frame, buffers, \((position.names + ["low", "column", "columns"]).joined(separator: ", ")), done == 0,
            done + depth >= K, sums };
          const int64_t tiles = (high - low + \(plan.tile.rows - 1)) / \(plan.tile.rows);
          const int64_t few = (high - low) / tiles, more = (high - low) % tiles;
          \(prefetched)
          for (int64_t tile = 0; tile < tiles; tile++) {
            const int64_t rows = few + (tile < more);
            switch (rows) {
              \(calls(symbol))
            }
            at.m += rows;
            a += rows * \(leftStrides.row);
            \(plan.chunked ? "at.sums += rows * \(plan.width);" : "")
            \(nextSlice)
          }
          done += depth;
        } while (done < K);
      }
      \(plan.usesTiles ? "mlc_tiles_end();" : "")
      """
  }

  private var scratchAreas: CCode {
    """
    \(plan.packsLeft ? "\(element) *left = sums + \(plan.sumElements);" : "")
    \(plan.packsLeft && plan.packsLeftOnce ? "int64_t packed = -1;" : "")
    \(plan.rightElements > 0 ? "\(element) *right = sums + \(plan.sumElements + plan.leftElements);" : "")
    """
  }

  /// Declares the `number` of the panel, `block`, `rowBlock`, that among all batches, and the batch positions, the last
  /// one varying fastest.
  private var positions: CCode {
    let order =
      plan.rowsFirst
      ? "const int64_t block = rest % blocks; rest /= blocks; const int64_t number = rest % panels; rest /= panels;"
      : "const int64_t number = rest % panels; rest /= panels; const int64_t block = rest % blocks; rest /= blocks;"
    return """
      int64_t rest = task;
      \(order)
      const int64_t rowBlock = rest * blocks + block;
      \(position.positions(of: "rest", sizes))
      (void)rowBlock;
      """
  }

  private func offset(_ access: LinearAccess) -> String { position.offset(access, sizes) }

  private var rightBase: CCode {
    if plan.compressed != nil, let panels { return codesBase(panels) }
    guard let panels, let type = plan.constantType else {
      let type = problem.rhsType.cStorageType
      return """
        const \(type) *rhs = (const \(type) *)buffers[\(matmul.rhs.param)] + \(offset(problem.rhs))
          + column * \(spell(problem.rhs.stride(matmul.n)));
        """
    }
    let element = type.cStorageType
    if let strips {
      return """
        const \(element) *rhs = (const \(element) *)buffers[\(matmul.rhs.param)]
          + \(panelsIndex(panels)) * \(strips.count * strips.stride);
        """
    }
    return """
      const \(element) *rhs = (const \(element) *)buffers[\(matmul.rhs.param)]
        + (\(panelsIndex(panels)) * panels + number) * \(panels.k * plan.width);
      """
  }

  /// The batch position among those that the constant depends on.
  private func panelsIndex(_ panels: ConstantPanels) -> String {
    let names = Dictionary(uniqueKeysWithValues: zip(matmul.batch.map(\.id), position.names))
    return panels.batch.reduce("0") { "(\($0) * \($1.extent) + \(names[$1.axis.id]!))" }
  }

  /// Codes, and the number of the panel's first vector.
  private func codesBase(_ panels: ConstantPanels) -> CCode {
    """
    const char *codes = (const char *)buffers[\(matmul.rhs.param)];
    const int64_t panel = \(panelsIndex(panels)) * panels + number, vector = panel * \(plan.tile.vectors);
    (void)panel, (void)vector;
    """
  }

  private func leftPacking(_ symbol: String) -> CCode {
    let step = spell(problem.lhs.stride(matmul.k))
    guard plan.packsLeft else { return "const \(leftType) *a = lhs + done * \(leftStrides.k);" }
    let pointer = "const \(leftType) *a = \(leftType == element ? "" : "(const void *)")left"
    if plan.packsLeftOnce {
      return """
        if (packed != rowBlock) \(symbol)_pack_left(s, lhs, high - low, K, left);
        packed = rowBlock;
        \(pointer)\(plan.chunked ? " + done * \(leftStrides.k)" : "");
        """
    }
    return """
      \(symbol)_pack_left(s, lhs + done * \(step), high - low, depth, left);
      \(pointer);
      """
  }

  /// One to four rows read whole panels where they are: packing would cost more than it saves.
  private func rightPacking(_ symbol: String) -> CCode {
    if let compressed = plan.compressed {
      if decodesInRegisters { return [] }
      let expand = compressed.expand(
        "codes",
        panel: "panel",
        vector: "vector",
        vectors: "\(plan.tile.vectors)",
        first: "done",
        count: "depth",
        to: "right",
        symbol
      )
      return """
        const \(element) *b = right;
        const int64_t step = \(plan.width);
        \(expand)
        """
    }
    if let type = plan.constantType {
      guard let strips else {
        return "const \(type.cStorageType) *b = rhs\(plan.chunked ? " + done * \(plan.width)" : "");"
      }
      return reader.declarations(
        type.cStorageType,
        strips,
        base: plan.chunked ? "rhs + done * \(strips.width)" : "rhs",
        first: "column",
        mayOverrun: mayOverrun
      )
    }
    let start = "rhs + done * \(spell(problem.rhs.stride(matmul.k)))"
    let pack = "\(symbol)_pack_right(s, \(start), depth, columns, right);"
    guard problem.rhs.stride(matmul.n) == 1, problem.rhsType == problem.sumElement else {
      return """
        const \(element) *b = right;
        const int64_t step = \(plan.width);
        \(pack)
        """
    }
    return """
      const \(element) *b = right;
      int64_t step = \(plan.width);
      if (high - low <= 4 && columns == \(plan.width)) {
        b = \(start);
        step = \(spell(problem.rhs.stride(matmul.k)));
      } else {
        \(pack)
      }
      """
  }

  private func calls(_ symbol: String) -> CCode {
    let rest = (plan.constantType == nil ? ", step" : "") + (plan.stepsPerPrefetch == nil ? "" : ", next")
    let floats = "\(reader.arguments), depth\(rest)"
    let operand = decodesInRegisters ? "codes, vector" : floats
    return CCode(lines: rowCounts.sorted(by: >).map { "case \($0): \(symbol)_\($0)(&at, a, \(operand)); break;" })
  }
}
