import Anyfleet
import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The pages of a checklist in a charter: running it, and the form of the charter's snapshot.
enum RunRoute: PageRoute {
  case run(charter: UUID, checklist: UUID)
  case edit(charter: UUID, checklist: UUID)

  var path: RoutePath {
    switch self {
    case .run(let charter, let checklist): "charters/\(charter)/checklists/\(checklist)"
    case .edit(let charter, let checklist): "charters/\(charter)/checklists/\(checklist)/edit"
    }
  }

  /// The charter.
  var charterID: UUID {
    switch self {
    case .run(let charter, _), .edit(let charter, _): charter
    }
  }

  /// 128 KiB for a note, which is encoded twice; for the checklist as for those of the library.
  var formLimit: Int {
    switch self {
    case .run: 128 * 1_024
    case .edit: LibraryRoute.new(.checklists).formLimit
    }
  }

  static let all: [RouteCase<RunRoute>] = [RouteCase(RunRoute.run), RouteCase(RunRoute.edit)]
}

extension AnyfleetPages {
  @MainActor func page(_ route: RunRoute) -> any RoutedPage {
    switch route {
    case .run(let charter, let checklist):
      RunPage(
        frame: frame,
        viewModel: dependencies.makeChecklistExecution(charterID: charter, checklistID: checklist))
    case .edit(let charter, let checklist): snapshotEditor(checklist, inCharter: charter)
    }
  }

  /// The form of a charter's snapshot of a checklist.
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
      return access.canEdit ? nil : .onlyLook
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
