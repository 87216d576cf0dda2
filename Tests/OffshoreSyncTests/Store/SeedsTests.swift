import Foundation
import Offshore
import OffshoreSync
import Testing

/// The first rows of a user.
struct SeedsTests {
  private let journey: Journey
  private let user = UUID()

  init() throws { journey = try Journey(userID: user) }

  private func seed(of user: UUID? = nil) async throws -> Bool {
    let user = user ?? self.user
    return try await journey.store.seed(
      [
        Note(id: UUID(), ownerID: user, title: "Fuel"),
        Note(id: UUID(), ownerID: user, title: "Gas"),
      ], of: user)
  }

  @Test func `A user is seeded once, also if the seeds are deleted`() async throws {
    #expect(try await seed())
    #expect(try await journey.texts("SELECT title FROM notes ORDER BY title") == ["Fuel", "Gas"])
    try await journey.run("DELETE FROM notes")
    #expect(try await !seed())
    #expect(try await journey.texts("SELECT title FROM notes") == [])
  }

  @Test func `A user with rows of a personal kind is not seeded, whatever other rows exist`()
    async throws
  {
    let other = UUID()
    try await journey.store.write { [user] writer in
      try Trip(id: UUID(), name: "Kornati").insert(writer)
      try CurrentTrip(id: user, tripID: nil).insert(writer)
    }
    #expect(try await !seed())
    try await journey.run("DELETE FROM currentTrips")
    #expect(try await !seed(), "it was decided")
    #expect(try await seed(of: other))
  }

  @Test func `Seeds that cannot be stored leave no rows, and are tried again`() async throws {
    try await journey.run(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON notes WHEN NEW.title = 'Gas'
      BEGIN SELECT raise(ABORT, 'refused'); END
      """)
    await #expect(throws: DatabaseError.self) { try await seed() }
    #expect(try await journey.texts("SELECT title FROM notes") == [])
    try await journey.run("DROP TRIGGER refuse")
    #expect(try await seed())
  }
}
