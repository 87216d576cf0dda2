import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Running a checklist in a charter.
struct RunPage: RoutedPage {
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
        viewModel.charter?.name ?? frame.say(.charter),
        to: screen.backAddress)
    ) {
      if let error = viewModel.loadError {
        ErrorView(error, frame.say, address: address, suggestion: suggestion(error))
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
      address: address)
    ReadOnlyNotice(viewModel.role, frame, .charter)
    if let error = viewModel.refusal { ErrorView(error, frame.say) }
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
            li(.id("critical-\(item.id)")) { a(.href("#item-\(item.id)")) { item.title } }
          }
        }
      }
    }
  }

  private var address: String { viewModel.route.address }

  private var screen: AppRoute {
    .executeChecklist(charterID: viewModel.charterID, checklistID: viewModel.checklistID)
  }

  // MARK: - Forms

  func perform(_ form: PageForm) async throws -> Outcome {
    if let error = viewModel.loadError { throw error }
    switch form.action {
    case "tick":
      let item = try item(form)
      viewModel.setItem(item, isChecked: try form.value("isOn"))
      await viewModel.settled()
      return viewModel.error(of: .tick(item)) == nil ? .done : .invalid
    case "remark":
      let item = try item(form)
      viewModel.setRemarks(
        item, to: try form.remarks("note", "issue"),
        from: try form.remarks("noteBefore", "issueBefore"))
      await viewModel.settled()
      let errors = [viewModel.error(of: .note(item)), viewModel.error(of: .issue(item))]
      return errors.allSatisfy { $0 == nil } ? .done : .invalid
    case "finish": await viewModel.finish()
    case "confirm-finish": await viewModel.confirmFinish()
    case "reset":
      viewModel.reset()
      return .drafted
    case "confirm-reset":
      if let restore = await viewModel.confirmReset() {
        frame.offerUndo(.wasReset(viewModel.checklist?.title), restore: restore)
      }
      return viewModel.resetError == nil ? .done : .invalid
    default: throw form.unknownAction
    }
    let charter = CharterRoute.detail(viewModel.charterID).address
    return viewModel.isFinished ? .go(to: charter) : .drafted
  }

  private func item(_ form: PageForm) throws -> UUID {
    let item: UUID = try form.value("item")
    guard viewModel.checklist?.itemIDs.contains(item) == true else {
      throw AppError.database(.notFound)
    }
    return item
  }
}

extension PageForm {
  /// The note and the condition in these fields.
  fileprivate func remarks(_ note: String, _ issue: String) throws -> ItemRemarks {
    let condition = text(issue)
    guard !condition.isEmpty else { return ItemRemarks(note: text(note)) }
    guard let condition = ChecklistItemIssue(rawValue: condition) else {
      throw HTTPError(.badRequest, "The form has no field \(issue) that is a condition.")
    }
    return ItemRemarks(note: text(note), issue: condition)
  }
}

extension ChecklistExecutionViewModel {
  /// The route of the page.
  var route: RunRoute { .run(charter: charterID, checklist: checklistID) }

  /// The route of the page with the history of an item.
  func history(of itemID: UUID) -> RunRoute {
    .history(charter: charterID, checklist: checklistID, item: itemID)
  }
}
