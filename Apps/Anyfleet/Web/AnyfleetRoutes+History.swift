import OffshoreHTTP

extension Router {
  /// Adds the histories of charters and items.
  mutating func addHistories(_ pages: AnyfleetPages) {
    let limit = AnyfleetPages.formLimit
    getOfCharter("/history", pages) { try await pages.charterHistory($0) }
    post("charters/:charter/history", bodyLimit: limit) { try await pages.useLostOfCharter($0) }

    let history = "/checklists/:checklist/items/:item/history"
    getOfCharter(history, pages) { try await pages.itemHistory($0) }
    post("charters/:charter\(history)", bodyLimit: limit) { try await pages.useLost($0) }
  }
}
