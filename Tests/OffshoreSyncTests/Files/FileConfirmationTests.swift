import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Rows that reach the server long after their files.
struct FileConfirmationTests {
  private static let hour: Int64 = 3_600_000
  private let harbour: Harbour
  private let file = BlobReference(ContentHash(of: [1]))
  private var ship: Ship { harbour.ships[0] }

  init() throws {
    let schema = try SyncSchema(
      version: 1, SyncTable(Picture.self, scope: .kind("charter", \.charterID), .file(\.image)))
    harbour = try Harbour(
      ships: 1, granting: ["c1", "c2"], schema: schema, creating: [Picture.creation])
    try harbour.settle()
  }

  /// Inserts a picture whose file the lane sends at once.
  private func insert() throws {
    try ship.run("INSERT INTO pictures VALUES ('a/\"p', 'c1', 'v', \(file.text))")
    try confirm("c1")
  }

  /// Records that the server has the file now.
  private func confirm(_ charter: String) throws {
    let scope = try ScopeID(kind: "charter", value: charter)
    let now = harbour.now
    try ship.device.connection.write {
      try FileQueue.complete(.send(file.hash, scope), at: now, $0)
    }
  }

  /// Returns whether the server has the file in each scope with a row that refers to it.
  private func stored() throws -> [String: Bool] {
    let entries = try ship.device.connection.read { try FileEntry.all.all($0) }
    return Dictionary(
      entries.filter { $0.references > 0 }.map { ($0.scope, $0.isStored) },
      uniquingKeysWith: { first, _ in first })
  }

  @Test(arguments: [(23, true), (25, false), (-1, false)] as [(Int64, Bool)])
  func `A file is sent again if its row arrives more than a day later, or the clock was wrong`(
    hours: Int64, isStored: Bool
  ) throws {
    try insert()
    if hours > 0 { harbour.now += hours * Self.hour } else { ship.clockError = hours * Self.hour }
    #expect(try ship.push()?.applied == 1)
    #expect(try stored() == ["charter/c1": isStored])
  }

  @Test func `A file is sent again if only a pull tells that its row has arrived`() throws {
    try insert()
    harbour.now += 25 * Self.hour
    try ship.push(losingAnswer: true)
    #expect(try stored() == ["charter/c1": true])
    try ship.pullAll()
    #expect(try stored() == ["charter/c1": false])
  }

  @Test func `A file of a row that is moved is sent again to the new scope`() throws {
    try insert()
    try ship.push()
    try ship.run("UPDATE pictures SET charterID = 'c2'")
    try confirm("c2")
    harbour.now += 25 * Self.hour
    #expect(try ship.push()?.applied == 1)
    #expect(try stored() == ["charter/c2": false])
  }

  @Test func `An edit of another column sends no file again, and one of the file does`() throws {
    try insert()
    try ship.push()
    try ship.run("UPDATE pictures SET value = 'w'")
    harbour.now += 25 * Self.hour
    #expect(try ship.push()?.applied == 1)
    #expect(try stored() == ["charter/c1": true])
    try ship.run("UPDATE pictures SET image = NULL")
    try ship.push()
    try ship.run("UPDATE pictures SET image = \(file.text)")
    try confirm("c1")
    harbour.now += 25 * Self.hour
    #expect(try ship.push()?.applied == 1)
    #expect(try stored() == ["charter/c1": false])
  }
}
