import Anyfleet

/// Searches 10,000 charters for words that many, few, and no charters have, by the slowest.
struct ChartersSearch: Job {
  let name = "charters-search"
  let goal = Goal.milliseconds(must: 20)

  private struct Search {
    let text: String
    let isFound: Bool
  }

  private let searches = [
    Search(text: "sibenik", isFound: true), Search(text: "ЕЛКА лимасол", isFound: true),
    Search(text: "number 5111", isFound: true), Search(text: "antarctica", isFound: false),
  ]

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let stored = try await ChartersOnDisk(folder.file("anyfleet.sqlite"))
    var measurement = Measurement()
    for _ in 0..<Measurement.rounds {
      measurement.ours.append(
        try await stored.slowest(of: searches) { search in
          let page = try await stored.repository.fetchCharters(
            .notArchived, on: stored.today, matching: search.text)
          try expect(page.charters.isEmpty != search.isFound, "what “\(search.text)” finds")
        })
    }
    return measurement
  }
}
