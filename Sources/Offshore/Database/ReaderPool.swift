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

  /// Creates a pool without threads.
  /// - Parameters:
  ///   - limit: The largest number of threads, at least 1.
  ///   - threads: The group that each thread belongs to until its connection is closed.
  ///   - open: Opens a connection, on the thread that will use it.
  init(
    limit: Int, threads: DispatchGroup, open: @escaping @Sendable () throws -> Connection
  ) {
    self.limit = max(1, limit)
    self.threads = threads
    self.open = open
  }

  /// Enqueues a read.
  /// - Returns: Whether the read was accepted; `false` once the pool is closed.
  func enqueue(_ job: @escaping Job) -> Bool {
    guard let spare = queue.append(job) else { return false }
    if spare < 0 { startThread() }
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
    DatabaseThread.start("offshore.reader", in: threads) { [queue, open] in
      var connection: Connection?
      while let job = queue.takeFirst() {
        if connection?.isOutdated == true {
          connection?.close()
          connection = nil
        }
        let result = Result { try connection ?? open() }
        connection = try? result.get()
        job(result)
        // The connection would still read that snapshot, and prevent the log from shrinking.
        if connection?.isInTransaction == true {
          connection?.close()
          connection = nil
        }
      }
      connection?.close()
    }
  }
}
