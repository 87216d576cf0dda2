import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import OffshoreWire

/// A charter, with its checklists and how far they have got.
struct CharterDetailPage: LivePage {
  let frame: AppFrame
  let viewModel: CharterDetailViewModel

  private var say: Speaker { frame.say }
  private var address: String { Address.charter(viewModel.charterID) }

  func load() async throws {
    await viewModel.load()
    if viewModel.charter.errorValue == .database(.notFound) {
      throw AppError.database(.notFound)
    }
  }

  func page(_ tab: Tab) -> Page {
    frame.page(
      tab, viewModel.charter.data?.name ?? say(.charter), in: .charters,
      subtitle: viewModel.charter.data.map(subtitle),
      back: PageLink(say(.charters), to: Address.charters)
    ) {
      tab.region("charter-notices") { notices }
      tab.region("checklists") {
        if let error = viewModel.charter.errorValue {
          ErrorView(error, say, address: address)
        } else {
          h2 { say(.checklists) }
          checklists
        }
      }
      tab.region("arranging") {
        if viewModel.charter.errorValue == nil, viewModel.canEdit {
          ArrangementView(viewModel: viewModel, say: say).html
        }
      }
      tab.region("sharing") {
        if viewModel.charter.data != nil { sharing }
      }
      tab.region("facts") {
        if let charter = viewModel.charter.data { facts(charter) }
      }
      tab.region("actions") {
        if let charter = viewModel.charter.data {
          actions(charter)
        } else if viewModel.canEdit, case .database(.unreadable) = viewModel.charter.errorValue {
          deletion(of: say(.charter))
        }
      }
    }
  }

  private func subtitle(_ charter: CharterModel) -> String {
    let parts = [charter.boatName, charter.location, charter.region].compactMap(\.self)
    return
      (parts + [say.days(of: charter), say(.guests(charter.guests))])
      .joined(separator: ", ")
  }

  @HTMLBuilder private var notices: HTML {
    if let error = viewModel.actionError { ErrorView(error, say) }
    if let id = viewModel.resetChecklistID {
      let title = viewModel.checklists.data?.first { $0.id == id }?.title
      UndoBar(
        .checklistReset(title ?? say(.checklist)), say,
        undo: Address.assigned(id, to: viewModel.charterID, .restore),
        dismiss: Address.assigned(id, to: viewModel.charterID, .dismiss))
    }
    // Where the charter cannot be read, nothing is shown that something else could be missing from.
    if viewModel.charter.errorValue == nil { Notices(viewModel.notices, say, address: address) }
    if let charter = viewModel.charter.data, let phase = viewModel.phase {
      p(.id("state")) { CharterBadge(charter, phase: phase, say) }
    }
    ReadOnlyNotice(viewModel.role, frame, .charter)
  }

  // MARK: - Checklists

  private var checklists: StateContent<[ChecklistProgress]> {
    StateContent(
      viewModel.checklists, say, loading: .lookingForChecklists, address: address, empty: empty
    ) { checklists in
      if !checklists.isEmpty {
        Card(label: say(.checklists), id: "checklist-list") {
          for checklist in checklists { row(checklist) }
        }
      }
    }
  }

  private var empty: EmptyView {
    EmptyView(
      icon: Icon("list-check", text: "✓"), title: say(.noChecklists),
      text: say(viewModel.canEdit ? .addFromLibrary : .noneAdded))
  }

  private func row(_ checklist: ChecklistProgress) -> LinkRow {
    LinkRow(
      checklist.title,
      to: RunRoute.run(charter: viewModel.charterID, checklist: checklist.id).address,
      text: checklist.line(say), id: "checklist-\(checklist.id)"
    ) {
      if viewModel.checkInChecklistID == checklist.id { Badge(say(.checkIn)) }
      checklist.badge(say)
    }
  }

  // MARK: - The charter

  @HTMLBuilder private var sharing: HTML {
    h2 { say(.sharedWith) }
    Card(id: "sharing-list") {
      MembersLink(frame, .charter, of: viewModel.charterID)
      HistoryLink(
        frame, count: viewModel.historyCount,
        to: SharedKind.charter.history(of: viewModel.charterID), id: "charter-history")
    }
  }

  @HTMLBuilder private func facts(_ charter: CharterModel) -> HTML {
    if !charter.crew.isEmpty || charter.budget != nil {
      h2 { say(.charterFacts) }
      Card(id: "facts-list") {
        for member in charter.crew {
          div(.class("row")) {
            span(.class("label")) { member.name }
            Badge(say(member.role.title), tone: .none)
          }
        }
        if let budget = charter.budget {
          div(.class("row")) {
            span(.class("label")) { say(.budget) }
            span { say.currency(budget.amount, budget.currencyCode) }
          }
          for line in budget.lines {
            div(.class("row")) {
              span(.class("label")) { line.title }
              span { say.currency(line.amount, budget.currencyCode) }
            }
          }
        }
      }
    }
    if !viewModel.missingSteps.isEmpty {
      p(.id("missing"), .class("hint")) { say(.stillMissing(viewModel.missingSteps)) }
    }
  }

  @HTMLBuilder private func actions(_ charter: CharterModel) -> HTML {
    div(.class("buttons")) {
      if viewModel.canEdit {
        a(.class("button", "plain"), .href(Address.editCharter(charter.id))) { say(.edit) }
      }
      a(.class("button", "plain"), .href(Address.report(charter.id))) { say(.printReport) }
      // Which charter is active is everybody's own choice, but one that is archived is none.
      if viewModel.canEdit || !charter.isArchived {
        choice(
          charter.isActive ? .makeInactive : .makeActive, !charter.isActive,
          to: Address.activateCharter(charter.id))
      }
      if viewModel.canEdit {
        choice(
          charter.isArchived ? .unarchive : .archive, !charter.isArchived,
          to: Address.archiveCharter(charter.id))
      }
    }
    if viewModel.canEdit { deletion(of: charter.name) }
    if viewModel.role == .left { copyRemoval(of: charter.name) }
  }

  /// Folded away as a deletion is: a copy is the only one that is left here.
  private func copyRemoval(of name: String) -> HTML {
    details(.id("remove-copy"), .class("section")) {
      summary { h2 { say(.removeTheCopy) } }
      p { say(.copyRemovalExplained) }
      PostForm(to: Address.removeCopy(of: viewModel.charterID)) {
        SubmitButton(say(.remove), style: .destructive, label: say(.removeCopy(of: name)))
      }
    }
  }

  /// Posts the state that is wanted, so that pressing twice asks for the same thing twice.
  private func choice(_ title: LocalizedText, _ isOn: Bool, to address: String) -> PostForm {
    PostForm(to: address) {
      HiddenValue("isOn", "\(isOn)")
      SubmitButton(say(title), style: .plain)
    }
  }

  /// Folded away, so that it takes two steps, with and without the script.
  private func deletion(of name: String) -> HTML {
    details(.id("delete"), .class("section")) {
      summary { h2 { say(.deleteThisCharter) } }
      p { say(.deletionExplained) }
      PostForm(to: Address.deleteCharter(viewModel.charterID)) {
        SubmitButton(say(.delete), style: .destructive, label: say(.deleteCharter(name)))
      }
    }
  }
}
