import CSQLite
import Synchronization

/// The state of one read from the queue to its end, by which its caller can cancel it at any time.
final class ReadTicket: Sendable {
  private enum State {
    case waiting
    case running(SendablePointer)
    case ended
  }

  /// The flag by which the caller cancels the read; checked between statements.
  let cancellation = CancellationFlag()
  private let state = Mutex(State.waiting)

  /// Runs the read, unless its caller has cancelled it.
  /// - Throws: The error of the closure, `CancellationError` if the caller has cancelled the read,
  ///   or ``DatabaseError``.
  func run<Result>(
    on connection: Connection, _ body: (Reader) throws -> Result
  ) throws -> Result {
    guard cancellation.begin() else { throw CancellationError() }
    connection.cancellation = cancellation
    defer { connection.cancellation = nil }
    do {
      return try connection.read { reader in
        state.withLock { $0 = .running(SendablePointer(connection.handle)) }
        // From there on no interrupt may reach the connection: it could hit the end of the
        // transaction.
        defer { state.withLock { $0 = .ended } }
        return try body(reader)
      }
    } catch let error as DatabaseError where error.code == .interrupted && cancellation.isSet {
      throw CancellationError()
    }
  }

  /// Cancels the read: interrupts a running statement, and prevents further ones.
  /// - Returns: Whether the read had not begun. In that case, it never begins.
  @discardableResult
  func cancel() -> Bool {
    if cancellation.set() { return true }
    state.withLock { state in
      // While the lock is held, the connection cannot end this read and begin another.
      if case .running(let handle) = state { sqlite3_interrupt(handle.pointer) }
    }
    return false
  }
}

/// A connection's handle for another thread, which may only interrupt it.
private struct SendablePointer: @unchecked Sendable {  // `ReadTicket.state` guards its use.
  let pointer: OpaquePointer
  init(_ pointer: OpaquePointer) { self.pointer = pointer }
}
