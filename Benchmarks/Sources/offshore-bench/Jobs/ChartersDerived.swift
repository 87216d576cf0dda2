import Anyfleet

/// Counts 10,000 charters by all filters.
struct ChartersDerived: Job {
  let name = "charters-derived"
  let goal = Goal.milliseconds(must: 5)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let stored = try await ChartersOnDisk(folder.file("anyfleet.sqlite"))
    var measurement = Measurement()
    for _ in 0..<Measurement.rounds {
      measurement.ours.append(
        try await Measurement.milliseconds {
          let counts = try await stored.repository.countCharters(on: stored.today)
          // The active one is in no phase.
          let phases = CharterPhase.allCases.map { counts[.phase($0)] }.reduce(1, +)
          try expect(phases == counts[.notArchived], "each charter in one phase")
          try expect(counts[.archived] == ChartersOnDisk.archivedCount, "the archive")
        })
    }
    return measurement
  }
}
