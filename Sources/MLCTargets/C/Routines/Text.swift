import MLCCore
import MLCKernels
import MLCText

/// One task, which the host does.
struct TextEmitter: RoutineEmitter {
  let text: Routine.Text

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    RoutineFrame.obstacle(to: kernel, params: text.counts.count, in: program)
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    let words = text.operation.words.map { word -> String in
      guard let number = program.texts?.number(of: word) else { preconditionFailure("a word without a number") }
      return "\(number)"
    }
    let body: CCode = """
      static const uint32_t words[] = {\(words.joined(separator: ", "))};
      const int64_t extents[] = {\(text.extents.map(frame.size).joined(separator: ", "))};
      if (begin >= end) return;
      const int32_t fault = frame->text(frame->texts, words, \(words.count), buffers, extents);
      if (fault) mlc_fault_set(frame->fault, fault);
      """
    return frame.emitted(tasks: "1") { _ in body }
  }
}
