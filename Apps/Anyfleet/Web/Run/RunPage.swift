import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The page that runs a checklist in a charter.
struct RunPage: RoutedPage {
  let frame: AppFrame
  let viewModel: ChecklistExecutionViewModel
  /// The charter, whose checklists are beside the page.
  let charter: CharterDetailViewModel

  func load() async throws {
    async let charter: Void = charter.load()
    async let conflicts: Void = frame.loadConflicts()
    await viewModel.load()
    _ = await (charter, conflicts)
    if viewModel.loadError == .database(.notFound) { throw AppError.database(.notFound) }
  }

  func page(_ tab: Tab) -> Page {
    var page = frame.page(
      tab, viewModel.checklist?.title ?? frame.say(.checklist), in: .charters,
      subtitle: viewModel.checklist?.description,
      back: PageLink(
        viewModel.charter?.name ?? frame.say(.charter),
        to: screen.backAddress)
    ) {
      if let error = viewModel.loadError {
        ErrorView(error, frame.say, address: address, suggestion: suggestion(error))
      } else if let checklist = viewModel.checklist {
        tab.region("notices") { notices }
        tab.region("progress") { progress }
        if viewModel.canEdit {
          PostForm(to: address, id: RunItemView.remarksForm) { HiddenValue("action", "remarks") }
        }
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
    } beside: {
      tab.region("others") { others }
    }
    page.stylesheets = [.charters]
    return page
  }

  @HTMLBuilder private var others: HTML {
    let address = CharterRoute.detail(viewModel.charterID).address
    h2 { a(.href(address)) { viewModel.charter?.name ?? frame.say(.charter) } }
    if let checklists = charter.checklists.data, !checklists.isEmpty {
      Card(label: frame.say(.checklists), id: "others-list") {
        for checklist in checklists {
          checklist.row(
            inCharter: viewModel.charterID, isCurrent: checklist.id == viewModel.checklistID, frame)
        }
      }
    }
  }

  /// Returns the suggestion for an unreadable entry. Unreadable progress is deleted on the page of
  /// the charter.
  private func suggestion(_ error: AppError) -> LocalizedText? {
    guard case .database(.unreadable(let place)) = error else { return nil }
    let isProgress = ["checklistExecutionStates", "checklistItemNotes"].contains(place.table)
    return isProgress ? .resetUnreadable : .othersUnaffected
  }

  /// Updates the current day, on which the times of the checks depend.
  func run() async { await viewModel.followDays() }

  // MARK: - Above the sections

  @HTMLBuilder private var notices: HTML {
    Notices(
      viewModel.unreadable + [viewModel.refreshError].compactMap(\.self), frame.say,
      address: address)
    ReadOnlyNotice(viewModel.role, frame, .charter)
    if let error = viewModel.refusal { ErrorView(error, frame.say) }
  }

  /// A line that stays visible during scrolling, with a constant height.
  private var progress: HTML {
    div(.id("run-progress"), .class("run-progress"), .class("complete", if: viewModel.isComplete)) {
      p(.id("count")) { count }
      openCritical
      ProgressBar(viewModel.checkedCount, of: viewModel.itemCount, label: frame.say(.progress))
    }
  }

  private var count: String {
    guard !viewModel.isComplete else { return viewModel.completion(frame.say) }
    let problems = viewModel.problemCount
    return [
      .done(viewModel.checkedCount, of: viewModel.itemCount),
      problems > 0 ? .problems(problems) : nil,
    ].compactMap(\.self).map { frame.say($0) }.joined(separator: ", ")
  }

  /// The list opens above the page, so that nothing moves when an item disappears from it.
  @HTMLBuilder private var openCritical: HTML {
    let items = viewModel.openCriticalItems
    if !items.isEmpty {
      Popover(frame.say(.criticalOpen(items.count)), id: "critical") {
        h2 { frame.say(.criticalItemsOpen(items.count)) }
        Card {
          for item in items {
            a(.class("row"), .id("critical-\(item.id)"), .href("#item-\(item.id)")) {
              span(.class("label")) { item.title }
            }
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
    case "remarks":
      viewModel.openRemarks(of: try item(form))
      return .drafted
    case "condition":
      let item = try item(form)
      viewModel.setIssue(item, to: try form.condition("issue"))
      await viewModel.settled()
      return viewModel.error(of: .issue(item)) == nil ? .done : .invalid
    case "note":
      let item = try item(form)
      viewModel.setNote(item, to: form.text("note"), from: form.text("noteBefore"))
      await viewModel.settled()
      return viewModel.error(of: .note(item)) == nil ? .done : .invalid
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
  /// Returns the condition in a field, or `nil` if the field is empty.
  fileprivate func condition(_ name: String) throws -> ChecklistItemIssue? {
    let text = text(name)
    guard !text.isEmpty else { return nil }
    guard let condition = ChecklistItemIssue(rawValue: text) else {
      throw HTTPError(.badRequest, "The form has no field \(name) that is a condition.")
    }
    return condition
  }
}

extension ChecklistExecutionViewModel {
  /// The route of the page.
  var route: RunRoute { .run(charter: charterID, checklist: checklistID) }

  /// Returns the route of the page with the history of an item.
  func history(of itemID: UUID) -> RunRoute {
    .history(charter: charterID, checklist: checklistID, item: itemID)
  }

  /// Returns a sentence that all items are checked, with the time of the last check if it is known.
  func completion(_ say: Localizer) -> String {
    let time = completedAt.map { isToday($0) ? say.time($0) : say.dayAndTime($0) }
    return say(.allDone(itemCount, at: time))
  }
}
