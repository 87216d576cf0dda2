import Foundation
import OffshoreHTTP
package import OffshorePresentation
import OffshoreWeb

/// The removals since the app was started that can be undone, and the undo bar of each page.
@MainActor final class Removals {
  private struct Removal: Identifiable {
    let id: UUID
    let text: LocalizedText
    let address: String?
    let restore: @MainActor () async throws -> Void
  }

  /// The path to which the form of the bar is posted on every page.
  nonisolated static let path = "undo"

  private static let undo = "undo-removal"
  private static let dismiss = "dismiss-removal"
  private let recent = RecentRemovals<Removal>()
  /// The latest removals that were undone or dismissed, with the outcome. A later form for them
  /// does nothing.
  private var completed: [(id: UUID, outcome: Outcome)] = []

  /// Offers to undo a removal.
  /// - Parameters:
  ///   - text: a sentence that names the removed entry.
  ///   - address: the address to go to after it was restored; `nil` for the page that shows the
  ///     bar.
  ///   - restore: undoes the removal. If it throws, the user can retry.
  func offer(
    _ text: LocalizedText, id: UUID, to address: String?,
    restore: @escaping @MainActor () async throws -> Void
  ) {
    recent.add(Removal(id: id, text: text, address: address, restore: restore))
  }

  /// The bar with the latest removal, or nothing if there is none.
  /// - Parameter address: the address of the page that shows the bar.
  @HTMLBuilder func bar(onPage address: String, _ say: Localizer) -> HTML {
    if let removal = recent.last() {
      div(.id("undo"), .class("undo"), .role(.status)) {
        p { say(removal.text) }
        PostForm(to: "/" + Self.path, id: "undo-do") {
          HiddenValue("removal", removal.id.uuidString)
          HiddenValue("page", address)
          button(.type(.submit), .name("action"), .value(Self.undo)) { say(.undo) }
          button(
            .type(.submit), .class("dismiss"), .name("action"), .value(Self.dismiss),
            .ariaLabel(say(.dismiss))
          ) { "×" }
        }
      }
    }
  }

  /// Undoes a removal or dismisses the bar.
  /// - Returns: the address to go to, if a restored entry has one.
  /// - Throws: the error of the restoration; `AppError` with `database(.notFound)` if the removal
  ///   cannot be undone any more; `HTTPError` with 400 for a form that the bar does not have.
  func perform(_ form: PageForm) async throws -> Outcome {
    let id = try form.value("removal", as: UUID.self)
    switch form.action {
    case Self.undo: return try await undo(id)
    case Self.dismiss:
      if recent[id] != nil { complete(id, .done) }
      recent.dismiss { $0.id == id }
      return .done
    default: throw form.unknownAction
    }
  }

  private func undo(_ id: UUID) async throws -> Outcome {
    if let earlier = completed.last(where: { $0.id == id }) { return earlier.outcome }
    let outcome: Outcome = recent[id]?.address.map { .go(to: $0) } ?? .done
    guard try await recent.restore(id, by: { try await $0.restore() }) else {
      throw AppError.database(.notFound)
    }
    complete(id, outcome)
    return outcome
  }

  /// Discards all removals, which cannot be undone any more.
  func discardAll() {
    recent.dismiss { _ in true }
    completed = []
  }

  private func complete(_ id: UUID, _ outcome: Outcome) {
    completed = completed.suffix(99) + [(id, outcome)]
  }
}

extension Router {
  /// Adds the address of the undo bar, unless it was added already.
  mutating func addUndo(of frame: AppFrame) {
    guard !routeList.contains(where: { $0.pattern == Removals.path }) else { return }
    if let mark = frame.mark { addMark(mark) }
    post(Removals.path, bodyLimit: 16 * 1_024) { request in
      let form = PageForm(try request.form)
      return try await frame.tabs.act(request, returningTo: form.text("page")) {
        guard form.action != ReconnectionBar.dismissal else {
          frame.sync.dismissReconnectionSummary()
          return .done
        }
        return try await frame.removals.perform(form)
      }
    }
  }
}

extension LocalizedText {
  /// The label of a button that reverts a change.
  package static let undo = LocalizedText(en: "Undo", ru: "Отменить")
  static let dismiss = LocalizedText(en: "Dismiss", ru: "Скрыть")
}
