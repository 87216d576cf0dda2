import Anyfleet
import OffshorePresentation

/// Opens the list of 10,000 charters until the screen shows it; the time is that of the slowest
/// filter.
struct ChartersPage: Job {
  let name = "charters-page"
  let goal = Goal.milliseconds(must: 5)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let stored = try await ChartersOnDisk(folder.file("anyfleet.sqlite"))
    return try await measure(stored)
  }

  @MainActor
  private func measure(_ stored: ChartersOnDisk) async throws -> Measurement {
    let store = stored.makeStore()
    let lists = CharterListFilter.allCases.map { (filter: $0, charters: stored.expected($0)) }
    var measurement = Measurement()
    for _ in 0..<Measurement.rounds {
      measurement.ours.append(
        try await stored.slowest(of: lists) { list in
          let viewModel = CharterListViewModel(store: store, filter: list.filter)
          let time = await Measurement.milliseconds { await viewModel.load() }
          let first = list.charters.prefix(CharterPage.defaultSize)
          try expect(viewModel.charters.data == Array(first), "the first page of \(list.filter)")
          try expect(viewModel.canLoadMore, "more of \(list.filter)")
          for (filter, charters) in lists {
            try expect(viewModel.count(of: filter) == charters.count, "the number of \(filter)")
          }
          return time
        })
    }
    return measurement
  }
}
