import MLCCore

extension Program {
  /// The program as it is wherever its source lies: no function and no operation says which file it is from.
  package var withoutFiles: Program {
    var program = self
    for index in program.functions.indices { program.functions[index].setFiles { _ in nil } }
    return program
  }

  /// The program with `file` as the source of all that names none.
  package func from(file: String) -> Program {
    var program = self
    for index in program.functions.indices { program.functions[index].setFiles { $0 ?? file } }
    return program
  }
}

extension Function {
  fileprivate mutating func setFiles(_ file: (String?) -> String?) {
    self.file = file(self.file)
    body.setFiles(file)
  }
}

extension Block {
  fileprivate mutating func setFiles(_ file: (String?) -> String?) {
    for index in operations.indices {
      operations[index].origin.file = file(operations[index].origin.file)
      for block in operations[index].blocks.indices { operations[index].blocks[block].setFiles(file) }
    }
  }
}
