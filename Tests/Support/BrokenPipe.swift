package import Foundation

/// Writes without a reader, for exit tests, because such a write could end the process of the tests.
package enum BrokenPipe {
  /// Restores the default of `SIGPIPE`: a write without a reader ends this process. The process that
  /// started the tests may have changed it.
  package static func endsProcess() {
    signal(SIGPIPE, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Makes a pipe without a reader, and returns its end for writing.
  package static func makeWriter() throws -> FileHandle {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    return pipe.fileHandleForWriting
  }
}
