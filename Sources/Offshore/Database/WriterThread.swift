import Dispatch
import Foundation

/// The thread of the only connection that writes.
///
/// Writes that are queued while a commit reaches the disk share the next one. They run one after
/// the other in one transaction, each but the first in its own savepoint, and are answered after
/// the commit. If the first one fails, the transaction ends.
final class WriterThread: Sendable {
  /// The maximum number of writes that share a commit, so that no caller waits forever.
  private static let groupLimit = 1024

  /// The time for which a group accepts writes, so that a short write does not wait for a long one
  /// behind it.
  private let groupDuration: Duration

  private let queue = WorkQueue<WriteJob>()

  /// Starts the thread, which owns the connection from then on.
  /// - Parameters:
  ///   - threads: The group that the thread belongs to until the connection is closed.
  ///   - groupDuration: The time for which a group accepts writes after its first one.
  ///   - reads: The reads of the database, which the write-ahead log may have to wait for.
  init(
    _ connection: sending Connection, threads: DispatchGroup, groupDuration: Duration,
    reads: RunningReads
  ) {
    self.groupDuration = groupDuration
    // The thread alone uses the connection, from its start to its end.
    nonisolated(unsafe) let connection = connection
    DatabaseThread.start("offshore.writer", in: threads) { [self] in
      var upkeep = LogUpkeep(reads) { [self] in _ = enqueue(.nothing) }
      while let jobs = queue.dequeueAll() { run(jobs, on: connection, &upkeep) }
      connection.close()
    }
  }

  /// Enqueues a write.
  /// - Returns: Whether the write was accepted; `false` once the queue is closed.
  func enqueue(_ job: WriteJob) -> Bool { queue.append(job) != nil }

  /// Refuses further writes, and ends the thread after the queued ones.
  func close() { queue.close() }

  // MARK: - On the thread

  private func run(
    _ jobs: [WriteJob], on connection: Connection, _ upkeep: inout LogUpkeep
  ) {
    var waiting = jobs[...]
    while true {
      while let job = waiting.first, job.cancellation.isSet {
        job.fail(CancellationError())
        waiting.removeFirst()
      }
      guard let next = waiting.first else { break }
      if next.isAlone {
        waiting.removeFirst()
        next.run(connection, true)(nil)
      } else {
        runGroup(&waiting, on: connection)
      }
      // The callers have their answers.
      upkeep.run(on: connection)
    }
  }

  /// Runs queued jobs, including those that arrive meanwhile, in one transaction.
  private func runGroup(_ waiting: inout ArraySlice<WriteJob>, on connection: Connection) {
    do {
      try connection.begin(.write)
    } catch {
      while let job = waiting.popFirst() { job.fail(error) }
      return
    }
    let end = ContinuousClock.now + groupDuration
    var answers: [WriteJob.Answer] = []
    while answers.isEmpty || answers.count < Self.groupLimit && ContinuousClock.now < end,
      connection.isWriting
    {
      if waiting.isEmpty { waiting = queue.dequeueAvailable()[...] }
      guard let job = waiting.first, !job.isAlone else { break }
      waiting.removeFirst()
      connection.cancellation = job.cancellation
      answers.append(job.run(connection, answers.isEmpty))
      connection.cancellation = nil
    }
    let failure = Self.commit(connection)
    for answer in answers { answer(failure) }
  }

  /// Commits a group.
  /// - Returns: The error of the commit, if it failed. If the first write has failed and ended the
  ///   transaction, its own error takes precedence.
  private static func commit(_ connection: Connection) -> (any Error)? {
    do {
      try connection.commit()
      return nil
    } catch {
      connection.rollBack()
      return error
    }
  }
}
