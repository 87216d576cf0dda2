import Anyfleet
import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The pages of a checklist in a charter: running it, editing the charter's snapshot, and the
/// histories of its items.
enum RunRoute: PageRoute {
  case run(charter: UUID, checklist: UUID)
  case edit(charter: UUID, checklist: UUID)
  case history(charter: UUID, checklist: UUID, item: UUID)

  var path: RoutePath {
    switch self {
    case .run(let charter, let checklist): "charters/\(charter)/checklists/\(checklist)"
    case .edit(let charter, let checklist): "charters/\(charter)/checklists/\(checklist)/edit"
    case .history(let charter, let checklist, let item):
      "charters/\(charter)/checklists/\(checklist)/items/\(item)/history"
    }
  }

  /// The charter of the checklist.
  var charterID: UUID {
    switch self {
    case .run(let charter, _), .edit(let charter, _), .history(let charter, _, _): charter
    }
  }

  /// The maximum size of a form in bytes: 128 KiB for a note, which is encoded twice; for the
  /// editor that of the library's checklists.
  var formLimit: Int {
    switch self {
    case .run: 128 * 1_024
    case .edit: Self.editorFormLimit
    case .history: Self.usualFormLimit
    }
  }

  static let all: [RouteCase<RunRoute>] = [
    RouteCase(RunRoute.run), RouteCase(RunRoute.edit), RouteCase(RunRoute.history),
  ]
}

extension AnyfleetPages {
  @MainActor func page(_ route: RunRoute) throws -> any RoutedPage {
    switch route {
    case .run(let charter, let checklist):
      RunPage(
        frame: frame,
        viewModel: dependencies.makeChecklistExecution(charterID: charter, checklistID: checklist),
        charter: dependencies.makeCharterDetail(charter))
    case .edit(let charter, let checklist): snapshotEditor(checklist, inCharter: charter)
    case .history(let charter, let checklist, let item):
      HistoryPage(
        frame, in: .charters, back: RunRoute.run(charter: charter, checklist: checklist).address,
        try dependencies.makeItemHistory(item, checklistID: checklist, charterID: charter),
        texts: .ofItems)
    }
  }

  /// Returns the form of a charter's snapshot of a checklist.
  @MainActor private func snapshotEditor(
    _ checklistID: UUID, inCharter charterID: UUID
  ) -> any RoutedPage {
    let access = dependencies.makeCharterAccess(charterID)
    let checklist = RunRoute.run(charter: charterID, checklist: checklistID).address
    return EditorPage(frame, in: .charters, back: PageLink(frame.say(.checklist), to: checklist)) {
      _ in
      dependencies.makeDraft(ofChecklist: checklistID, inCharter: charterID)
    } next: { _ in
      checklist
    }.showing {
      await access.load()
    } refusal: {
      access.canEdit ? nil : .onlyLook
    } above: { _ in
      p(.class("hint")) { frame.say(.changesThisCharterAlone) }
    }
  }
}

extension LocalizedText {
  fileprivate static let changesThisCharterAlone = LocalizedText(
    en: "Only this charter’s checklist changes. The one in the library stays as it is.",
    ru: "Меняется только чек-лист этого чартера. В библиотеке он останется прежним.")
}
