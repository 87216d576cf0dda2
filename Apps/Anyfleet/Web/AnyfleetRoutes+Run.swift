import OffshoreHTTP

extension Router {
  /// Adds running a checklist.
  mutating func addRun(_ pages: AnyfleetPages) {
    let (run, limit) = ("charters/:charter/checklists/:checklist", AnyfleetPages.formLimit)
    getOfCharter("/checklists/:checklist", pages) { try await pages.run($0) }
    post("\(run)/items/:item", bodyLimit: limit) { try await pages.tick($0) }
    post("\(run)/items/:item/remarks", bodyLimit: AnyfleetPages.remarksLimit) {
      try await pages.remark($0)
    }
    post("\(run)/finish", bodyLimit: limit) { try await pages.finish($0) }
    post("\(run)/reset", bodyLimit: limit) { try await pages.reset($0) }
    post("\(run)/reset/undo", bodyLimit: limit) { try await pages.undoReset($0) }
    post("\(run)/reset/dismiss", bodyLimit: limit) { try await pages.dismissUndo($0) }
  }
}
