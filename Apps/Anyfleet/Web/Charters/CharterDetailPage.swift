import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// A charter, with its checklists and how far they have got.
struct CharterDetailPage: LivePage {
  let shell: Shell
  let viewModel: CharterDetailViewModel
  let days: Days

  func load() async throws {
    await viewModel.load()
    if viewModel.charter.errorValue == .database(.notFound) {
      throw AppError.database(.notFound)
    }
  }

  func page(_ tab: Tab) -> Page {
    shell.page(
      viewModel.charter.data?.name ?? "Charter", in: .charters,
      subtitle: viewModel.charter.data.map(subtitle),
      back: PageLink("Charters", to: Address.charters)
    ) {
      tab.region("checklists") {
        if let error = viewModel.charter.errorValue {
          ErrorView(error, shell.say, address: address)
        } else {
          Notices(viewModel.notices, shell.say)
          h2 { "Checklists" }
          checklists
        }
      }
      tab.region("deleting") {
        if let charter = viewModel.charter.data { deletion(of: charter) }
      }
    }
  }

  /// Folded away, so that it takes two steps, with and without the script.
  @HTMLBuilder private func deletion(of charter: CharterModel) -> HTML {
    if let error = viewModel.deleteError { ErrorView(error, shell.say) }
    details(.id("delete"), .class("section")) {
      summary { h2 { "Delete this charter" } }
      p { "The progress of its checklists is deleted with it. This cannot be undone." }
      PostForm(to: Address.deleteCharter(charter.id)) {
        SubmitButton("Delete", style: .destructive, label: "Delete \(charter.name)")
      }
    }
  }

  private var address: String { Address.charter(viewModel.charterID) }

  private var checklists: StateContent<[ChecklistProgress]> {
    StateContent(
      viewModel.checklists, shell.say,
      loading: LocalizedText(en: "Looking for checklists…", ru: "Ищем чек-листы…"),
      address: address, empty: empty
    ) { checklists in
      if !checklists.isEmpty {
        Card(label: "Checklists", id: "checklist-list") {
          for checklist in checklists { row(checklist) }
        }
      }
    }
  }

  private var empty: EmptyView {
    EmptyView(
      icon: Icon("list-check", text: "✓"), title: "No Checklists",
      text: "The library has no checklists.")
  }

  private func row(_ checklist: ChecklistProgress) -> LinkRow {
    LinkRow(
      checklist.title,
      to: Address.checklist(checklist.id, in: viewModel.charterID),
      text: progress(checklist), id: "checklist-\(checklist.id)"
    ) {
      badge(checklist)
    }
  }

  @HTMLBuilder private func badge(_ checklist: ChecklistProgress) -> HTML {
    switch checklist.status {
    case .notBegun: HTML()
    case .begun: Badge("\(checklist.percent) %")
    case .done: Badge("Done", tone: .good)
    case .unreadable: Badge("Unreadable", tone: .bad)
    }
  }

  private func progress(_ checklist: ChecklistProgress) -> String {
    guard checklist.status != .unreadable else { return "Progress cannot be read" }
    let done = "\(checklist.checkedCount) of \(checklist.itemCount)"
    guard checklist.status == .begun, checklist.openCriticalCount > 0 else { return done }
    return "\(done), \(checklist.openCriticalCount) critical open"
  }

  private func subtitle(_ charter: CharterModel) -> String {
    let guests = "\(charter.guests) \(charter.guests == 1 ? "guest" : "guests")"
    let parts = [charter.boatName, charter.location, charter.region].compactMap(\.self)
    return (parts + [days.range(charter.startDate, charter.endDate), guests])
      .joined(separator: ", ")
  }
}

extension AnyfleetPages {
  func charter(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("charter")
    return try await tabs.open(request) { charterPage(id) }
  }

  /// Deletes a charter and goes to the list; also where it is gone already, as after a second press.
  func deleteCharter(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("charter")
    do {
      return try await tabs.act(request, at: Address.charter(id)) {
        charterPage(id)
      } action: { page in
        await page.viewModel.delete() ? .go(to: Address.charters) : .invalid
      }
    } catch AppError.database(.notFound) {
      return .redirect(to: Address.charters)
    }
  }

  @MainActor private func charterPage(_ id: UUID) -> CharterDetailPage {
    CharterDetailPage(shell: shell, viewModel: dependencies.makeCharterDetail(id), days: days)
  }

  /// Days by the calendar of the device.
  var days: Days { Days(calendar: .autoupdatingCurrent) }
}
