import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The pages of charters.
enum CharterRoute: PageRoute {
  case new
  case edit(UUID)

  var path: RoutePath {
    switch self {
    case .new: "charters/new"
    case .edit(let id): "charters/\(id)/edit"
    }
  }

  /// 128 KiB for forms: enough for a long crew and budget.
  var formLimit: Int { 128 * 1_024 }

  static let all: [RouteCase<CharterRoute>] = [RouteCase(.new), RouteCase(CharterRoute.edit)]
}

extension AnyfleetPages {
  @MainActor func page(_ route: CharterRoute) -> any RoutedPage {
    switch route {
    case .new: newCharter
    case .edit(let id): editor(ofCharter: id)
    }
  }

  /// The page in place of that of a charter that is not here.
  @MainActor func missingPage(
    _ route: CharterRoute
  ) async throws -> (page: any RoutedPage, status: Response.Status)? {
    switch route {
    case .new: nil
    case .edit(let id): try await missingPage(id)
    }
  }

  @MainActor private var newCharter: any RoutedPage {
    let (say, library) = (frame.say, dependencies.libraryStore)
    return EditorPage(
      frame, in: .charters, back: PageLink(say(.charters), to: Address.charters), new: .newCharter
    ) {
      dependencies.makeCreateCharter(charterID: $0).draft
    } next: {
      Address.charter($0.id)
    }.showing {
      await library.loadIfNeeded(Checklist.self)
      return nil
    } above: {
      Notices(
        [library.checklists.errorValue].compactMap(\.self) + library.notices(of: Checklist.self),
        frame.say, address: Address.newCharter)
      CompletionCard($0, frame.say)
    }
  }

  @MainActor private func editor(ofCharter id: UUID) -> any RoutedPage {
    let access = dependencies.makeCharterAccess(id)
    return EditorPage(
      frame, in: .charters, back: PageLink(frame.say(.charter), to: Address.charter(id))
    ) { _ in
      dependencies.makeDraft(ofCharter: id)
    } next: { _ in
      Address.charter(id)
    }.showing {
      await access.load()
      return access.canEdit ? nil : .onlyLook
    } above: {
      CompletionCard($0, frame.say)
    }
  }
}

/// The share of the steps that a charter's form has, those that it lacks, and advice.
@MainActor private struct CompletionCard: Component {
  let html: HTML

  init(_ draft: Draft<CharterFormState>, _ say: Speaker) {
    let (form, problems) = draft.checked()
    let steps = CharterFormState.Step.allCases
    let missing = steps.filter { form.missingSteps.contains($0) || problems[$0.rawValue] != nil }
    let count = steps.count - missing.count
    html = section(.id("completion"), .class("summary"), .ariaLabel(say(.completion))) {
      ProgressBar(count, of: steps.count, label: say(.completion))
      p { say(.completed(count, of: steps.count)) }
      if !missing.isEmpty { p(.class("hint")) { say(.stillMissing(missing)) } }
      for advice in CharterFormValidation.advice(for: form).compactMap(\.advice) {
        p(.class("hint")) { say(advice) }
      }
    }
  }
}
