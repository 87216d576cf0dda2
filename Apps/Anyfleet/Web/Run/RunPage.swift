import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Running a checklist in a charter.
struct RunPage: LivePage {
  let frame: AppFrame
  let viewModel: ChecklistExecutionViewModel

  func load() async throws {
    await viewModel.load()
    if viewModel.loadError == .database(.notFound) { throw AppError.database(.notFound) }
  }

  func page(_ tab: Tab) -> Page {
    frame.page(
      tab, viewModel.checklist?.title ?? frame.say(.checklist), in: .charters,
      subtitle: viewModel.checklist?.description,
      back: PageLink(
        viewModel.charter?.name ?? frame.say(.charter), to: Address.charter(viewModel.charterID))
    ) {
      if let error = viewModel.loadError {
        ErrorView(error, frame.say, address: address.page, suggestion: suggestion(error))
      } else if let checklist = viewModel.checklist {
        tab.region("progress") { summary }
        tab.region("open-critical") { openCritical }
        for section in checklist.sections {
          tab.region("section-\(section.id)") {
            RunSectionView(section: section, viewModel: viewModel, say: frame.say, tab: tab).html
          }
        }
        tab.region("ending") {
          if viewModel.canEdit { RunEndingView(viewModel: viewModel, say: frame.say).html }
        }
      } else {
        LoadingView(frame.say(.openingChecklist))
      }
    }
  }

  /// Progress that cannot be read is not deleted here but on the page of the charter.
  private func suggestion(_ error: AppError) -> LocalizedText? {
    guard case .database(.unreadable(let place)) = error else { return nil }
    let isProgress = ["checklistExecutionStates", "checklistItemNotes"].contains(place.table)
    return isProgress ? .resetUnreadable : .othersUnaffected
  }

  // MARK: - Above the sections

  @HTMLBuilder private var summary: HTML {
    Notices(
      viewModel.unreadable + [viewModel.refreshError].compactMap(\.self), frame.say,
      address: address.page)
    if viewModel.canUndoReset, viewModel.canEdit {
      UndoBar(
        .wasReset, frame.say, undo: address.undo, dismiss: address.dismiss, id: "undo-notice")
    }
    ReadOnlyNotice(viewModel.role, frame, .charter)
    p(.id("count"), .class("sub")) { counts.map { frame.say($0) }.joined(separator: ", ") }
    ProgressBar(viewModel.checkedCount, of: viewModel.itemCount, label: frame.say(.progress))
  }

  private var counts: [LocalizedText] {
    let (critical, problems) = (viewModel.openCriticalItems.count, viewModel.problemCount)
    return [
      .done(viewModel.checkedCount, of: viewModel.itemCount),
      critical > 0 ? .criticalOpen(critical) : nil, problems > 0 ? .problems(problems) : nil,
    ].compactMap(\.self)
  }

  @HTMLBuilder private var openCritical: HTML {
    let items = viewModel.openCriticalItems
    if !items.isEmpty {
      nav(.id("critical"), .class("critical"), .ariaLabelledBy("critical-heading")) {
        h2(.id("critical-heading")) { frame.say(.criticalItemsOpen(items.count)) }
        ul {
          for item in items {
            li(.id("critical-\(item.id)")) { a(.href(address.place(of: item.id))) { item.title } }
          }
        }
      }
    }
  }

  private var address: RunAddress { RunAddress(of: viewModel) }
}

extension RunAddress {
  /// The addresses of what is run.
  @MainActor init(of viewModel: ChecklistExecutionViewModel) {
    self.init(charterID: viewModel.charterID, checklistID: viewModel.checklistID)
  }
}
