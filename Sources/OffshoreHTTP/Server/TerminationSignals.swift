import Dispatch
import Foundation
import Synchronization

/// Waits for the signals by which people and service managers end a process.
package enum TerminationSignals {
  /// What service managers send, and what Ctrl-C does.
  package static let usual = [SIGTERM, SIGINT]

  /// Returns when one of the signals arrives. A second one ends the process at once.
  ///
  /// - Parameter whenReady: called when the signals are waited for.
  package static func first(of signals: [Int32], whenReady: () -> Void) async {
    // NB: Dispatch's own signal sources miss signals on Linux that the main thread does not block.
    let pipe = Pipe()
    let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
    let source = DispatchSource.makeReadSource(
      fileDescriptor: pipe.fileHandleForReading.fileDescriptor, queue: .global())
    source.setEventHandler { continuation.yield() }
    source.resume()
    arrivalDescriptor.store(pipe.fileHandleForWriting.fileDescriptor, ordering: .releasing)
    for number in signals { signal(number, noteArrival) }
    whenReady()
    for await _ in arrivals { break }
    for number in signals { signal(number, SIG_DFL) }
    source.cancel()
    arrivalDescriptor.store(-1, ordering: .releasing)
  }
}

/// Where arrivals are written, or -1 where nobody waits.
private let arrivalDescriptor = Atomic<Int32>(-1)

/// Does no more than a signal handler may
/// (<https://man7.org/linux/man-pages/man7/signal-safety.7.html>).
private func noteArrival(_ number: Int32) {
  let error = errno
  signal(number, SIG_DFL)
  var byte: UInt8 = 1
  _ = write(arrivalDescriptor.load(ordering: .acquiring), &byte, 1)
  errno = error
}
