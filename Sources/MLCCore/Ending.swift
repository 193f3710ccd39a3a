import CMLCProcess

/// How a command ends before it is done. Libraries leave that to the program that they are part of.
package enum Ending {
  /// SIGINT, SIGTERM and SIGHUP end the process as they do others, once its programs are ended and its temporary
  /// folders are removed; what cannot be written is an error, not the end. To be called before there are threads.
  package static func prepare() {
    mlc_end_as_memory_runs_out()
    mlc_end_prepare()
  }

  /// Ends like `signal`.
  package static func end(with signal: Int32) -> Never { mlc_end(signal) }

  /// Removes the temporary folders, of which nothing is used any more.
  package static func removeFolders() { mlc_end_folders() }
}
