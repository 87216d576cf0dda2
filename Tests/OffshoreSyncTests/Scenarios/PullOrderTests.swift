import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// The order in which the scopes of an account are pulled. Charters are shared, and diaries personal.
struct PullOrderTests {
  private struct Entry: Record {
    let id: String
    let personID: String

    static let table = Table(
      "entries", Entry.init, Column("id", \.id).primaryKey(), Column("personID", \.personID))
  }

  private let device: TestDevice
  private let replica: Replica

  init() throws {
    let schema = try SyncSchema(
      version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id)),
      SyncTable(Entry.self, scope: .kind("diary", \.personID)), claimableKinds: ["charter"],
      personalKinds: ["diary"])
    replica = try Replica(schema)
    device = try TestDevice(
      schema,
      creating: [
        Charter.creation,
        "CREATE TABLE entries (id TEXT PRIMARY KEY NOT NULL, personID TEXT NOT NULL)",
      ])
  }

  /// Stores the cursor of a scope.
  private func add(_ scopes: [String], _ role: Role, epoch: UInt64 = 1) throws {
    try device.connection.write { writer in
      for scope in scopes {
        var cursor = ScopeCursor(try ScopeID(scope))
        cursor.role = role
        cursor.epoch = epoch
        try cursor.save(writer)
      }
    }
  }

  /// Returns the scopes of each round, or `nil` if one request has all.
  private func rounds(
    without excluded: Set<String> = [], hinted: Set<String> = [],
    limit: Int = WireLimits.scopesPerPull
  ) throws -> [Set<String>?] {
    try device.connection.read { reader in
      try replica.pullRounds(
        reader, without: Set(excluded.map { try ScopeID($0) }),
        hinted: Set(hinted.map { try ScopeID($0) }), limit: limit)
    }.map { round in round.map { Set($0.map(\.text)) } }
  }

  @Test func `Each of 10,000 scopes is in one round, of up to 1,000`() throws {
    let charters = (1...9_999).map { "charter/\($0)" }
    try add(charters, .editor)
    try add(["diary/me"], .owner)
    let rounds = try rounds().compactMap(\.self)
    #expect(rounds.count == 10 && rounds.allSatisfy { $0.count == 1_000 })
    #expect(Set(rounds.joined()) == Set(charters + ["diary/me"]))
    #expect(rounds.first?.contains("diary/me") == true)
  }

  @Test func `Each of 10,000 new scopes is in one round, and the first ones are small`() throws {
    let charters = (1...10_000).map { "charter/\($0)" }
    try add(charters, .viewer, epoch: 0)
    let rounds = try rounds().compactMap(\.self)
    #expect(rounds.first?.count == 125 && rounds.allSatisfy { $0.count <= 1_000 })
    #expect(rounds.reduce(0) { $0 + $1.count } == 10_000)
    #expect(Set(rounds.joined()) == Set(charters))
  }

  @Test func `The own personal scope is first, then hints, then new scopes, then the others`()
    throws
  {
    try add(["diary/me"], .owner)
    try add(["diary/other"], .viewer)
    try add((1...6).map { "charter/\($0)" }, .editor)
    try add(["charter/7"], .editor, epoch: 0)
    #expect(
      try rounds(hinted: ["charter/5", "charter/6"], limit: 4) == [
        ["diary/me", "charter/5", "charter/6", "charter/7"],
        ["charter/1", "charter/2", "charter/3", "charter/4"], ["diary/other"],
      ])
  }

  @Test func `Scopes that the account may not read, or that are set aside, are in no round`() throws
  {
    try add(["charter/1", "charter/2", "charter/3"], .editor)
    try add(["charter/4"], .left)
    try add(["charter/5"], .revoked)
    #expect(try rounds(limit: 2) == [["charter/1", "charter/2"], ["charter/3"]])
    #expect(try rounds(without: ["charter/2"], limit: 2) == [["charter/1", "charter/3"]])
    #expect(try rounds() == [nil])
  }
}
