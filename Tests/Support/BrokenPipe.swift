package import Foundation

/// Writes that find no reader, for exit tests: the process that a test starts is the one that would end.
package enum BrokenPipe {
  /// Has a write that finds no reader end this process by `SIGPIPE`, as it does unless a program asks
  /// for something else. Whoever started the tests may have asked for something else.
  package static func endsProcess() {
    signal(SIGPIPE, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// The end of a pipe to write to whose other end is closed.
  package static func makeWriter() throws -> FileHandle {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    return pipe.fileHandleForWriting
  }
}
