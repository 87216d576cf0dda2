import Anyfleet
import Observation
import OffshorePresentation

/// Loads the store of 10,000 charters to its first page, and checks its lists and counts then and
/// after each further page.
struct ChartersDerived: Job {
  let name = "charters-derived"
  let goal = Goal.milliseconds(must: 5)

  private let rounds = 10

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let stored = try await ChartersOnDisk(folder.file("anyfleet.sqlite"))
    return try await measure(stored)
  }

  @MainActor
  private func measure(_ stored: ChartersOnDisk) async throws -> Measurement {
    let lists = Lists(stored)
    var measurement = Measurement()
    // Retained, so that no round includes the release of the lists of the round before.
    let stores = (0..<rounds).map { _ in stored.makeStore() }
    for store in stores {
      var loading: Task<Void, Never>?
      measurement.ours.append(
        await Measurement.milliseconds {
          loading = Task { await store.loadCharters() }
          for await isKnown in Observations({ store.charterState.isKnown }) where isKnown { break }
        })
      await loading?.value
      try lists.expectAll(in: store, pages: 1)
      for page in 2...3 {
        await store.loadMoreChartersIfNeeded(
          currentCharter: store.charters[store.charters.count - 1])
        try lists.expectAll(in: store, pages: page)
      }
    }
    return measurement
  }

  /// The expected lists of the store.
  private struct Lists {
    let shown, past, upcoming, inProgress, archived, notArchived: [CharterModel]

    init(_ stored: ChartersOnDisk) {
      shown = stored.expected(.all)
      past = stored.phase(.past)
      upcoming = stored.phase(.upcoming)
      inProgress = stored.phase(.inProgress)
      archived = stored.expected(.archived)
      notArchived = stored.notArchived
    }

    @MainActor
    func expectAll(in store: CharterStore, pages: Int) throws {
      let page = shown.prefix(pages * CharterPage.defaultSize)
      try expect(store.charters == Array(page), "\(pages) pages")
      try expect(store.activeCharter == shown.first, "the active charter")
      try expect(store.pastCharters == past, "the past charters")
      try expect(store.upcomingCharters == upcoming, "the charters to come")
      try expect(store.inProgressCharters == inProgress, "the charters in progress")
      try expect(store.archivedCharters == archived, "the archive")
      try expect(store.activeCharters == notArchived, "all that are not archived")
      try expect(store.activeCharterCount == notArchived.count, "their number")
    }
  }
}
