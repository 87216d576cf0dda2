import Foundation
import Offshore

/// Stores and fetches a text of 100 MB, with little more memory than the copies that SQLite makes.
struct LargeText: Job {
  let name = "text-100mb"
  let goal = Goal.milliseconds(must: 5_000)

  private struct Page: Identifiable, Record {
    let id: Int
    let text: String

    static let table = Table(
      "pages", Page.init(id:text:), Column("id", \.id).primaryKey(), Column("text", \.text))
  }

  private let length = 100_000_000

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let ours = try Connection(folder.file("ours.sqlite"))
    try ours.write { try SQL("CREATE TABLE pages (id INTEGER PRIMARY KEY, text TEXT)").run($0) }
    let text = String(repeating: "a", count: length)
    let memory = try ProcessMemory()
    var number = 0
    var peaks = (stored: 0, fetched: 0)
    var result = try await Measurement.alone(rounds: 3) {
      number += 1
      try ours.write { try Page(id: number, text: text).insert($0) }
      peaks.stored = max(peaks.stored, try memory.added)
      let found = try ours.read { try Page.find(number).first($0) }
      peaks.fetched = max(peaks.fetched, try memory.added)
      try expect(found?.text.utf8.count == length, "the text")
    }
    result.figures["MB to store"] = Double(peaks.stored) / 1e6
    result.figures["MB in all"] = Double(peaks.fetched) / 1e6
    return result
  }
}
