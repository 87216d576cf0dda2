import Foundation
import Offshore
import OffshoreServer
import OffshoreWire
import Synchronization
import TestSupport
import Testing

extension AttackTests {
  /// A server that is killed while four devices write.
  struct KillStormTests {
    @Test(.timeLimit(.minutes(20)))
    func `Each edit that was answered is there after a kill, and none counts twice`() async throws {
      var server = try await AttackedServer()
      let token = try await server.signUp("ida").token
      let writers = try await Self.makeWriters(server, token)
      var random = SystemRandomNumberGenerator()
      for _ in 0..<Rounds.count(ofSoak: 100, else: 3) {
        let answered = Counter()
        let port = server.port
        async let storm: [Void] = Threads.run(writers.count) {
          writers[$0].write(to: port, answered)
        }
        await answered.wait(for: Int.random(in: 1...100, using: &random))
        await server.kill()
        _ = try await storm
        try await Self.check(server.file, writers)
        server = try await AttackedServer(continuing: server.folder)
      }
      // Edits without an answer are sent again, as a device does.
      let port = server.port
      let results = try await Threads.run(writers.count) { try writers[$0].finish(to: port) }
      #expect(!results.contains(false))
      try await server.stop()
      try await Self.check(server.file, writers)
      let counts = writers.map(\.counts)
      #expect(counts.allSatisfy { $0.answered == $0.sent && $0.sent > 0 }, "\(counts)")
      print("kills: \(counts.map(\.answered)) batches answered")
    }

    /// Returns four devices of one account that write to one scope.
    private static func makeWriters(
      _ server: AttackedServer, _ token: String
    ) async throws -> [StormWriter] {
      let owner = try RawDevice()
      try await owner.fill(server, token, [owner.note("total")])
      return (0..<4).map { StormWriter(RawDevice(sharing: owner.scope), "\($0)", token) }
    }

    /// Checks the file of a server that does not run.
    private static func check(_ file: String, _ writers: [StormWriter]) async throws {
      let database = try Database(file)
      let integrity = try await database.read {
        try SQL("PRAGMA integrity_check").all($0, as: String.self)
      }
      await database.close()
      #expect(integrity == ["ok"])
      let storage = try SQLiteStorage(file, epoch: 1)
      let rows = try await storage.read { [scope = writers[0].device.scope] in
        try $0.rows(in: scope, after: 0, limit: .max)
      }
      await storage.close()
      let ids = Set(rows.map(\.row.id))
      for writer in writers {
        let lost = writer.answeredNotes.subtracting(ids)
        #expect(lost.isEmpty, "\(lost.count) notes that were answered are gone: \(lost.sorted())")
      }
      guard
        case .integer(let votes)? = rows.first(where: { $0.row.id == "total" })?
          .state.fields["votes"]
      else {
        Issue.record("The counter is gone.")
        return
      }
      let counts = writers.map(\.counts)
      let least = Int64(counts.reduce(0) { $0 + $1.answered })
      let most = Int64(counts.reduce(0) { $0 + $1.sent })
      #expect(least <= votes && votes <= most)
    }
  }
}

/// A device that pushes one batch after the other: a new note, and a vote for a note of all.
private final class StormWriter: Sendable {
  private struct State {
    var pending: Batch?
    var sent = 0
    var answered = 0
    var notes: Set<String> = []
  }

  let device: RawDevice
  private let name: String
  private let token: String
  private let state = Mutex(State())

  init(_ device: RawDevice, _ name: String, _ token: String) {
    (self.device, self.name, self.token) = (device, name, token)
  }

  /// The number of different batches that were sent, and of those that were answered.
  var counts: (sent: Int, answered: Int) { state.withLock { ($0.sent, $0.answered) } }

  /// The notes of answered batches.
  var answeredNotes: Set<String> { state.withLock(\.notes) }

  /// Pushes until the server does not answer any more.
  func write(to port: UInt16, _ answered: Counter) {
    while (try? push(pending ?? next(), to: port)) == true { answered.add() }
    // The kill may have been waiting for this many.
    answered.add(1_000)
  }

  /// Pushes the batch that was not answered, if there is one.
  /// - Returns: whether no batch without an answer is left.
  func finish(to port: UInt16) throws -> Bool {
    guard let batch = pending else { return true }
    return try push(batch, to: port)
  }

  private var pending: Batch? { state.withLock(\.pending) }

  private func next() -> Batch {
    let number = state.withLock { state in
      state.sent += 1
      return state.sent
    }
    let batch = device.batch([
      device.note("\(name)-\(number)", "A note in a storm."),
      device.edit(.increment, "total", ["votes": 1]),
    ])
    state.withLock { $0.pending = batch }
    return batch
  }

  private func push(_ batch: Batch, to port: UInt16) throws -> Bool {
    let call = try Call.message(device.push(batch), to: "v1/push", token: token)
    let result = try call.send(to: port).message(PushResponse.self).results.first
    guard case .applied? = result?.outcome else {
      Issue.record("A batch of the storm was answered by \(result as Any).")
      return false
    }
    state.withLock { state in
      state.pending = nil
      state.answered += 1
      if let note = batch.ops.first?.row.id { state.notes.insert(note) }
    }
    return true
  }
}
