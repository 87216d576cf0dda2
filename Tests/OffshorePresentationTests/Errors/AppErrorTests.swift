import Foundation
import Offshore
import OffshoreFiles
import OffshoreImages
import OffshoreLogging
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

private struct Strange: Error { var detail = "x" }

private struct Known: AppErrorConvertible {
  let asAppError = AppError.content(.tooLarge)
}

struct AppErrorTests {
  /// Every case with its id and whether it can be retried.
  private static let cases: [(AppError, String, Bool)] = [
    (.network(.offline), "network.offline", true),
    (.network(.timedOut), "network.timedOut", true),
    (.network(.server(statusCode: 503)), "network.server", true),
    (.network(.server(statusCode: 404)), "network.server", false),
    (.network(.rateLimited(retryAfter: 5)), "network.rateLimited", true),
    (.network(.cancelled), "network.cancelled", false),
    (.auth(.notSignedIn), "auth.notSignedIn", false),
    (.auth(.invalidCredentials), "auth.invalidCredentials", false),
    (.auth(.expired), "auth.expired", false),
    (.auth(.forbidden), "auth.forbidden", false),
    (.content(.notFound), "content.notFound", false),
    (.content(.unreadable), "content.unreadable", false),
    (.content(.tooLarge), "content.tooLarge", false),
    (.content(.notABackup), "content.notABackup", false),
    (.content(.newerBackup), "content.newerBackup", false),
    (.content(.wrongImageType), "content.wrongImageType", false),
    (.content(.imageTooLarge), "content.imageTooLarge", false),
    (.content(.imageDamaged), "content.imageDamaged", false),
    (.content(.imageFailed), "content.imageFailed", false),
    (.content(.imagesUnavailable), "content.imagesUnavailable", false),
    (.sync(.conflict), "sync.conflict", false),
    (.sync(.rejected(reason: "No.")), "sync.rejected", false),
    (.sync(.tooOld), "sync.tooOld", false),
    (.sync(.paused), "sync.paused", true),
    (.validation(.emptyName), "validation.emptyName", false),
    (.validation(.invalidDateRange), "validation.invalidDateRange", false),
    (.validation(.missingRequiredFields), "validation.missingFields", false),
    (.validation(.tooShort(field: "name", minimum: 1)), "validation.tooShort.name", false),
    (.validation(.tooLong(field: "boatName", maximum: 80)), "validation.tooLong.boatName", false),
    (.validation(.outOfRange(field: "guests")), "validation.outOfRange.guests", false),
    (.database(.readFailed), "database.readFailed", true),
    (.database(.writeFailed), "database.writeFailed", true),
    (.database(.refused(detail: "charters.guests")), "database.refused", false),
    (.database(.migrationFailed), "database.migrationFailed", false),
    (.database(.newerVersion), "database.newerVersion", false),
    (.database(.corrupted(detail: "notADatabase")), "database.corrupted", false),
    (.database(.fileDamaged(name: "a.json", hasCopy: true)), "database.fileDamaged", false),
    (.database(.unreadable(.init(column: "name", row: "1"))), "database.unreadable", false),
    (.database(.notFound), "database.notFound", true),
    (.database(.full), "database.full", true),
    (.database(.busy), "database.busy", true),
    (.unknown(underlying: Strange()), "unknown", true),
  ]

  @Test func `Every case has a stable id and states whether it can be retried`() {
    for (error, id, isRetryable) in Self.cases {
      #expect(error.id == id)
      #expect(error.isRetryable == isRetryable, "\(id)")
      #expect(error.logCode == id)
    }
  }

