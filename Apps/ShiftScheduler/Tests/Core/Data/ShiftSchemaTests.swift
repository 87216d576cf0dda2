import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import Testing

@testable import ShiftScheduler

/// The synced tables of a user's own records.
struct ShiftSchemaTests {
  @Test func `All records of a user are in the personal scope of the account`() throws {
    let manifest = try ShiftSchema.current.manifest
    #expect(
      Set(manifest.tables.map(\.name)) == ["locations", "shiftTypes", "shifts", "changes"])
    #expect(manifest.personalKinds == ["person"])
    #expect(manifest.tables.allSatisfy { $0.scopeKind == "person" && $0.scopeColumn == "userID" })
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
