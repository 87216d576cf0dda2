import OffshoreHTTP

extension Router {
  /// Adds who has access to a charter, taking part in one, and what was decided of items.
  mutating func addCrew(_ pages: AnyfleetPages) {
    let (crew, limit) = ("charters/:charter/crew", AnyfleetPages.formLimit)
    get(crew) { try await pages.crew($0) }
    post("\(crew)/invite", bodyLimit: limit) { try await pages.invite($0) }
    post("\(crew)/leave", bodyLimit: limit) { try await pages.leaveCharter($0) }
    post("\(crew)/members/:member/role", bodyLimit: limit) { try await pages.setRole($0) }
    post("\(crew)/members/:member/remove", bodyLimit: limit) { try await pages.removeMember($0) }

    get("charters/join") { try await pages.joinCharter($0) }
    post("charters/join", bodyLimit: limit) { try await pages.enterCode($0) }

    let history = "charters/:charter/checklists/:checklist/items/:item/history"
    get(history) { try await pages.itemHistory($0) }
    post(history, bodyLimit: limit) { try await pages.useLost($0) }
  }
}
