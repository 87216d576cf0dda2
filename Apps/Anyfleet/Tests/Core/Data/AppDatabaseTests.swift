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

  @Test
  func `The shared database lies in the data folder that the system names, or in its default`() {
    let set = AppDatabase.defaultPath(environment: ["XDG_DATA_HOME": "/data"], home: "/home/ada")
    #expect(set == "/data/anyfleet/anyfleet.sqlite")
    for environment in [[:], ["XDG_DATA_HOME": ""], ["XDG_DATA_HOME": "relative"]] {
      #expect(
        AppDatabase.defaultPath(environment: environment, home: "/home/ada")
          == "/home/ada/.local/share/anyfleet/anyfleet.sqlite")
    }
  }
}
