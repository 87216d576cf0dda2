import Foundation
import Offshore
import OffshoreLogging
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

struct RepositoryErrorTests {
  private struct Strange: Error {}

  @Test
  func `An error of the database keeps its cause, which selects the error that the app shows`() {
    let full = RepositoryError(DatabaseError(.diskFull, "Free some space."))
    #expect(full == .databaseUnavailable)
    #expect(full.asAppError == .database(.full))
    #expect(full.logCode == "databaseUnavailable.diskFull")
    #expect(RepositoryError.databaseUnavailable.asAppError == .database(.readFailed))
    #expect(RepositoryError.databaseUnavailable.logCode == "databaseUnavailable")
  }

  @Test func `A missing row is not found`() {
    #expect(RepositoryError(DatabaseError(.notFound, "")) == .notFound)
    #expect(RepositoryError(DatabaseError(.danglingReference, "")) == .notFound)
    #expect(RepositoryError.notFound.asAppError == .database(.notFound))
    #expect(RepositoryError.notFound.logCode == "notFound")
  }

  @Test func `Damage is shown with row and column, and logged with the column only`() {
    let error = RepositoryError.serializationFailed(row: "A", column: "itemStates")
    #expect(error.asAppError == .database(.unreadable(.init(column: "itemStates", row: "A"))))
    #expect(error.asAppError.detail == "itemStates, A")
    #expect(!error.asAppError.isRetryable)
    #expect(error.logCode == "serializationFailed.itemStates")
    #expect(error.description.contains("Row A"))
  }

  @Test
  func `Damage found by a read is also reported with its table, and logged with the row's id`()
    async throws
  {
    let fixture = try Fixture()
    let charter = try await fixture.charter()
    _ = try await fixture.database.database.write { try $0.damageCharters() }
    _ = try await fixture.repository.fetchAllCharters()
    let (id, place) = (charter.id.uuidString, "serializationFailed.charters.crew")
    #expect(
      fixture.lines.last
        == "warning repository row left out error=RepositoryError.\(place) row=\(id)")
    do {
      _ = try await fixture.repository.fetchCharter(id: charter.id)
      Issue.record("Damage was read")
    } catch {
      #expect(error.asAppError.detail == "charters.crew, \(id)")
    }
  }

  @Test func `Other errors become databaseUnavailable, and repository errors stay unchanged`() {
    #expect(RepositoryError(Strange()) == .databaseUnavailable)
    #expect(RepositoryError(RepositoryError.notFound as any Error) == .notFound)
  }

  @Test func `A cancelled read is not logged as a failure`() async throws {
    let fixture = try Fixture()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await fixture.repository.fetchAllCharters()
    }
    await #expect(throws: RepositoryError.databaseUnavailable) { try await task.value }
    #expect(fixture.log == ["debug fetchAllCharters started", "debug fetchAllCharters cancelled"])
  }

  @Test func `Errors can be caught by their kind`() {
    do {
      throw RepositoryError.notFound
    } catch RepositoryError.databaseUnavailable {
      Issue.record("Caught as another kind")
    } catch RepositoryError.notFound {
    } catch {
      Issue.record("Not caught by its kind")
    }
    #expect(!(RepositoryError.notFound ~= (Strange() as any Error)))
  }

  @Test func `A failed save is reported as a write failure`() {
    #expect(AppError(saving: RepositoryError.databaseUnavailable) == .database(.writeFailed))
    #expect(AppError(saving: RepositoryError.notFound) == .database(.notFound))
  }
}
