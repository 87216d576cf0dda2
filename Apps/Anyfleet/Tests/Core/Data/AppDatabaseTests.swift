import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreLogging
import TestSupport
import Testing

@testable import Anyfleet

struct AppDatabaseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `Stored data survives closing and reopening the file`() async throws {
    let path = folder.file("anyfleet.sqlite")
    let charter = CharterModel.sample()
    do {
      let first = try AppDatabase(path: path)
      try await LocalRepository(database: first, logger: .init(.repository, to: .none))
        .createCharter(charter)
      await first.database.close()
    }
    let second = try Fixture(AppDatabase(path: path))
    #expect(try await second.repository.fetchAllCharters() == [charter])
  }

  @Test func `A new database is empty`() async throws {
    let fixture = try Fixture()
    for table in ["charters", "checklists", "checklistExecutionStates", "checklistItemNotes"] {
      #expect(try await fixture.count(table) == 0)
    }
  }

  @Test func `Opening a database at an impossible path throws an error`() {
    #expect(throws: DatabaseError.self) { try AppDatabase(path: folder.file("none/x.sqlite")) }
  }
}
