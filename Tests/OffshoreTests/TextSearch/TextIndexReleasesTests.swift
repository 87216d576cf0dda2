import TestSupport
import Testing

@testable import Offshore

/// An essay, which had been a draft with a name.
private struct Essay: Identifiable, Equatable, Sendable, Record {
  let id: Int
  var title: String
  var body: String

  static let table = Table(
    "essays", Essay.init(id:title:body:), Column("id", \.id).primaryKey(),
    Column("title", \.title), Column("body", \.body))

  static let text = TextIndex(of: table, \.title, \.body)
}

/// Text indexes of tables whose declarations have moved on.
struct TextIndexReleasesTests {
  private let folder: TemporaryFolder
  private let problems = Problems()
  private let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    var configuration = DatabaseConfiguration()
    configuration.reportProblem = { [problems] in problems.add($0) }
    connection = try Connection(folder.file("app.sqlite"), configuration: configuration)
  }

  /// A step that expects one text index, or none.
  private static func expect(_ columns: [String], of table: String = "essays") -> MigrationStep {
    .perform { writer throws in
      let upkeep = TextIndexUpkeep(writer.connection)
      #expect(try upkeep.tables() == (columns.isEmpty ? [] : [table]))
      #expect(try upkeep.columns(of: table) == columns)
    }
  }

  @Test(arguments: [true, false])
  func `A new file has a text index in the form of its time, by steps and by closures`(
    _ hasSteps: Bool
  ) throws {
    let create: MigrationStep =
      hasSteps ? .create(Essay.text) : .perform { try $0.create(Essay.text) }
    let drop: MigrationStep = hasSteps ? .drop(Essay.text) : .perform { try $0.drop(Essay.text) }
    try connection.migrate([
      Migration(
        "v1", .create(Essay.table), .sql("INSERT INTO drafts (id, name) VALUES (1, 'tea')")),
      Migration("v2", create, Self.expect(["name"], of: "drafts")),
      Migration(
        "v3", drop, .renameColumn("name", to: "title", in: Essay.table), create,
        Self.expect(["title"], of: "drafts")),
      Migration(
        "v4", drop, .rename("drafts", to: Essay.table), create, Self.expect(["title"])),
      Migration(
        "v5", .addColumn("body", to: Essay.table, filling: "'with ' || title"), create,
        Self.expect(["title", "body"])),
    ])
    try connection.write { writer throws in
      #expect(try Essay.matching("with tea", in: Essay.text).count(writer) == 1)
      try writer.verify(Essay.text)
    }
    #expect(problems.all == [])
  }

  @Test func `Writers rebuild and verify a text index in the form of its time`() throws {
    try connection.migrate([
      Migration("v1", .create(Essay.table), .create(Essay.text)),
      Migration("v2") { writer in
        try writer.run("INSERT INTO drafts (id, title, body) VALUES (1, 'tea', '')")
        try writer.rebuild(Essay.text)
        try writer.verify(Essay.text)
      },
      Migration("v3", .drop(Essay.text), .rename("drafts", to: Essay.table), .create(Essay.text)),
    ])
    #expect(try connection.read { try Essay.matching("tea", in: Essay.text).count($0) } == 1)
  }

  @Test func `A text index without any column of its time is created by a later step`() throws {
    try connection.migrate([
      Migration("v1", .create(Essay.table), .create(Essay.text)),
      Migration("v2", Self.expect([])),
      Migration(
        "v3", .addColumn("title", to: Essay.table, filling: "''"),
        .addColumn("body", to: Essay.table, filling: "''"), .create(Essay.text)),
      Migration("v4", Self.expect(["title", "body"])),
    ])
    #expect(problems.all == [])
  }

  #if DEBUG
    @Test func `A text index that lacks a declared column is reported, and created anew`() throws {
      let before = [
        Migration("v1", .create(Essay.table), .create(Essay.text)),
        Migration("v2", .addColumn("body", to: Essay.table, filling: "''")),
      ]
      try connection.migrate(Migrations(before))
      #expect(
        problems.all == [
          "“essays” has a text index over title, and over title, body by declaration. "
            + "Add a migration: .create(…)."
        ])
      try connection.migrate(Migrations(before + [Migration("v3", .create(Essay.text))]))
      #expect(problems.all.count == 1)
    }

    @Test func `A text index that the file lacks is reported`() throws {
      let create = Migration("v1", .create(Essay.table), .create(Essay.text))
      try connection.migrate([create, Migration("v2") { try $0.drop(Essay.text) }])
      #expect(problems.all == ["“essays” has no text index. Add a migration: .create(…)."])
    }

    @Test func `A text index that a step drops is not missed`() throws {
      try connection.migrate([
        Migration("v1", .create(Essay.table), .create(Essay.text)),
        Migration("v2", .drop(Essay.text)),
      ])
      #expect(problems.all == [])
    }
  #endif

  @Test func `A step that fails is named with its text index`() throws {
    let error = databaseError {
      try connection.migrate([
        Migration("v1", .sql("CREATE TABLE essays (title TEXT)"), .create(Essay.text))
      ])
    }
    #expect(
      error?.message.contains("Step 2, create the text index of “essays”, failed.") == true)
    #expect("\(MigrationStep.drop(Essay.text))" == "drop the text index of “essays”")
  }
}
