import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation

extension Router {
  /// Redirects the former addresses of pages.
  mutating func addFormerAddresses() {
    get("charters/join") { _ in .redirect(to: SharedKind.charter.joinAddress) }
    get("charters/:charter/crew") {
      .redirect(to: SharedKind.charter.membersAddress(of: try $0.parameter("charter")))
    }
    get("charters/:charter/history") {
      .redirect(to: SharedKind.charter.historyAddress(of: try $0.parameter("charter")))
    }
  }
}

extension Fields {
  /// Converts the fields of the former charter form, which had the crew in two lists and its
  /// original texts in hidden fields.
  ///
  /// - Parameters:
  ///   - id: the id of the charter, or `nil` for a new one, whose id is in the form.
  ///   - rows: returns the rows of a crew in the current form.
  func translatingCharterForm(
    id: UUID?, rows: ([CrewMember]) -> [DraftRow]
  ) -> (fields: Fields, originals: [String: String]) {
    let (before, checklist) = ("before-", "checklist-")
    var fields: Fields = ["entry": id?.uuidString ?? self["charterID"] ?? ""]
    func add(_ name: String, _ value: String) { fields.items += ([name: value] as Fields).items }
    if self["action"] == nil { add("action", "save") }
    var originals: [String: String] = [:]
    for item in items where !item.name.hasSuffix("crewName") && !item.name.hasSuffix("crewRole") {
      if item.name.hasPrefix(before) {
        originals[String(item.name.dropFirst(before.count))] = item.value
      } else if item.name.hasPrefix(checklist) {
        add("checklists.\(item.name.dropFirst(checklist.count))", item.value)
      } else {
        add(item.name, item.value)
      }
    }
    for row in rows(crew(named: "")) {
      add("crew", row.id)
      for (name, text) in row.texts { add("crew.\(row.id).\(name)", text) }
    }
    guard !originals.isEmpty else { return (fields, [:]) }
    let original = rows(crew(named: before))
    originals["crew"] = original.text
    for row in original { originals["crew.\(row.id)"] = [row].text }
    return (fields, originals)
  }

  private func crew(named prefix: String) -> [CrewMember] {
    zip(all(prefix + "crewName"), all(prefix + "crewRole"))
      .map { CrewMember(name: $0, role: CrewRole(rawValue: $1) ?? .crew) }
  }
}

extension AnyfleetPages {
  /// Returns the rows of a crew in the form of a charter.
  @MainActor func rows(ofCrew crew: [CrewMember]) -> [DraftRow] {
    let draft = dependencies.makeCreateCharter().draft
    var form = CharterFormState()
    form.crew = crew
    draft.fill(with: form)
    return [DraftRow](text: draft["crew"])
  }
}
