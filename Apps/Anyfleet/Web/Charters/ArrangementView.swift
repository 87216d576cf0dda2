import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// Which checklists a charter has, in which order, to be changed; folded away.
@MainActor
struct ArrangementView {
  let viewModel: CharterDetailViewModel
  let say: Speaker

  @HTMLBuilder var html: HTML {
    if let available = viewModel.availableChecklists.data { adding(available) }
    if let checklists = viewModel.checklists.data, !checklists.isEmpty { arranging(checklists) }
    // Always there, since only what changes within it is read out.
    p(.id("arranged"), .class("hint"), .role(.status)) {
      viewModel.unassignedTitle.map { say(.unassigned($0)) }
    }
  }

  private func adding(_ available: [Checklist]) -> HTML {
    details(
      .id("add-checklists"), .class("section"), .open(viewModel.checklists.isEmpty)
    ) {
      summary { h2 { say(.addChecklists) } }
      PostForm(to: Address.assigned(viewModel.charterID), id: "add-checklists-form") {
        for checklist in available { ChecklistChoice(checklist, isOn: false) }
        SubmitButton(say(.addChosen))
      }
    }
  }

  private func arranging(_ checklists: [ChecklistProgress]) -> HTML {
    details(.id("arrange"), .class("section")) {
      summary { h2 { say(.arrangeChecklists) } }
      Card(id: "arrange-list") {
        for (place, checklist) in checklists.enumerated() {
          row(checklist, at: place, of: checklists.count)
        }
      }
      p(.class("hint")) { say(.removalKeepsProgress) }
    }
  }

  private func row(_ checklist: ChecklistProgress, at place: Int, of count: Int) -> HTML {
    div(.id("arrange-\(checklist.id)"), .class("row")) {
      span(.class("label")) { checklist.title }
      div(.class("tools")) {
        if place > 0 { move(checklist, .moveUp, to: place - 1) }
        if place < count - 1 { move(checklist, .moveDown, to: place + 1) }
        checkIn(checklist)
        if checklist.status != .notBegun { button(.reset, .reset, checklist) }
        button(.remove, .remove, checklist)
      }
    }
  }

  /// Posts the place that is wanted, so that pressing twice asks for the same thing twice.
  private func move(
    _ checklist: ChecklistProgress, _ title: LocalizedText, to place: Int
  ) -> PostForm {
    PostForm(to: Address.assigned(checklist.id, to: viewModel.charterID, .move)) {
      HiddenValue("place", "\(place)")
      SubmitButton(say(title), style: .plain, label: say(.of(title, checklist.title)))
    }
  }

  private func checkIn(_ checklist: ChecklistProgress) -> PostForm {
    let isOn = viewModel.checkInChecklistID == checklist.id
    let title: LocalizedText = isOn ? .notAtCheckIn : .useAtCheckIn
    return PostForm(to: Address.assigned(checklist.id, to: viewModel.charterID, .checkIn)) {
      HiddenValue("isOn", "\(!isOn)")
      SubmitButton(say(title), style: .plain, label: say(.of(title, checklist.title)))
    }
  }

  private func button(
    _ title: LocalizedText, _ change: AssignmentChange, _ checklist: ChecklistProgress
  ) -> PostForm {
    PostForm(to: Address.assigned(checklist.id, to: viewModel.charterID, change)) {
      SubmitButton(say(title), style: .plain, label: say(.of(title, checklist.title)))
    }
  }
}

/// A checklist that can be chosen.
struct ChecklistChoice: Component {
  private static let prefix = "checklist-"

  let html: HTML

  init(_ checklist: Checklist, isOn: Bool) {
    html =
      CheckField(
        checklist.title, name: Self.prefix + checklist.id.uuidString, isOn: isOn,
        hint: checklist.description
      ).html
  }

  /// The checklists that were chosen in a form.
  static func chosen(_ fields: Fields) -> Set<UUID> {
    Set(
      fields.items.filter { $0.name.hasPrefix(prefix) }
        .compactMap { UUID(uuidString: String($0.name.dropFirst(prefix.count))) })
  }
}
