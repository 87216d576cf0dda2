import Anyfleet
import OffshorePresentation

/// Searches 10,000 charters for words of many, few, and no charters, until the screen shows the
/// result; the time is that of the slowest search.
struct ChartersSearch: Job {
  let name = "charters-search"
  let goal = Goal.milliseconds(must: 20)

  private struct Search {
    let text: String
    let finds: @Sendable (CharterModel) -> Bool
  }

  private let searches = [
    Search(text: "sibenik") { $0.location == "Šibenik" },
    Search(text: "ЕЛКА лимасол") { $0.boatName == "Ёлка" && $0.location == "Лимасол" },
    Search(text: "number 5111") { $0.name == "Charter number 5111" },
    Search(text: "antarctica") { _ in false },
  ]

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let stored = try await ChartersOnDisk(folder.file("anyfleet.sqlite"))
    return try await measure(stored)
  }

  @MainActor
  private func measure(_ stored: ChartersOnDisk) async throws -> Measurement {
    let store = stored.makeStore()
    let charters = stored.expected(.all)
    let cases = searches.map { (text: $0.text, found: charters.filter($0.finds)) }
    var measurement = Measurement()
    for _ in 0..<Measurement.rounds {
      measurement.ours.append(
        try await stored.slowest(of: cases) { search in
          let viewModel = CharterListViewModel(store: store, searchText: search.text)
          let time = await Measurement.milliseconds { await viewModel.load() }
          let shown = viewModel.charters.data ?? []
          let first = search.found.prefix(CharterPage.defaultSize)
          try expect(viewModel.charters.isKnown, "an answer to “\(search.text)”")
          try expect(shown == Array(first), "what “\(search.text)” finds")
          try expect(viewModel.canLoadMore == (search.found.count > first.count), "whether more is")
          return time
        })
    }
    return measurement
  }
}