  @Test func `Errors with the same message are equal`() {
    for (index, (error, _, _)) in Self.cases.enumerated() {
      #expect(Self.cases.map { $0.0 == error }.firstIndex(of: true) == index)
    }
    #expect(
      AppError.unknown(underlying: Strange()) != .unknown(underlying: Strange(detail: "y")))
  }

  @Test func `Any error can be converted`() {
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

  @Test(arguments: [
    (DatabaseError.Code.corrupted, DatabaseFailure.corrupted(detail: "corrupted")),
    (.notADatabase, .corrupted(detail: "notADatabase")),
    (.invalidValue, .refused(detail: "invalidValue")),
    (.migrationFailed, .migrationFailed), (.newerVersion, .newerVersion),
    (.notFound, .notFound), (.diskFull, .full), (.busy, .busy),
    (.constraint, .refused(detail: "constraint")), (.danglingReference, .notFound),
    (.readOnly, .writeFailed), (.inputOutput, .readFailed), (.closed, .readFailed),
  ]) func `A database's errors become failures with a remedy`(
    _ code: DatabaseError.Code, _ failure: DatabaseFailure
  ) {
    let error = DatabaseError(code, "Do something.")
    #expect(error.asAppError == .database(failure))
    #expect((error as any Error).asAppError == .database(failure))
    #expect(error.logCode == "\(code)")
  }

  @Test func `A place of damage is named as far as it is known, and not in a sentence`() {
    let place = StoredPlace(table: "charters", column: "crew", row: "7")
    let error = AppError.database(.unreadable(place))
    #expect(error.detail == "charters.crew, 7")
    #expect("\(StoredPlace(column: "crew", row: "7"))" == "crew, 7")
    #expect("\(StoredPlace(table: "charters", column: "crew", row: ""))" == "charters.crew")
    #expect(AppError.database(.corrupted(detail: "notADatabase")).detail == "notADatabase")
    #expect(AppError.database(.notFound).detail == nil)
    for language in Language.shipped {
      #expect(!error.localizedMessage.in(language).contains("crew"))
    }
  }

  @Test(arguments: [
    (ImageError.Code.wrongType, ContentError.wrongImageType), (.tooLarge, .imageTooLarge),
    (.tooManyPixels, .imageTooLarge), (.damaged, .imageDamaged), (.failed, .imageFailed),
    (.timedOut, .imageFailed), (.unavailable, .imagesUnavailable),
  ]) func `The error of an image has a sentence that tells whether another image helps`(
    _ code: ImageError.Code, _ failure: ContentError
  ) {
    let error = ImageError(code, "Do something.")
    #expect((error as any Error).asAppError == .content(failure))
    #expect(error.logCode == "\(code)")
  }

  @Test(arguments: [
    (FileError.Code.newerVersion, AppError.database(.newerVersion)),
    (.upgradeFailed, .database(.migrationFailed)), (.tooLarge, .content(.tooLarge)),
    (.invalidValue, .database(.refused(detail: "a.json"))),
    (.duplicateID, .database(.refused(detail: "a.json"))), (.diskFull, .database(.full)),
    (.busy, .database(.busy)), (.readOnly, .database(.writeFailed)),
    (.unproven, .database(.writeFailed)), (.cannotOpen, .database(.readFailed)),
    (.inputOutput, .database(.readFailed)), (.noCopy, .database(.notFound)),
    (.corrupted, .database(.fileDamaged(name: "a.json", hasCopy: false))),
    (.notABackup, .content(.notABackup)), (.newerBackup, .content(.newerBackup)),
  ]) func `The error of a file becomes a failure with a remedy`(
    _ code: FileError.Code, _ failure: AppError
  ) {
    let error = FileError(code, "Do something.", path: "/home/ada/a.json")
    #expect((error as any Error).asAppError == failure)
    #expect(error.logCode == "\(code)")
    #expect(FileError(.duplicateID, "").asAppError.detail == "duplicateID")
  }

  @Test func `A damaged file is named, and its last good copy is offered if there is one`()
    async throws
  {
    let folder = try TemporaryFolder()
    let document = JSONDocument(folder.file("charters.json"), default: [Int]())
    func error() async throws -> AppError? {
      try Data("[1, ".utf8).write(to: URL(filePath: folder.file("charters.json")))
      do {
        _ = try await document.load()
        return nil
      } catch {
        return error.asAppError
      }
    }
    let without = try #require(await error())
    #expect(without == .database(.fileDamaged(name: "charters.json", hasCopy: false)))
    #expect(without.recoverySuggestion?.in(.english).hasPrefix("There is no good copy") == true)
    try await document.save([1])
    let with = try #require(await error())
    #expect(with == .database(.fileDamaged(name: "charters.json", hasCopy: true)))
    #expect(with.localizedMessage.in(.english).contains("“charters.json”"))
    #expect(with.recoverySuggestion?.in(.russian) == "Восстановите его последнюю исправную копию.")
    #expect(with.detail == "charters.json")
  }

  private func failure(_ statements: SQL...) async throws -> AppError? {
    let database = try Database.temporary()
    try await database.write { writer in
      try SQL(
        """
        CREATE TABLE berths (id INTEGER PRIMARY KEY, width INTEGER NOT NULL CHECK (width > 0));
        CREATE TABLE boats (
          name TEXT UNIQUE, berth INTEGER REFERENCES berths,
          length ANY CHECK (typeof(length) <> 'text'));
        INSERT INTO berths VALUES (1, 3); INSERT INTO boats VALUES ('Alma', 1, 9)
        """
      ).run(writer)
    }
    do {
      try await database.write { writer in for sql in statements { try sql.run(writer) } }
      return nil
    } catch {
      return error.asAppError
    }
  }

  @Test(arguments: [
    ("INSERT INTO berths VALUES (1, 2)", "berths.id"),
    ("INSERT INTO berths VALUES (2, NULL)", "berths.width"),
    ("INSERT INTO berths VALUES (2, 0)", "width > 0"),
    ("INSERT INTO boats VALUES ('Alma', 1, 8)", "boats.name"),
  ]) func `A value that breaks a rule is refused, and the rule is named`(
    _ sql: String, _ rule: String
  ) async throws {
    let error = try await failure(SQL(raw: sql))
    #expect(error == .database(.refused(detail: rule)))
    #expect(error?.detail == rule)
  }

  @Test func `A broken reference is reported as not found`() async throws {
    #expect(
      try await failure("INSERT INTO boats VALUES ('Bora', 7, 8)") == .database(.notFound))
  }

  @Test func `A trigger that refuses a change does not blame a value`() async throws {
    let trigger: SQL = """
      CREATE TRIGGER refuse BEFORE INSERT ON berths BEGIN SELECT raise(ABORT, 'no'); END
      """
    #expect(
      try await failure(trigger, "INSERT INTO berths VALUES (2, 2)") == .database(.writeFailed))
  }

  @Test func `A row that cannot be read is named by table, column and key`() async throws {
    let database = try Database.temporary()
    let list = try await database.write { writer in
      try SQL("CREATE TABLE boats (id TEXT PRIMARY KEY NOT NULL, length)").run(writer)
      try SQL("INSERT INTO boats VALUES ('a', 9), ('b', 'long'), ('c', 12)").run(writer)
      return try Boat.order { $0.id }.readable(writer)
    }
    #expect(list.rows.map(\.id) == ["a", "c"])
    let place = StoredPlace(table: "boats", column: "length", row: "b")
    #expect(list.unreadable.map(\.asAppError) == [.database(.unreadable(place))])
  }

  @Test func `Damage is named by table and column, without values`() async throws {
    let database = try Database.temporary()
    let error = await #expect(throws: DatabaseError.self) {
      try await database.write { writer in
        try SQL("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES ('Ada')").run(writer)
        _ = try SQL("SELECT n FROM t").all(writer, as: Int.self)
      }
    }
    #expect(error?.asAppError.id == "database.corrupted")
    #expect(error?.asAppError.localizedMessage.in(.english).contains("Ada") == false)
  }
}

