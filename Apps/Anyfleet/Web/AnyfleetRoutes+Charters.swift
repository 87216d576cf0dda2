import OffshoreHTTP

extension Router {
  /// Adds the first page, and the pages of charters.
  mutating func addCharters(_ pages: AnyfleetPages) {
    let limit = AnyfleetPages.formLimit
    get("") { try await pages.home($0) }
    post("sail", bodyLimit: limit) { try await pages.sail($0) }
    get("charters") { try await pages.charters($0) }
    get("charters/new") { try await pages.newCharter($0) }
    post("charters/new", bodyLimit: limit) { try await pages.createCharter($0) }
    get("charters/:charter") { try await pages.charter($0) }
    get("charters/:charter/edit") { try await pages.editCharter($0) }
    // The form has its fields twice: as they are, and as they were.
    post("charters/:charter/edit", bodyLimit: 2 * limit) { try await pages.saveCharter($0) }
    get("charters/:charter/report") { try await pages.report($0) }
    post("charters/:charter/delete", bodyLimit: limit) { try await pages.deleteCharter($0) }
    post("charters/:charter/restore", bodyLimit: limit) { try await pages.restoreCharter($0) }
    post("charters/:charter/dismiss", bodyLimit: limit) { try await pages.dismissDeleted($0) }
    post("charters/:charter/active", bodyLimit: limit) { try await pages.activateCharter($0) }
    post("charters/:charter/archived", bodyLimit: limit) { try await pages.archiveCharter($0) }
    addAssignments(pages)
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
