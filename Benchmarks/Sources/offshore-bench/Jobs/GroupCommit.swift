import Dispatch
import Foundation
import Offshore

/// 64 concurrent writers that each wait until their row is durable: shared commits, compared with a
/// commit for each write on a dedicated thread.
///
/// Each writer increments a number in its own row, like a form that stores every change of its
/// user. Both sides sync the disk before they answer (`synchronous = FULL`). The times are those of
/// 1,000 writes; a round of ours has more of them, because so few end too soon to be timed.
struct GroupCommit: Job {
  let name = "group-commit"
  let goal = Goal.throughputRatio(must: 15, aim: 21)

  private let writers = 64
  private let ourWritesEach = 200
  private let baselineWritesEach = 20

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let entries = (0..<writers).map { Entry(id: UUID(), name: "writer \($0)", number: 0) }
    let ours = try Database(folder.file("ours.sqlite"))
    try await ours.write { writer in
      try SQL(raw: Entry.creation).run(writer)
      try Entry.insert(contentsOf: entries, writer)
    }
    let baseline = try SingleCommits(folder.file("baseline.sqlite"))
    try await baseline.write { try Entry.insert(contentsOf: entries, $0) }
    var measurement = try await Measurement.interleaved {
      try await concurrently(entries, ourWritesEach) { entry in
        try await ours.write { try entry.update($0) }
      }
    } baseline: {
      try await concurrently(entries, baselineWritesEach) { entry in
        try await baseline.write { try entry.update($0) }
      }
    }
    measurement.ours = measurement.ours.map { $0 * 1000 / Double(writers * ourWritesEach) }
    measurement.baseline = measurement.baseline
      .map { $0 * 1000 / Double(writers * baselineWritesEach) }
    await ours.close()
    return measurement
  }

  private func concurrently(
    _ entries: [Entry], _ count: Int, _ write: @escaping @Sendable (Entry) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for var entry in entries {
        group.addTask {
          for number in 0..<count {
            entry.number = number
            try await write(entry)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// A small row.
private struct Entry: Record {
  let id: UUID
  var name: String
  var number: Int

  static let table = Table(
    "entries", Entry.init,
    Column("id", \.id).primaryKey(),
    Column("name", \.name),
    Column("number", \.number))

  static let creation = """
    CREATE TABLE entries (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL)
    """
}

/// A connection on a dedicated queue, on which each write has its own commit.
private final class SingleCommits: @unchecked Sendable {  // `queue` guards the connection.
  private let queue = DispatchQueue(label: "single-commits")
  private let connection: Connection

  init(_ path: String) throws {
    connection = try Connection(path)
    try connection.execute(SQL(raw: Entry.creation))
  }

  func write(_ body: @escaping @Sendable (Writer) throws -> Void) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      queue.async { [self] in
        continuation.resume(with: Result { try connection.write(body) })
      }
    }
  }
}
