import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import Testing

@testable import ShiftScheduler

/// The synced tables: a user's own records, and teams.
struct ShiftSchemaTests {
  @Test func `All records of a user are in the personal scope of the account`() throws {
    let manifest = try ShiftSchema.current.manifest
    let tables = manifest.tables.filter { $0.scopeKind == "person" }
    #expect(Set(tables.map(\.name)) == ["locations", "shiftTypes", "shifts", "changes"])
    #expect(manifest.personalKinds == ["person"])
    #expect(tables.allSatisfy { $0.scopeColumn == "userID" && $0.writers == .members })
  }

  @Test func `A team is a scope of its own, whose tables have their writers`() throws {
    let manifest = try ShiftSchema.current.manifest
    let tables = manifest.tables.filter { $0.scopeKind == "team" }
    let writers = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0.writers) })
    #expect(
      writers == [
        "teams": .owners, "publishedShifts": .owners, "swapDecisions": .owners,
        "swapOffers": .author("authorID"), "swapAnswers": .author("authorID"),
      ])
    #expect(manifest.claimableKinds == ["team"])
    #expect(manifest.tables.count == 9)
  }

  @Test func `The rows become the account's, and later changes are captured`() async throws {
    let database = try ShiftDatabase.makeEmpty()
    let repository = DatabaseRepository(database: database)
    try await repository.saveShift(.june(1))
    let account = LinkedAccount(id: UUID(), name: "ann")
    try await database.store.link(account, token: nil)
    try await repository.saveShift(.june(2))
    let users = try await database.store.read { reader in
      try SQL("SELECT userID FROM shifts UNION ALL SELECT userID FROM changes")
        .all(reader, as: UUID.self)
    }
    #expect(users == Array(repeating: account.id, count: 4))
    var pending = database.store.changes.pending().makeAsyncIterator()
    #expect(try await pending.next()?.listed.count == 4)
    #expect(try await repository.loadShifts() == [.june(1), .june(2)])
  }
}
