import OffshoreHTTP
import OffshorePages

extension Router {
  /// Adds the first page, and the pages of charters.
  mutating func addCharters(_ pages: AnyfleetPages) {
    let limit = AnyfleetPages.formLimit
    get("") { try await pages.home($0) }
    post("sail", bodyLimit: limit) { try await pages.sail($0) }
    get("charters") { try await pages.charters($0) }
    post("charters/refresh", bodyLimit: limit) { try await pages.refreshCharters($0) }
    getOfCharter("", pages) { try await pages.charter($0) }
    post("charters/:charter/refresh", bodyLimit: limit) { try await pages.refreshCharter($0) }
    getOfCharter("/report", pages) { try await pages.report($0) }
    post("charters/:charter/delete", bodyLimit: limit) { try await pages.deleteCharter($0) }
    post("charters/:charter/remove-copy", bodyLimit: limit) { try await pages.removeCopy($0) }
    post("charters/:charter/restore", bodyLimit: limit) { try await pages.restoreCharter($0) }
    post("charters/:charter/dismiss", bodyLimit: limit) { try await pages.dismissDeleted($0) }
    post("charters/:charter/active", bodyLimit: limit) { try await pages.activateCharter($0) }
    post("charters/:charter/archived", bodyLimit: limit) { try await pages.archiveCharter($0) }
    addAssignments(pages)
    addPages(
      CharterRoute.self, of: pages.frame, missing: { try await pages.missingPage($0) },
      page: { route, _ in pages.page(route) })
  }

  /// Adds a page of a charter, in place of which stands how the charter came to go where it is not here
  /// any more.
  mutating func getOfCharter(
    _ path: String, _ pages: AnyfleetPages, page: @escaping Handler
  ) {
    get("charters/:charter\(path)") { try await pages.explainingEnd($0, page) }
  }

  /// Adds what is done with the checklists of a charter.
  private mutating func addAssignments(_ pages: AnyfleetPages) {
    let limit = AnyfleetPages.formLimit
    post("charters/:charter/assigned", bodyLimit: limit) { try await pages.assignChecklists($0) }
    post("charters/:charter/assigned/:checklist/dismiss", bodyLimit: limit) {
      try await pages.dismissReset($0)
    }
    post("charters/:charter/assigned/:checklist/remove", bodyLimit: limit) {
      try await pages.unassignChecklist($0)
    }
    post("charters/:charter/assigned/:checklist/check-in", bodyLimit: limit) {
      try await pages.chooseCheckIn($0)
    }
    post("charters/:charter/assigned/:checklist/move", bodyLimit: limit) {
      try await pages.moveChecklist($0)
    }
    post("charters/:charter/assigned/:checklist/reset", bodyLimit: limit) {
      try await pages.resetChecklist($0)
    }
    post("charters/:charter/assigned/:checklist/restore", bodyLimit: limit) {
      try await pages.restoreProgress($0)
    }
  }
}
