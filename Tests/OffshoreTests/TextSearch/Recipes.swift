import Foundation
import TestSupport

@testable import Offshore

/// A record with a numbered key and two indexed texts.
struct Recipe: Identifiable, Equatable, Sendable, Record {
  let id: Int
  var title: String
  var note: String?
  var date: Date
  var isDone = false

  static let table = Table(
    "recipes", Recipe.init(id:title:note:date:isDone:),
    Column("id", \.id).primaryKey(), Column("title", \.title), Column("note", \.note),
    Column("date", \.date).indexed(), Column("isDone", \.isDone))

  static let text = TextIndex(of: table, \.title, \.note).weight(\.title, 10)
}

extension Recipe {
  init(_ id: Int, _ title: String, _ note: String? = nil, day: Double = 0) {
    self.init(
      id: id, title: title, note: note, date: Date(timeIntervalSinceReferenceDate: day * 86_400))
  }
}

/// A record whose key is a text, and which refers to a recipe.
struct Remark: Identifiable, Equatable, Sendable, Record {
  let id: UUID
  var text: String
  var recipeID: Int?

  static let table = Table(
    "remarks", Remark.init(id:text:recipeID:),
    Column("id", \.id).primaryKey(), Column("text", \.text),
    Column("recipeID", \.recipeID).references("recipes", onDelete: .cascade))

  static let index = TextIndex(of: table, \.text)
}

/// A record with a key of two columns and no row ids.
struct Label: Equatable, Sendable, Record {
  let group: String
  let number: Int
  var words: String

  static let table = Table(
    "labels", Label.init(group:number:words:),
    Column("group", \.group).primaryKey().collate(.noCase), Column("number", \.number).primaryKey(),
    Column("words", \.words)
  ).withoutRowID()

  static let text = TextIndex(of: table, \.words)
}

/// A connection to a file with the three tables and their text indexes.
struct TextSearchFixture {
  private let folder: TemporaryFolder
  let connection: Connection

  init(_ recipes: [Recipe] = []) throws {
    folder = try TemporaryFolder()
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    connection = try Connection(folder.file("recipes.sqlite"), configuration: configuration)
    try connection.migrate([
      Migration("v1") { writer in
        try writer.create(Recipe.table)
        try writer.create(Remark.table)
        try writer.create(Label.table)
        try writer.create(Recipe.text)
        try writer.create(Remark.index)
        try writer.create(Label.text)
      }
    ])
    try connection.write { try Recipe.insert(contentsOf: recipes, $0) }
  }

  var path: String { connection.path }

  /// The ids of the recipes that match a text, in ascending order.
  func ids(_ text: String, words match: WordMatch = .lastBegins) throws -> [Int] {
    try connection.read { reader in
      try Recipe.matching(text, in: Recipe.text, words: match).order { $0.id }.all(reader)
    }.map(\.id)
  }

  func verify() throws {
    try connection.write { writer in
      try writer.verify(Recipe.text)
      try writer.verify(Remark.index)
      try writer.verify(Label.text)
    }
  }
}
