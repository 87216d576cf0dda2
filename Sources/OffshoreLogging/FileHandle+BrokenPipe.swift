package import Foundation

extension FileHandle {
  /// Writes bytes, and throws if the reader of a pipe or socket has closed it.
  ///
  /// A plain write would raise `SIGPIPE` then, which ends a process that does not handle it
  /// (<https://man7.org/linux/man-pages/man7/pipe.7.html>). The library must not change the
  /// process's signal handling, so it blocks the signal on this thread alone, for the duration of
  /// the call.
  ///
  /// - Throws: The error of the write; `EPIPE` if the reader has closed the pipe.
  package func writeWithoutSignal(_ data: Data) throws {
    var (signals, mask) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    let wasPending = Self.isBrokenPipePending
    pthread_sigmask(SIG_BLOCK, &signals, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    do {
      try write(contentsOf: data)
    } catch {
      // NB: A pending signal would be delivered once it is unblocked. A signal that was already
      // pending belongs to the process.
      var number: Int32 = 0
      if !wasPending, Self.isBrokenPipePending { sigwait(&signals, &number) }
      throw error
    }
  }

  private static var isBrokenPipePending: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return sigismember(&pending, SIGPIPE) == 1
  }
}
