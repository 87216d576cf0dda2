import CSQLite
import Synchronization

/// Follows one read from the queue to its end, so that its caller can stop it wherever it is.
final class ReadTicket: Sendable {
  private enum State {
    case waiting
    case running(SendablePointer)
    case ended
  }

  /// Set when the caller gives up; looked at between statements.
  let cancellation = CancellationFlag()
  private let state = Mutex(State.waiting)

  /// Runs the read, unless its caller has given up.
  /// - Throws: what the closure throws; `CancellationError` where the caller gave up.
  func run<Result>(
    on connection: Connection, _ body: (Reader) throws -> Result
  ) throws -> Result {
    guard cancellation.begin() else { throw CancellationError() }
    connection.cancellation = cancellation
    defer { connection.cancellation = nil }
    do {
      return try connection.read { reader in
        state.withLock { $0 = .running(SendablePointer(connection.handle)) }
        // No interrupt reaches the connection from there on: it could hit the end of the transaction.
        defer { state.withLock { $0 = .ended } }
        return try body(reader)
      }
    } catch let error as DatabaseError where error.code == .interrupted && cancellation.isSet {
      throw CancellationError()
    }
  }

  /// Stops the read: a running statement is interrupted, none is begun any more.
  /// - Returns: whether the read had not begun, and never will.
  @discardableResult
  func cancel() -> Bool {
    if cancellation.set() { return true }
    state.withLock { state in
      // Under the lock the connection cannot end this read and begin another.
      if case .running(let handle) = state { sqlite3_interrupt(handle.pointer) }
    }
    return false
  }
}

/// A connection's handle on its way to another thread, which may interrupt it and nothing else.
private struct SendablePointer: @unchecked Sendable {  // `ReadTicket.state` guards its use.
  let pointer: OpaquePointer
  init(_ pointer: OpaquePointer) { self.pointer = pointer }
}
