import Foundation
import Offshore

/// Searches 1,000,000 rows of ten words for a rare word, a beginning, a word of no row, and one of every row, the
/// newest 50 first, and by rank for a word of 10,000 rows: by the slowest.
struct TextSearch: Job {
  let name = "text-search"
  let goal = Goal.milliseconds(must: 50)

  private static let count = 1_000_000

  private struct Message: Identifiable, Equatable, Sendable, Record {
    let id: Int
    var text: String
    var date: Date

    static let table = Table(
      "messages", Message.init(id:text:date:),
      Column("id", \.id).primaryKey(), Column("text", \.text), Column("date", \.date).indexed())

    static let words = TextIndex(of: table, \.text)
  }

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let database = try Database(
      folder.file("messages.sqlite"),
      migrations: [
        Migration("v1", .create(Message.table)),
        Migration("v2") { writer in
          for start in stride(from: 0, to: Self.count, by: 10_000) {
            try Message.insert(contentsOf: (start..<start + 10_000).map(Self.message), writer)
          }
          try writer.create(Message.words)
        },
      ])
    let newest = ["rare", "wor", "nowhere", "every"].map { text in
      (
        query: Message.matching(text, in: Message.words).order { $0.date.descending }.limit(50),
        text: text
      )
    }
    let ranked = Message.matching("hundred", in: Message.words, wholeWords: true).byRank().limit(50)
    var measurement = Measurement()
    for _ in 0..<Measurement.rounds {
      var slowest = 0.0
      for (query, text) in newest + [(ranked, "hundred")] {
        let time = try await Measurement.milliseconds {
          let found = try await database.read { try query.all($0) }
          try expect(found.count == (text == "nowhere" ? 0 : 50), "the rows of “\(text)”")
        }
        slowest = max(slowest, time)
      }
      measurement.ours.append(slowest)
    }
    await database.close()
    return measurement
  }

  /// A row whose date has nothing to do with its number.
  private static func message(_ number: Int) -> Message {
    var words = ["every"] + (0..<8).map { "word\(number &* 31 &+ $0 &* 7_919 &* number % 50_000)" }
    words.append(
      number.isMultiple(of: 10_000) ? "rare" : number.isMultiple(of: 100) ? "hundred" : "other")
    return Message(
      id: number, text: words.joined(separator: " "),
      date: Date(timeIntervalSinceReferenceDate: Double(number &* 7_919 % count)))
  }
}
