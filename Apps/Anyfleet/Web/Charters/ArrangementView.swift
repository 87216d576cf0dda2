import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// A collapsed view that adds, removes and reorders the checklists of a charter.
@MainActor
struct ArrangementView {
  let viewModel: CharterDetailViewModel
  let say: Localizer

  @HTMLBuilder var html: HTML {
    if let available = viewModel.availableChecklists.data { adding(available) }
    if let checklists = viewModel.checklists.data, !checklists.isEmpty { arranging(checklists) }
    // The paragraph is always present, because screen readers announce only changes within it.
    p(.id("arranged"), .class("hint"), .role(.status)) {
      viewModel.unassignedTitle.map { say(.unassigned($0)) }
    }
  }

  private func adding(_ available: [Checklist]) -> HTML {
    details(
      .id("add-checklists"), .class("section"), .open(viewModel.checklists.isEmpty)
    ) {
      summary { h2 { say(.addChecklists) } }
      PostForm(to: address, id: "add-checklists-form") {
        for checklist in available { ChecklistChoice(checklist, isOn: false) }
        SubmitButton(say(.addChosen), action: "assign")
      }
    }
  }

  private func arranging(_ checklists: [ChecklistProgress]) -> HTML {
    details(.id("arrange"), .class("section")) {
      summary { h2 { say(.arrangeChecklists) } }
      SortList(id: "arrange-list", group: "checklists", moveMessage: say(.moved("{n}", of: "{m}")))
      {
        for (place, checklist) in checklists.enumerated() {
          row(checklist, at: place, of: checklists.count)
        }
      }
      p(.class("hint")) { say(.removalKeepsProgress) }
    }
  }

  private func row(_ checklist: ChecklistProgress, at place: Int, of count: Int) -> SortRow {
    SortRow(
      id: "arrange-\(checklist.id)", label: checklist.title,
      handleLabel: say(.moveByKeys(checklist.title)), menuLabel: say(.of(.more, checklist.title))
    ) {
      span(.class("label")) { checklist.title }
    } menuContent: {
      div(.class("tools")) {
        if place > 0 { button(.moveUp, "move", checklist, ("place", "\(place - 1)"), .up) }
        if place < count - 1 {
          button(.moveDown, "move", checklist, ("place", "\(place + 1)"), .down)
        }
        checkIn(checklist)
        if checklist.status != .notBegun { button(.reset, "reset", checklist) }
        button(.remove, "unassign", checklist)
      }
    }
  }

  private func checkIn(_ checklist: ChecklistProgress) -> PostForm {
    let isOn = viewModel.checkInChecklistID == checklist.id
    return button(
      isOn ? .notAtCheckIn : .useAtCheckIn, "check-in", checklist, ("isOn", "\(!isOn)"))
  }

  /// Returns a button that posts the requested state, so that pressing it twice has the same
  /// effect as pressing it once.
  private func button(
    _ title: LocalizedText, _ action: String, _ checklist: ChecklistProgress,
    _ value: (name: String, value: String)? = nil, _ way: SortRow.Direction? = nil
  ) -> PostForm {
    PostForm(to: address) {
      HiddenValue("checklist", checklist.id.uuidString)
      if let value { HiddenValue(value.name, value.value) }
      SubmitButton(
        say(title), style: .plain, label: say(.of(title, checklist.title)), action: action,
        moving: way)
    }
  }

  private var address: String { CharterRoute.detail(viewModel.charterID).address }
}

/// A checklist to choose.
struct ChecklistChoice: Component {
  private static let prefix = "checklist-"

  let html: HTML

  init(_ checklist: Checklist, isOn: Bool) {
    html =
      CheckField(
        checklist.title, name: Self.prefix + checklist.id.uuidString, isOn: isOn
      ).html
  }

  /// Returns the checklists that were chosen in a form.
  static func chosen(_ fields: Fields) -> Set<UUID> {
    Set(
      fields.items.filter { $0.name.hasPrefix(prefix) }
        .compactMap { UUID(uuidString: String($0.name.dropFirst(prefix.count))) })
  }
}
