import Anyfleet
import Foundation
import Offshore
import TestSupport
import Testing

extension FaultTests {
  /// A disk of a few megabytes that is written full to the last byte.
  @Suite(.serialized)
  struct FullDiskTests {
    /// The result of one task that writes until it fails.
    private struct Outcome {
      let answered: [String]
      let code: DatabaseError.Code?
    }

    private static let smallDisk = ProcessInfo.processInfo.environment["OFFSHORE_SMALL_DISK"]

    @Test(.enabled(if: smallDisk != nil, "Set OFFSHORE_SMALL_DISK to a folder on a disk of 4 MB."))
    func
      `Every answered write survives a full disk, and writes succeed again when there is room`()
      async throws
    {
      let disk = try #require(Self.smallDisk)
      for round in 0..<Rounds.count(ofSoak: 50, else: 3) {
        let folder = disk + "/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(count: 1_000_000 + Int.random(in: 0...500_000))
          .write(to: URL(filePath: folder + "/filler"))
        let path = folder + "/full.sqlite"
        let database = try Database(path)
        try await database.write {
          try SQL("CREATE TABLE entries (name TEXT PRIMARY KEY, payload BLOB NOT NULL)").run($0)
        }
        var answered = try await fill(database, round)
        try await expect(answered, in: database, round)

        try FileManager.default.removeItem(atPath: folder + "/filler")
        try await insert("after", into: database)
        answered.insert("after")
        try await expect(answered, in: database, round)
        await database.close()
        let opened = try Database(path)
        try await expect(answered, in: opened, round)
        await opened.close()
      }
    }

    @Test(.enabled(if: smallDisk != nil, "Set OFFSHORE_SMALL_DISK to a folder on a disk of 4 MB."))
    func `A tick on a full disk is refused, and the host continues when there is room`()
      async throws
    {
      let folder = try #require(Self.smallDisk) + "/\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let subject = try await RunningChecklist(in: folder)
      let host = try FaultProcess("offshore-apps", ["--home", folder, "--port", "0"])
      defer { host.kill() }
      let address = try #require(await host.lines(1).first?.split(separator: " ").last)
      let items = subject.checklist.items.map(\.id)
      let skipper = try Skipper(String(address), subject.page, items)
      let tab = try await skipper.openPage()
      try fillDisk(folder + "/filler")

      var (stored, status) = ([UUID: Bool](), 204)
      for number in 0... {
        let item = items[number % items.count]
        let isOn = stored[item] != true
        status = try await skipper.tick(item, isOn, tab: tab)
        if status != 204 { break }
        stored[item] = isOn
      }
      #expect(status == 422)
      try FileManager.default.removeItem(atPath: folder + "/filler")
      let last = items[0]
      #expect(try await skipper.tick(last, true, tab: tab) == 204)
      stored[last] = true

      host.kill()
      _ = await host.status()
      let database = try AppDatabase(path: folder + "/anyfleet.sqlite")
      let state = try await LocalRepository(database: database).loadExecutionState(
        checklistID: subject.checklist.id, charterID: subject.charter)
      for item in items {
        #expect(state?.itemStates[item]?.isChecked ?? false == stored[item] ?? false)
      }
      await database.database.close()
    }

    /// Writes a file until the disk is full.
    private func fillDisk(_ path: String) throws {
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      defer { try? file.close() }
      for size in [4096, 1] {
        while (try? file.write(contentsOf: Data(count: size))) != nil {}
      }
    }

    /// Writes in eight tasks until a write of each one fails.
    /// - Returns: the names of the rows whose writes were answered.
    private func fill(_ database: Database, _ round: Int) async throws -> Set<String> {
      let outcomes = await withTaskGroup(of: Outcome.self) { group in
        for writer in 0..<8 { group.addTask { await storm(database, writer) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let answered = outcomes.reduce(into: Set()) { $0.formUnion($1.answered) }
      let codes = Set(outcomes.map(\.code))
      #expect(codes.contains(.diskFull), "round \(round)")
      // A write in the same group commit as the one that hit the full disk fails with
      // `transaction`.
      #expect(codes.isSubset(of: [.diskFull, .transaction]), "round \(round): \(codes)")
      #expect(!answered.isEmpty, "round \(round)")
      return answered
    }

    private func storm(_ database: Database, _ writer: Int) async -> Outcome {
      var answered: [String] = []
      while true {
        let name = "\(writer) \(answered.count)"
        do {
          try await insert(name, into: database)
          answered.append(name)
        } catch {
          return Outcome(answered: answered, code: (error as? DatabaseError)?.code)
        }
      }
    }

    private func insert(_ name: String, into database: Database) async throws {
      let payload = Int.random(in: 10...3000)
      try await database.write {
        try SQL("INSERT INTO entries VALUES (\(name), zeroblob(\(payload)))").run($0)
      }
    }

    private func expect(
      _ answered: Set<String>, in database: Database, _ round: Int
    ) async throws {
      let (stored, verdict) = try await database.read { reader in
        (
          Set(try SQL("SELECT name FROM entries").all(reader, as: String.self)),
          try SQL("PRAGMA integrity_check").all(reader, as: String.self)
        )
      }
      #expect(verdict == ["ok"], "round \(round)")
      // A refused write is not stored.
      #expect(stored == answered, "round \(round)")
    }
  }
}
