import Foundation
import TestSupport
import Testing

@testable import Offshore

/// The exact messages for files that cannot be opened.
struct MigrationSentencesTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("app.sqlite")
  }

  private static func migrations(_ names: String...) -> Migrations {
    Migrations(names.map { Migration($0, .sql(SQL(raw: "CREATE TABLE \($0) (x)"))) })
  }

  /// Returns the error of opening the file, which must not change the bytes of an existing one.
  private func refusal(_ migrations: Migrations) throws -> DatabaseError? {
    let before = FileManager.default.contents(atPath: path)
    let error = databaseError { _ = try Database(path, migrations: migrations) }
    if let before { #expect(FileManager.default.contents(atPath: path) == before) }
    return error
  }

  private static let unknown = """
     A newer version of the app made the file: update the app. In development, switch back to the branch \
    that made it, restore the name of a migration that was renamed or removed, or delete the file. It was \
    left untouched.
    """

  @Test func `A file of a newer version names all migrations that the app lacks`() throws {
    try Connection(path).migrate(Self.migrations("a", "b", "c"))
    let error = try refusal(Self.migrations("a"))
    #expect(error?.code == .newerVersion)
    #expect(
      error?.message == "The file has migrations that the app lacks: “b”, “c”." + Self.unknown)
  }

  @Test func `A migration that was renamed or removed after its release`() throws {
    try Connection(path).migrate(Self.migrations("a", "b", "c"))
    for names in [Self.migrations("a", "other", "c"), Self.migrations("a", "c")] {
      let error = try refusal(names)
      #expect(error?.code == .newerVersion)
      #expect(error?.message == "The file has migrations that the app lacks: “b”." + Self.unknown)
    }
  }

  @Test func `Migrations that were moved after their release`() throws {
    try Connection(path).migrate(Self.migrations("a", "b"))
    #expect(
      try refusal(Self.migrations("b", "a"))?.message
        == "The file has migration “a” where this version of the app expects “b”. Add new migrations at "
        + "the end, and move none that was released; the file was left untouched.")
  }

  @Test func `Two migrations with the same name`() throws {
    let error = try refusal(Self.migrations("a", "b", "a"))
    #expect(error?.code == .declaration)
    #expect(error?.message == "Two migrations are named “a”. Give the later another name.")
  }

  @Test func `A file that is not a database`() throws {
    try Data(repeating: 65, count: 5000).write(to: URL(filePath: path))
    #expect(
      try refusal(Self.migrations("a"))?.message
        == "The file is not an SQLite database. It was left untouched; choose another.")
  }

  @Test func `A damaged file`() throws {
    try Connection(path).migrate(Self.migrations("a"))
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 100)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 2000))
    try file.close()
    let error = try refusal(Self.migrations("a", "b"))
    #expect(error?.code == .corrupted)
    #expect(
      error?.message
        == "The file is damaged (database disk image is malformed). Restore a backup.")
  }

  @Test(.enabled(if: getuid() != 0))
  func `A read-only folder`() throws {
    try Connection(path).migrate(Self.migrations("a"))
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    }
    let error = try refusal(Self.migrations("a", "b"))
    #expect([.readOnly, .cannotOpen].contains(error?.code))
    #expect(error?.message.contains("Check") == true)
  }

  @Test func `A migration that fails names itself, its step, the statement and SQLite's reason`()
    throws
  {
    try Connection(path).migrate(Self.migrations("a"))
    let error = try refusal(
      Migrations(
        Self.migrations("a").all + [
          Migration("b", .sql("CREATE TABLE b (x)"), .sql("INSERT INTO b  VALUES ('t', y) -- why"))
        ]))
    #expect(error?.code == .migrationFailed)
    #expect(
      error?.message
        == "Migration “b” was undone; the file is as it was before it. Step 2, run SQL, failed. SQLite "
        + "refused the statement: no such column: y. The statement: INSERT INTO b VALUES ('…', y)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        $0.hasSuffix("backup")
      } == ["app.sqlite.before-b.backup"])
  }

  @Test func `A long statement is truncated`() throws {
    let names = (0..<100).map { "column\($0)" }.joined(separator: ", ")
    let error = try refusal([Migration("a", .sql(SQL(raw: "INSERT INTO a (\(names)) VALUES (1)")))])
    #expect(error?.message.hasSuffix("…") == true)
    #expect((error?.message.count ?? 0) < 400)
    #expect(error?.sql?.contains("column99") == true)
  }
}
