import Dispatch
import Foundation
import Synchronization

/// The signals by which users and service managers end a process.
package enum TerminationSignals {
  /// The signal of service managers, and that of Ctrl-C.
  package static let usual = [SIGTERM, SIGINT]

  /// Waits until one of the signals arrives. A second one ends the process at once.
  ///
  /// - Parameters:
  ///   - signals: the signals.
  ///   - whenReady: called when the signals can arrive.
  package static func first(of signals: [Int32], whenReady: () -> Void) async {
    // NB: Dispatch's own signal sources miss signals on Linux that the main thread does not block.
    let pipe = Pipe()
    let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
    let source = DispatchSource.makeReadSource(
      fileDescriptor: pipe.fileHandleForReading.fileDescriptor, queue: .global())
    source.setEventHandler { continuation.yield() }
    source.resume()
    arrivalDescriptor.store(pipe.fileHandleForWriting.fileDescriptor, ordering: .releasing)
    for number in signals { signal(number, recordArrival) }
    whenReady()
    for await _ in arrivals { break }
    for number in signals { signal(number, SIG_DFL) }
    source.cancel()
    arrivalDescriptor.store(-1, ordering: .releasing)
  }
}

/// The descriptor to which arrivals are written, or -1 if no signal is awaited.
private let arrivalDescriptor = Atomic<Int32>(-1)

/// Writes the arrival of a signal, with the operations that a signal handler may use
/// (<https://man7.org/linux/man-pages/man7/signal-safety.7.html>).
private func recordArrival(_ number: Int32) {
  let error = errno
  signal(number, SIG_DFL)
  var byte: UInt8 = 1
  _ = write(arrivalDescriptor.load(ordering: .acquiring), &byte, 1)
  errno = error
}
