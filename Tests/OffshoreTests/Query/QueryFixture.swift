import Foundation
import TestSupport

@testable import Offshore

/// A connection to a separate file with charters.
struct QueryFixture {
  private let folder: TemporaryFolder
  let connection: Connection

  init(_ charters: [Charter] = []) throws {
    folder = try TemporaryFolder()
    connection = try Connection(folder.file("database.sqlite"))
    try connection.write {
      for creation in [Charter.creation, Sighting.creation] { try creation.run($0) }
      try Charter.insert(contentsOf: charters, $0)
    }
  }

  func insert(_ sightings: [Sighting]) throws {
    try connection.write { try Sighting.insert(contentsOf: sightings, $0) }
  }

  /// The names of the charters that a query finds, in its order.
  func names(_ query: Query<Charter>) throws -> [String] {
    try connection.read { try query.all($0) }.map(\.name)
  }

  /// Returns the sorted names of the charters that meet a condition.
  func names(where condition: (Columns<Charter>) -> SQLExpression<Bool>) throws -> [String] {
    try names(Charter.where(condition)).sorted()
  }

  /// Returns the sorted numbers of the sightings that meet a condition.
  func numbers(where condition: (Columns<Sighting>) -> SQLExpression<Bool>) throws -> [Int] {
    let query = Sighting.where(condition)
    return try connection.read { try query.all($0) }.map(\.number).sorted()
  }
}

/// A record whose columns use other codecs than the default, with a name to be quoted.
struct Sighting: Identifiable, Equatable, Sendable {
  enum Kind: String, CaseIterable, ColumnValue { case bird, dolphin, whale }

  let id: UUID
  var number: Int
  var seenAt: Date
  var reportedAt: Date?
  var kind: Kind
  var price: Decimal
  var isSure: Bool
  var wasRare: Bool?
  var height: Double?
  /// Not a column.
  var note = ""

  init(
    id: UUID, number: Int, seenAt: Date, reportedAt: Date?, kind: Kind, price: Decimal,
    isSure: Bool, wasRare: Bool?, height: Double?
  ) {
    self.id = id
    self.number = number
    self.seenAt = seenAt
    self.reportedAt = reportedAt
    self.kind = kind
    self.price = price
    self.isSure = isSure
    self.wasRare = wasRare
    self.height = height
  }

  init(
    _ number: Int, kind: Kind = .bird, day: Double = 0, reportedAt: Date? = nil,
    price: Decimal = 0, isSure: Bool = false, wasRare: Bool? = nil, height: Double? = nil
  ) {
    self.init(
      id: UUID(), number: number, seenAt: Date(timeIntervalSinceReferenceDate: day * 86_400),
      reportedAt: reportedAt, kind: kind, price: price, isSure: isSure, wasRare: wasRare,
      height: height)
  }
}

extension Sighting: Record {
  static let table = Table(
    "the \"sightings\"",
    Sighting.init(id:number:seenAt:reportedAt:kind:price:isSure:wasRare:height:),
    Column("id", \.id, as: .blob).primaryKey(),
    Column("a \"number\"", \.number),
    Column("seen at", \.seenAt, as: .text),
    Column("reported at", \.reportedAt, as: .unixSeconds),
    Column("kind", \.kind),
    Column("price", \.price),
    Column("isSure", \.isSure),
    Column("wasRare", \.wasRare),
    Column("height", \.height))

  static let creation: SQL = #"""
    CREATE TABLE "the ""sightings""" (
      id BLOB PRIMARY KEY NOT NULL, "a ""number""" INTEGER NOT NULL, "seen at" TEXT NOT NULL,
      "reported at" REAL, kind TEXT NOT NULL, price TEXT NOT NULL, isSure INTEGER NOT NULL,
      wasRare INTEGER, height REAL)
    """#
}
