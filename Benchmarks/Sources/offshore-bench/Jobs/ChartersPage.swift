import Anyfleet

/// Reads the first 20 of 10,000 charters, by the slowest of all filters.
struct ChartersPage: Job {
  let name = "charters-page"
  let goal = Goal.milliseconds(must: 5)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let stored = try await ChartersOnDisk(folder.file("anyfleet.sqlite"))
    var measurement = Measurement()
    for _ in 0..<Measurement.rounds {
      measurement.ours.append(
        try await stored.slowest(of: CharterFilter.allCases) { filter in
          let page = try await stored.repository.fetchCharters(filter, on: stored.today)
          try expect(page.charters.count == CharterPage.defaultSize, "a full page of \(filter)")
          try expect(page.hasMore, "more of \(filter)")
        })
    }
    return measurement
  }
}
