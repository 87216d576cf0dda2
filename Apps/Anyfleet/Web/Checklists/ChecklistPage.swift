import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// Running a checklist in a charter.
struct ChecklistPage: LivePage {
  let shell: Shell
  let viewModel: ChecklistExecutionViewModel
  let charter: CharterDetailViewModel

  func load() async throws {
    await charter.load()
    if charter.charter.errorValue == .database(.notFound) {
      throw AppError.database(.notFound)
    }
    await viewModel.load()
    if viewModel.loadError == .database(.notFound) {
      throw AppError.database(.notFound)
    }
  }

  func page(_ tab: Tab) -> Page {
    shell.page(
      viewModel.checklist?.title ?? "Checklist", in: .charters,
      subtitle: viewModel.checklist?.description,
      back: PageLink(
        charter.charter.data?.name ?? "Charter", to: Address.charter(viewModel.charterID))
    ) {
      tab.region("progress") { summary }
      if let error = viewModel.loadError {
        ErrorView(error, shell.say, address: address)
      } else if let checklist = viewModel.checklist {
        for section in checklist.sections {
          tab.region("section-\(section.id)") {
            ChecklistSectionView(section: section, viewModel: viewModel).html
          }
        }
      } else {
        LoadingView("Opening the checklist…")
      }
    }
  }

  @HTMLBuilder private var summary: HTML {
    if viewModel.checklist != nil {
      Notices([viewModel.refreshError].compactMap(\.self), shell.say)
      p(.id("count"), .class("sub")) {
        "\(viewModel.checkedCount) of \(viewModel.itemCount) done"
        if !viewModel.openCriticalItems.isEmpty {
          ", \(viewModel.openCriticalItems.count) critical open"
        }
      }
      ProgressBar(viewModel.checkedCount, of: viewModel.itemCount, label: "Progress")
    }
  }

  private var address: String {
    Address.checklist(viewModel.checklistID, in: viewModel.charterID)
  }
}

extension AnyfleetPages {
  func checklist(_ request: Request) async throws -> Response {
    let (charter, checklist) = try ids(request)
    return try await tabs.open(request) { checklistPage(charter, checklist) }
  }

  /// Checks an item, or takes the check back; answers once that is on disk.
  func tick(_ request: Request) async throws -> Response {
    let (charter, checklist) = try ids(request)
    let item: UUID = try request.parameter("item")
    guard let isOn = try request.form["isOn"].flatMap(Bool.init) else {
      throw HTTPError(.badRequest, "The form has no field isOn that is true or false.")
    }
    return try await tabs.act(request, at: Address.checklist(checklist, in: charter)) {
      checklistPage(charter, checklist)
    } action: { page in
      let viewModel = page.viewModel
      if let error = viewModel.loadError { throw error }
      guard viewModel.checklist?.itemIDs.contains(item) == true else {
        throw HTTPError(.notFound, "The checklist has no such item.")
      }
      viewModel.setItem(item, isChecked: isOn)
      await viewModel.settled()
      return viewModel.saveErrors[item] == nil ? .done : .invalid
    }
  }

  private func ids(_ request: Request) throws -> (charter: UUID, checklist: UUID) {
    (try request.parameter("charter"), try request.parameter("checklist"))
  }

  @MainActor private func checklistPage(_ charter: UUID, _ checklist: UUID) -> ChecklistPage {
    ChecklistPage(
      shell: shell,
      viewModel: dependencies.makeChecklistExecution(charterID: charter, checklistID: checklist),
      charter: dependencies.makeCharterDetail(charter))
  }
}