private struct Boat: Record {
  let id: String
  var length: Int
  static let table = Table(
    "boats", Boat.init, Column("id", \.id).primaryKey(), Column("length", \.length))
}

/// The errors for failed requests of a sync.
struct SyncErrorsTests {
  @Test(
    arguments: [
      (413, .network(.server(statusCode: 413)), "The server answered with error 413."),
      (500, .network(.server(statusCode: 500)), "The server answered with error 500."),
      (408, .network(.timedOut), "The server did not answer in time."),
      (504, .network(.timedOut), "The server did not answer in time."),
    ] as [(Int, AppError, String)])
  func `A response that refuses a request is named by its own status`(
    _ status: Int, _ error: AppError, _ sentence: String
  ) {
    let shown = SyncEngine.Failure(status: status).asAppError
    #expect(shown == error)
    #expect(shown.localizedMessage.in(.english) == sentence)
  }
}

/// The errors for refused sign-ins and sign-ups.
struct AccountErrorsTests {
  @Test(
    arguments: [
      (.weakPassword, 422, .validation(.wrongLength(field: "password", range: 8...256))),
      (.limitReached, 409, .content(.limitReached)), (.notFound, 404, .content(.notFound)),
      (.gone, 410, .content(.notFound)), (.exists, 409, .sync(.conflict)),
      (.preconditionFailed, 412, .sync(.conflict)), (.tooLarge, 413, .content(.tooLarge)),
      (.keyReused, 422, .sync(.rejected(reason: ""))),
      (.unknownTable, 404, .sync(.rejected(reason: ""))),
      (.missingReference, 422, .sync(.rejected(reason: ""))),
      (.disabled, 403, .auth(.disabled)), (.signUpClosed, 403, .auth(.signUpClosed)),
      (.deleted, 409, .auth(.deleted)),
      (.malformed, 200, .content(.unreadable)),
      (.unavailable, 503, .network(.server(statusCode: 503))),
      (.server, 502, .network(.server(statusCode: 502))),
      (.init(rawValue: "somethingNew"), 418, .network(.server(statusCode: 418))),
    ] as [(AccountClient.Failure.Code, Int, AppError)])
  func `Each reason has its own error, and an unknown reason that of its status`(
    _ code: AccountClient.Failure.Code, _ status: Int, _ error: AppError
  ) {
    #expect(AccountClient.Failure(code, "", status: status).asAppError == error)
  }

  @Test func `The waiting time that a server asks for is reported`() {
    let failure = AccountClient.Failure(.tooManyRequests, "", status: 429, retryAfter: 42)
    #expect(failure.asAppError == .network(.rateLimited(retryAfter: 42)))
    let silent = AccountClient.Failure(.tooManyRequests, "", status: 429)
    #expect(silent.asAppError == .network(.rateLimited(retryAfter: nil)))
  }
}
