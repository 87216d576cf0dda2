import Offshore
import OffshoreLogging
import OffshorePresentation
import Testing

private struct Strange: Error { var detail = "x" }

private struct Known: AppErrorConvertible {
  let asAppError = AppError.content(.tooLarge)
}

struct AppErrorTests {
  /// Every case with its id, whether it can be retried, and its sentence.
  private static let cases: [(AppError, String, Bool, String)] = [
    (.network(.offline), "network.offline", true, "There is no connection."),
    (.network(.timedOut), "network.timedOut", true, "The server did not answer in time."),
    (
      .network(.server(statusCode: 503)), "network.server", true,
      "The server answered with error 503."
    ),
    (
      .network(.server(statusCode: 404)), "network.server", false,
      "The server answered with error 404."
    ),
    (.network(.rateLimited(retryAfter: 5)), "network.rateLimited", true, "The server is busy."),
    (.network(.cancelled), "network.cancelled", false, "The request was cancelled."),
    (.auth(.notSignedIn), "auth.notSignedIn", false, "You are not signed in."),
    (
      .auth(.invalidCredentials), "auth.invalidCredentials", false,
      "Name and password do not match."
    ),
    (.auth(.expired), "auth.expired", false, "Your sign-in has expired."),
    (.auth(.forbidden), "auth.forbidden", false, "You are not allowed to do this."),
    (.content(.notFound), "content.notFound", false, "This does not exist, or not any more."),
    (.content(.unreadable), "content.unreadable", false, "This cannot be read."),
    (.content(.tooLarge), "content.tooLarge", false, "This is too large."),
    (.sync(.conflict), "sync.conflict", false, "This was changed on another device too."),
    (
      .sync(.rejected(reason: "No.")), "sync.rejected", false,
      "The server did not accept a change: No."
    ),
    (.sync(.tooOld), "sync.tooOld", false, "This version of the app is too old to sync."),
    (.sync(.paused), "sync.paused", true, "Syncing is paused."),
    (.validation(.emptyName), "validation.emptyName", false, "Enter a name."),
    (
      .validation(.invalidDateRange), "validation.invalidDateRange", false,
      "The end lies before the start."
    ),
    (
      .validation(.missingRequiredFields), "validation.missingFields", false,
      "Some required fields are empty."
    ),
    (
      .validation(.tooShort(field: "name", minimum: 1)), "validation.tooShort.name", false,
      "Name needs at least 1 character."
    ),
    (
      .validation(.tooLong(field: "boatName", maximum: 80)), "validation.tooLong.boatName", false,
      "Boat name may have at most 80 characters."
    ),
    (
      .validation(.outOfRange(field: "guests")), "validation.outOfRange.guests", false,
      "Guests is not in the possible range."
    ),
    (.database(.readFailed), "database.readFailed", true, "Your data could not be read."),
    (.database(.writeFailed), "database.writeFailed", true, "Your change could not be saved."),
    (
      .database(.migrationFailed), "database.migrationFailed", false,
      "Your data could not be prepared for this version of the app."
    ),
    (
      .database(.corrupted(detail: "charters.name")), "database.corrupted", false,
      "Some of your data is damaged (charters.name)."
    ),
    (
      .database(.notFound), "database.notFound", true,
      "This does not exist on this device, or not any more."
    ),
    (.database(.full), "database.full", true, "The disk is full, so your change was not saved."),
    (.database(.busy), "database.busy", true, "Your data is in use by another program."),
    (.unknown(underlying: Strange()), "unknown", true, "Something went wrong."),
  ]

  @Test func `Every case has a stable id, says whether to retry, and has a sentence`() {
    for (error, id, isRetryable, message) in Self.cases {
      #expect(error.id == id)
      #expect(error.isRetryable == isRetryable, "\(id)")
      #expect(error.localizedMessage == message)
      #expect(error.logCode == id)
    }
  }

  @Test func `What one can do is suggested for all but what a field's sentence says`() {
    for (error, id, _, _) in Self.cases {
      let says = id.hasPrefix("validation.") || id == "network.cancelled"
      #expect((error.recoverySuggestion == nil) == says, "\(id)")
    }
    #expect(
      AppError.network(.rateLimited(retryAfter: 1)).recoverySuggestion == "Try again in 1 second.")
    #expect(
      AppError.network(.rateLimited(retryAfter: nil)).recoverySuggestion
        == "Try again in a moment.")
  }

  @Test func `Errors are equal where they say the same`() {
    for (index, (error, _, _, _)) in Self.cases.enumerated() {
      #expect(Self.cases.map { $0.0 == error }.firstIndex(of: true) == index)
    }
    #expect(
      AppError.unknown(underlying: Strange()) != .unknown(underlying: Strange(detail: "y")))
  }

  @Test func `Any error becomes one`() {
    #expect(Strange().asAppError == .unknown(underlying: Strange()))
    #expect(Known().asAppError == .content(.tooLarge))
    #expect((AppError.sync(.paused) as any Error).asAppError == .sync(.paused))
    #expect(NetworkError.offline.asAppError == .network(.offline))
    #expect(AuthError.expired.asAppError == .auth(.expired))
    #expect(ContentError.notFound.asAppError == .content(.notFound))
    #expect(SyncError.tooOld.asAppError == .sync(.tooOld))
    #expect(ValidationError.emptyName.asAppError == .validation(.emptyName))
    #expect(DatabaseFailure.busy.asAppError == .database(.busy))
  }

  @Test(
    "A database's errors become failures that say what to do",
    arguments: [
      (DatabaseError.Code.corrupted, DatabaseFailure.corrupted(detail: "corrupted")),
      (.notADatabase, .corrupted(detail: "notADatabase")),
      (.invalidValue, .corrupted(detail: "invalidValue")),
      (.migrationFailed, .migrationFailed), (.newerVersion, .migrationFailed),
      (.notFound, .notFound), (.diskFull, .full), (.busy, .busy), (.constraint, .writeFailed),
      (.readOnly, .writeFailed), (.inputOutput, .readFailed), (.closed, .readFailed),
    ])
  func databaseErrors(_ code: DatabaseError.Code, _ failure: DatabaseFailure) {
    let error = DatabaseError(code, "Do something.")
    #expect(error.asAppError == .database(failure))
    #expect((error as any Error).asAppError == .database(failure))
    #expect(error.logCode == "\(code)")
  }

  @Test func `Damage is named by table and column, without values`() async throws {
    let database = try Database.inMemory()
    let error = await #expect(throws: DatabaseError.self) {
      try await database.write { writer in
        try SQL("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES ('Ada')").run(writer)
        _ = try SQL("SELECT n FROM t").all(writer, as: Int.self)
      }
    }
    #expect(error?.asAppError.id == "database.corrupted")
    #expect(error?.asAppError.localizedMessage.contains("Ada") == false)
  }
}
