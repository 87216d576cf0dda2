import CSQLite
import Dispatch
import Foundation
import Synchronization

/// The reading threads of a database, each with its own connection, started on demand.
final class ReaderPool: Sendable {
  /// A closure that a reader's connection runs. It receives an error if the connection cannot be
  /// opened.
  typealias Job = @Sendable (Result<Connection, any Error>) -> Void

  private let queue = WorkQueue<Job>()
  private let started = Mutex(0)
  private let limit: Int
  private let open: @Sendable () throws -> Connection
  private let threads: DispatchGroup
  private let reads: RunningReads

  /// Creates a pool without threads.
  /// - Parameters:
  ///   - limit: The largest number of threads, at least 1.
  ///   - threads: The group that each thread belongs to until its connection is closed.
  ///   - reads: Records each read while it runs.
  ///   - open: Opens a connection, on the thread that will use it.
  init(
    limit: Int, threads: DispatchGroup, reads: RunningReads,
    open: @escaping @Sendable () throws -> Connection
  ) {
    self.limit = max(1, limit)
    self.threads = threads
    self.reads = reads
    self.open = open
  }

  /// Enqueues a read.
  /// - Returns: Whether the read was accepted; `false` once the pool is closed.
  func enqueue(_ job: @escaping Job) -> Bool {
    guard let spareThreads = queue.append(job) else { return false }
    if spareThreads < 0 { startThread() }
    return true
  }

  /// Refuses further reads, and ends the threads after the queued ones.
  func close() { queue.close() }

  private func startThread() {
    let mayStart = started.withLock { started in
      guard started < limit else { return false }
      started += 1
      return true
    }
    guard mayStart else { return }
    DatabaseThread.start("offshore.reader", in: threads) { [queue, reads, open] in
      var connection: Connection?
      while let job = queue.dequeue() {
        if connection?.isOutdated == true {
          connection?.close()
          connection = nil
        }
        let result = Result { try connection ?? open() }
        connection = try? result.get()
        let number = reads.begin()
        job(result)
        // The connection would still read that snapshot, and prevent the log from shrinking.
        if connection?.isInTransaction == true {
          connection?.close()
          connection = nil
        }
        reads.end(number)
      }
      connection?.close()
    }
  }
}

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
