import Foundation
import Offshore

/// Searches 1,000,000 rows of ten words for a rare word, a prefix, a word of no row, and one of
/// every row, the newest 50 first, and by rank for a word of 10,000 rows. The time is that of the
/// slowest search. The medians and minimums of each are reported beside it, in microseconds.
struct TextSearch<Row: SearchedRow>: Job {
  let name: String
  let goal = Goal.milliseconds(must: 50)

  /// The words that are searched for, and the rows that are found.
  private static var searches: [(name: String, query: Query<Row>, count: Int)] {
    [
      ("rare word", Row.newest("rare"), 50), ("prefix", Row.newest("wor"), 50),
      ("no hit", Row.newest("nowhere"), 0), ("every row", Row.newest("every"), 50),
      (
        "10,000 by rank",
        Row.matching("hundred", in: Row.words, words: .whole).byRank().limit(50), 50
      ),
    ]
  }

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let database = try Database(folder.file("messages.sqlite"), migrations: Self.migrations)
    var measurement = Measurement()
    var times: [String: [Double]] = [:]
    // The first round is not counted: its pages come from the disk.
    for round in -1..<Measurement.rounds {
      var slowest = 0.0
      for (name, query, count) in Self.searches {
        let time = try await Measurement.milliseconds {
          let found = try await database.read { try query.all($0) }
          try expect(found.count == count, "the rows of “\(name)”")
        }
        slowest = max(slowest, time)
        if round >= 0 { times[name, default: []].append(time) }
      }
      if round >= 0 { measurement.ours.append(slowest) }
    }
    for (name, times) in times {
      measurement.figures["\(name) µs"] = (times.median * 1_000).rounded()
      measurement.figures["\(name) min µs"] = ((times.min() ?? .nan) * 1_000).rounded()
    }
    await database.close()
    return measurement
  }

  private static var migrations: Migrations {
    [
      Migration("v1", .create(Row.table)),
      Migration("v2") { writer in
        for start in stride(from: 0, to: SearchedText.count, by: 10_000) {
          try Row.insert(contentsOf: (start..<start + 10_000).map(Row.init(number:)), writer)
        }
        try writer.create(Row.words)
      },
    ]
  }
}

extension TextSearch<NumberedMessage> {
  static var numbered: Self { Self(name: "text-search") }
}

extension TextSearch<NamedMessage> {
  static var named: Self { Self(name: "text-search-uuid") }
}

/// A record with a text index, made from a number.
protocol SearchedRow: Record {
  static var words: TextIndex<Self> { get }
  init(number: Int)
  /// The newest 50 rows that match a text.
  static func newest(_ text: String) -> Query<Self>
}

/// A message whose key is an integer.
struct NumberedMessage: Identifiable, Equatable, Sendable, SearchedRow {
  let id: Int
  var text: String
  var date: Date

  static let table = Table(
    "messages", NumberedMessage.init(id:text:date:),
    Column("id", \.id).primaryKey(), Column("text", \.text), Column("date", \.date).indexed())

  static let words = TextIndex(of: table, \.text)

  static func newest(_ text: String) -> Query<Self> {
    matching(text, in: words).order { $0.date.descending }.limit(50)
  }
}

extension NumberedMessage {
  init(number: Int) {
    self.init(id: number, text: SearchedText.text(number), date: SearchedText.date(number))
  }
}

/// A message whose key is a UUID.
struct NamedMessage: Identifiable, Equatable, Sendable, SearchedRow {
  let id: UUID
  var text: String
  var date: Date

  static let table = Table(
    "messages", NamedMessage.init(id:text:date:),
    Column("id", \.id).primaryKey(), Column("text", \.text), Column("date", \.date).indexed())

  static let words = TextIndex(of: table, \.text)

  static func newest(_ text: String) -> Query<Self> {
    matching(text, in: words).order { $0.date.descending }.limit(50)
  }
}

extension NamedMessage {
  init(number: Int) {
    self.init(id: UUID(), text: SearchedText.text(number), date: SearchedText.date(number))
  }
}

/// The texts and dates that are searched.
private enum SearchedText {
  static let count = 1_000_000

  static func text(_ number: Int) -> String {
    var words = ["every"] + (0..<8).map { "word\(number &* 31 &+ $0 &* 7_919 &* number % 50_000)" }
    words.append(
      number.isMultiple(of: 10_000) ? "rare" : number.isMultiple(of: 100) ? "hundred" : "other")
    return words.joined(separator: " ")
  }

  /// Returns a date that is unrelated to the row's number.
  static func date(_ number: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(number &* 7_919 % count))
  }
}
