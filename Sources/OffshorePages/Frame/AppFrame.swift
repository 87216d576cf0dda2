public import Foundation
public import Offshore
public import OffshorePresentation
public import OffshoreSync
public import OffshoreWeb
public import OffshoreWire

/// The frame of an app's pages: the app's name and parts, its language, and what was removed last.
///
/// ```swift
/// let frame = AppFrame(
///   .appName, parts: [AppFrame.Part("lists", .lists, to: "/", icon: Icon("list", text: "☰"))],
///   store: store, sync: sync, language: language, tabs: tabs)
/// ```
@MainActor public final class AppFrame {
  /// A part of the app, in the navigation of each page.
  public struct Part: Identifiable, Sendable {
    /// The name by which pages refer to the part.
    public let id: String
    /// The title of the part.
    public let title: LocalizedText
    /// The address of its first page.
    public let address: String
    /// The icon above the title.
    public let icon: Icon

    /// Declares a part.
    public init(_ id: String, _ title: LocalizedText, to address: String, icon: Icon) {
      self.id = id
      self.title = title
      self.address = address
      self.icon = icon
    }
  }

  /// The name of the app.
  public let name: LocalizedText
  /// The parts of the app, in the order of the navigation.
  public let parts: [Part]
  /// The file of the app.
  public let store: SyncedStore
  /// Syncs the file.
  public let sync: SyncService
  /// The language of all pages.
  public let language: LanguageSetting
  /// The open pages.
  public let tabs: TabRegistry
  /// The latest removals, which each page offers to undo.
  public let removals = RecentRemovals<Removal>()

  /// Makes a frame.
  public init(
    _ name: LocalizedText, parts: [Part], store: SyncedStore, sync: SyncService,
    language: LanguageSetting, tabs: TabRegistry
  ) {
    self.name = name
    self.parts = parts
    self.store = store
    self.sync = sync
    self.language = language
    self.tabs = tabs
  }

  /// Formats texts, dates and numbers in the language in use.
  public var say: Speaker { language.say }

  /// Makes a page of the app.
  ///
  /// - Parameters:
  ///   - tab: the tab that shows the page.
  ///   - title: the heading.
  ///   - part: the id of the part that the page belongs to.
  ///   - subtitle: a line below the heading.
  ///   - back: the link back; none on the first page of a part.
  ///   - content: the content below the heading.
  public func page(
    _ tab: Tab, _ title: String, in part: Part.ID, subtitle: String? = nil, back: PageLink? = nil,
    @HTMLBuilder content: () -> HTML
  ) -> Page {
    Page(
      title, site: say(name), subtitle: subtitle, back: back, words: .in(language.language),
      navigation: navigation(part)
    ) {
      tab.region("undo-removal") { self.undo(at: tab.address) }
      content()
    }
  }

  /// The part whose address is the longest beginning of a path.
  package func part(of path: String) -> Part? {
    func components(_ path: String) -> [Substring] { path.split(separator: "/") }
    let wanted = components(path)
    return parts.filter { wanted.starts(with: components($0.address)) }
      .max { components($0.address).count < components($1.address).count }
  }

  /// The bar with the parts of the app.
  /// - Parameter current: the id of the part that a page belongs to.
  package func navigation(_ current: Part.ID) -> PageNavigation {
    PageNavigation(
      say(.partsOfTheApp),
      parts.map { part in
        PageNavigation.Item(
          say(part.title), to: part.address, icon: part.icon, isCurrent: part.id == current)
      })
  }
}

// MARK: - Undoing

extension AppFrame {
  /// A removal that can be undone for as long as the app runs.
  public struct Removal: Identifiable {
    /// An id of its own.
    public let id: UUID
    let text: LocalizedText
    let restore: @MainActor () async throws -> Void
  }

  /// Offers on each page to undo a removal.
  ///
  /// - Parameters:
  ///   - text: names what was removed: “Weekend was deleted.”
  ///   - restore: undoes the removal. If it throws, it can be tried again.
  public func offerUndo(
    _ text: LocalizedText, restore: @escaping @MainActor () async throws -> Void
  ) {
    removals.add(Removal(id: UUID(), text: text, restore: restore))
  }

  /// Removes rows with all rows that refer to them, and offers on each page to undo that.
  ///
  /// - Parameters:
  ///   - scope: the scope of the rows, if the account's role there has to allow it.
  ///   - text: names what was removed: “Weekend was deleted.”
  /// - Throws: `SyncError` with the code `forbidden`; `DatabaseError`. Nothing is removed then.
  public func remove<Row: Record>(
    _ rows: Query<Row>, in scope: ScopeID? = nil, saying text: LocalizedText
  ) async throws {
    let store = store
    let removed = try await store.write { writer in
      if let scope { try store.checkMayEdit(scope, writer) }
      return try writer.remove(rows)
    }
    guard !removed.isEmpty else { return }
    offerUndo(text) { try await store.write { try removed.restore($0) } }
  }

  /// Whether a form is one of the undo bar, which is on each page.
  static func isUndo(_ form: PageForm) -> Bool {
    form.action == Self.undoAction || form.action == Self.dismissAction
  }

  /// Restores what was removed, or dismisses the bar, as a form of the undo bar asks for.
  func performUndo(_ form: PageForm) async throws -> Outcome {
    let id = try form.value("removal", as: UUID.self)
    if form.action == Self.undoAction {
      try await removals.restore(id) { try await $0.restore() }
    } else {
      removals.dismiss { $0.id == id }
    }
    return .done
  }

  private static let undoAction = "undo-removal"
  private static let dismissAction = "dismiss-removal"

  /// Each page has the bar, so each page's own address accepts its forms.
  @HTMLBuilder private func undo(at address: String) -> HTML {
    if let removal = removals.last() {
      div(.id("undo"), .class("undo"), .role(.status)) {
        p { say(removal.text) }
        PostForm(to: address, id: "undo-do") {
          HiddenValue("removal", removal.id.uuidString)
          SubmitButton(say(.undo), style: .plain, action: Self.undoAction)
          SubmitButton(say(.dismiss), style: .plain, action: Self.dismissAction)
        }
      }
    }
  }
}

extension LocalizedText {
  fileprivate static let partsOfTheApp = LocalizedText(
    en: "Parts of the app", ru: "Разделы приложения")
}
