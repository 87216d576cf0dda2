import Dispatch
import Foundation
import Synchronization

/// Threads that read, each with a connection of its own, started when there is need of them.
final class ReaderPool: Sendable {
  /// A closure that a reader's connection runs, or that learns why there is none.
  typealias Job = @Sendable (Result<Connection, any Error>) -> Void

  private let queue = WorkQueue<Job>()
  private let started = Mutex(0)
  private let limit: Int
  private let open: @Sendable () throws -> Connection
  private let threads: DispatchGroup

  /// Creates a pool without threads.
  /// - Parameters:
  ///   - limit: how many threads there may be, at least 1.
  ///   - threads: the group that each thread is in until its connection is closed.
  ///   - open: makes a connection, on the thread that will use it.
  init(
    limit: Int, threads: DispatchGroup, open: @escaping @Sendable () throws -> Connection
  ) {
    self.limit = max(1, limit)
    self.threads = threads
    self.open = open
  }

  /// Adds a read.
  /// - Returns: whether it was taken; the pool takes none once it is closed.
  func enqueue(_ job: @escaping Job) -> Bool {
    guard let spare = queue.append(job) else { return false }
    if spare < 0 { startThread() }
    return true
  }

  /// Takes no more reads, and ends the threads when those already taken are done.
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
        // It would go on seeing the snapshot of that read, and hold the log back.
        if connection?.isInTransaction == true {
          connection?.close()
          connection = nil
        }
      }
      connection?.close()
    }
  }
}
