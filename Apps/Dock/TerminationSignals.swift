import Dispatch
import Foundation

/// Waits for the signals by which people and service managers end a process.
enum TerminationSignals {
  /// What service managers send, and what Ctrl-C does.
  static let usual = [SIGTERM, SIGINT]

  /// Returns when one of the signals arrives. A second one ends the process at once.
  /// - Parameter whenReady: called when the signals are waited for.
  static func first(of signals: [Int32], whenReady: () -> Void) async {
    let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        signal(number, SIG_DFL)
        continuation.yield()
      }
      source.resume()
      return source
    }
    whenReady()
    for await _ in arrivals { break }
    for source in sources { source.cancel() }
  }
}
