import Dispatch
import Foundation

/// The thread of the only connection that writes.
///
/// Writes that queue up while a commit reaches the disk share the next one: they run one after the
/// other in one transaction, each but the first in a savepoint of its own, and are answered after the
/// commit. A first one that fails ends its transaction.
final class WriterThread: Sendable {
  /// How many writes share a commit at the most, so that none waits for ever.
  private static let groupLimit = 1024

  /// How long writes are let into a group: a short one does not wait for a long one behind it.
  private let groupDuration: Duration

  private let queue = WorkQueue<WriteJob>()

  /// Starts the thread; it owns the connection from here on.
  /// - Parameters:
  ///   - threads: the group that the thread is in until the connection is closed.
  ///   - groupDuration: how long writes are let into a group; the first is always in it.
  init(_ connection: sending Connection, threads: DispatchGroup, groupDuration: Duration) {
    self.groupDuration = groupDuration
    // The thread alone uses the connection, from its start to its end.
    nonisolated(unsafe) let connection = connection
    DatabaseThread.start("offshore.writer", in: threads) { [self] in
      while let jobs = queue.takeAll() { run(jobs, on: connection) }
      connection.close()
    }
  }

  /// Adds a write.
  /// - Returns: whether it was taken; the queue takes none once it is closed.
  func enqueue(_ job: WriteJob) -> Bool { queue.append(job) != nil }

  /// Takes no more writes, and ends the thread when those already taken are done.
  func close() { queue.close() }

  // MARK: - On the thread

  private func run(_ jobs: [WriteJob], on connection: Connection) {
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
    }
  }

  /// Runs waiting jobs in one transaction, and those that come meanwhile.
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
      if waiting.isEmpty { waiting = queue.takeAvailable()[...] }
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
  /// - Returns: why all of it failed, if it did. A first write that failed has ended the transaction; it is
  ///   answered why by itself.
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
