import OffshoreHTTP

extension Router {
  /// Adds who has access to a charter, taking part in one, and what was decided of items.
  mutating func addCrew(_ pages: AnyfleetPages) {
    let (crew, limit) = ("charters/:charter/crew", AnyfleetPages.formLimit)
    getOfCharter("/crew", pages) { try await pages.crew($0) }
    post("\(crew)/invite", bodyLimit: limit) { try await pages.invite($0) }
    post("\(crew)/invitations/:invitation/withdraw", bodyLimit: limit) {
      try await pages.withdraw($0)
    }
    post("\(crew)/leave", bodyLimit: limit) { try await pages.leaveCharter($0) }
    post("\(crew)/members/:member/role", bodyLimit: limit) { try await pages.setRole($0) }
    post("\(crew)/members/:member/remove", bodyLimit: limit) { try await pages.removeMember($0) }

    get("charters/join") { try await pages.joinCharter($0) }
    post("charters/join", bodyLimit: limit) { try await pages.enterCode($0) }

    getOfCharter("/history", pages) { try await pages.charterHistory($0) }
    post("charters/:charter/history", bodyLimit: limit) { try await pages.useLostOfCharter($0) }

    let history = "/checklists/:checklist/items/:item/history"
    getOfCharter(history, pages) { try await pages.itemHistory($0) }
    post("charters/:charter\(history)", bodyLimit: limit) { try await pages.useLost($0) }
  }
}
