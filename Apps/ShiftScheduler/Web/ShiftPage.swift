import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import ShiftScheduler

/// A page with a store of its own, which is released with the tab, and with it the effects.
@MainActor protocol ShiftPage: RoutedPage {
  var app: ShiftApp { get }
  var store: ShiftStore { get }
}

extension ShiftPage {
  var say: Localizer { app.say }

  /// Loads types and locations, and the shifts of the days that are shown.
  func load() async { await store.loadSchedule() }

  /// Follows the loaded records.
  func run() async { store.followSchedule() }

  /// Returns the page, with the latest error above the content.
  /// - Parameter part: The part that it belongs to; the profile by default.
  func page(
    _ tab: Tab, _ title: String, in part: AppFrame.Part.ID = "profile", subtitle: String? = nil,
    back: PageLink? = nil, @HTMLBuilder content: () -> HTML,
    @HTMLBuilder actions: () -> HTML = { HTML() }
  ) -> Page {
    let back = back ?? (part == "profile" ? app.frame.backToProfile : nil)
    var page = app.frame.page(tab, title, in: part, subtitle: subtitle, back: back) {
      tab.region("problem") { problem(at: tab.address) }
      content()
    } actions: {
      actions()
    }
    page.stylesheets += [.calendar, .shifts]
    return page
  }

  /// The latest error, with a link to the remedy if a file is damaged.
  @HTMLBuilder private func problem(at address: String) -> HTML {
    if let error = store.problem {
      ErrorView(error, say, address: address)
      if case .database(.fileDamaged) = error {
        p(.class("buttons", "centered")) {
          LinkButton(
            say(en: "Repair the file", ru: "Исправить файл"), to: ShiftRoute.data.address,
            style: .primary)
        }
      }
    }
  }
}

// MARK: - Forms

extension ShiftApp {
  /// Returns a page with a form, whose texts are merged into the record of a store.
  ///
  /// - Parameters:
  ///   - id: The id of a stored record, or `nil` for a new one.
  ///   - edit: The heading for a stored record; by default it has the title of the record.
  ///   - link: A link below the form of a stored record.
  ///   - save: Stores a record in place of the fetched one.
  func editor<Record: Identifiable & Sendable>(
    _ store: ShiftStore, in part: AppFrame.Part.ID, back: PageLink,
    _ fields: [DraftField<Record>], of id: UUID? = nil, new: LocalizedText,
    edit: LocalizedText? = nil, link: (title: LocalizedText, route: ShiftRoute)? = nil,
    blank: @escaping (UUID) -> Record,
    fetch: @escaping @MainActor (UUID) -> Record? = { _ in nil },
    save: @escaping @MainActor (_ before: Record?, _ after: Record) async throws -> Void,
    next: @escaping (Record) -> ShiftRoute
  ) -> EditorPage<Record> where Record.ID == UUID {
    EditorPage(
      frame, in: part, back: back, fields, of: id, new: new, edit: edit, blank: blank
    ) { id in
      await store.loadSchedule()
      if let error = store.state.problem { throw error }
      return fetch(id)
    } save: { before, record in
      try await save(before, record)
      if let error = store.state.problem { throw error }
    } next: {
      next($0).address
    }.showing {
      store.followSchedule()
      await store.loadSchedule()
    } below: { [say] _ in
      if let link, id != nil {
        p(.class("buttons")) { LinkButton(say(link.title), to: link.route.address, id: "next") }
      }
    }
  }
}
