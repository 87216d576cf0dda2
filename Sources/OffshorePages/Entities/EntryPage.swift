import Observation
import OffshoreHTTP
public import OffshorePresentation
import OffshoreWeb

/// A page that shows an entry, with a link that edits it and buttons that copy and delete it.
///
/// ```swift
/// case .list(let id):
///   EntryPage(
///     frame, in: "lists", back: PageLink(frame.say(.lists), to: Route.lists.address), name: .list,
///     of: Live { store.database.values { try PackingList.find(id).first($0) } }, title: \.title,
///     edit: Route.editList(id).address
///   ) {
///     try await model.delete(id)
///   } content: { list in
///     p { "\(list.itemCount)" }
///   }
/// ```
///
/// An unreadable entry can also be deleted.
@MainActor final class EntryPage<Entry: Sendable>: RoutedPage {
  /// A closure that restores a deleted entry.
  typealias Restore = @MainActor () async throws -> Void

  private let frame: AppFrame
  private let part: AppFrame.Part.ID
  private let back: PageLink
  private let name: LocalizedText
  private let live: Live<Entry?>
  private let title: (Entry) -> String
  private let edit: String
  private let copy: ((Entry) async throws -> String)?
  private let delete: () async throws -> Restore?
  private let loadMore: () async -> Void
  private let content: (Entry) -> HTML
  private let beside: (Tab) -> HTML
  private let model = EntryPageModel()

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - part: the id of the part of the app that the page belongs to.
  ///   - back: the link to the list, which is also the next page after a deletion.
  ///   - name: the name of the kind, which is the heading if the entry cannot be shown.
  ///   - live: the entry, which is `nil` if it is not stored.
  ///   - title: returns the title of the entry.
  ///   - edit: the address of the form.
  ///   - copy: stores a copy and returns the address of its page; without it, there is no button to
  ///     copy the entry.
  ///   - loadMore: loads the rest of the content.
  ///   - delete: deletes the entry, and returns a closure that restores it, for the undo bar; `nil`
  ///     if the entry does not exist.
  ///   - content: returns the content for the entry.
  ///   - beside: returns a list beside the page in wide windows.
  init(
    _ frame: AppFrame, in part: AppFrame.Part.ID, back: PageLink, name: LocalizedText,
    of live: Live<Entry?>, title: @escaping (Entry) -> String, edit: String,
    copy: ((Entry) async throws -> String)? = nil, loadMore: @escaping () async -> Void = {},
    delete: @escaping () async throws -> Restore?,
    @HTMLBuilder content: @escaping (Entry) -> HTML,
    @HTMLBuilder beside: @escaping (Tab) -> HTML = { _ in HTML() }
  ) {
    self.beside = beside
    self.frame = frame
    self.part = part
    self.back = back
    self.name = name
    self.live = live
    self.title = title
    self.edit = edit
    self.copy = copy
    self.loadMore = loadMore
    self.delete = delete
    self.content = content
  }

  private var say: Localizer { frame.say }
  private var state: ViewState<Entry> { live.state.required() }

  /// Returns the address of the list if the form deletes an entry that was deleted already.
  func addressIfMissing(for form: PageForm) -> String? {
    form.action == "delete" ? back.address : nil
  }

  /// Reads the entry.
  /// - Throws: `AppError` with `database(.notFound)` if it does not exist.
  func load() async throws {
    await live.load()
    await loadMore()
    if state.errorValue == .database(.notFound) { throw AppError.database(.notFound) }
  }

  /// Returns the page with the entry. The bar has a link that edits it, and a menu that copies and
  /// deletes it.
  func page(_ tab: Tab) -> Page {
    let address = tab.address
    return frame.page(tab, state.data.map(title) ?? say(name), in: part, back: back) {
      tab.region("entry-error") {
        if let error = self.model.error { ErrorView(error, self.say) }
      }
      tab.region("entry") {
        StateContent(self.state, self.say, address: address) { self.content($0) }
      }
      tab.region("entry-deletion") {
        if case .error(.database(.unreadable)) = self.state {
          DeletionSection(label: .delete(self.say(self.name)), to: address, self.say)
        }
      }
    } actions: {
      tab.region("entry-actions") { self.actions(at: address) }
    } beside: {
      beside(tab)
    }
  }

  @HTMLBuilder private func actions(at address: String) -> HTML {
    if let entry = state.data {
      let title = title(entry)
      BarLink.edit(say(.edit(title)), to: edit)
      Popover.menu(say(.moreActions), id: "menu") {
        if copy != nil {
          Card {
            ButtonRow(
              say(.duplicate), action: "copy", to: address, id: "copy",
              label: "\(say(.duplicate)): \(title)", isRepeatable: false)
          }
        }
        DeletionSection(label: .delete(title), to: address, say)
      }
    }
  }

  /// Copies or deletes the entry.
  func perform(_ form: PageForm) async throws -> Outcome {
    do {
      switch form.action {
      case "copy":
        guard let copy, let entry = state.data else { throw form.unknownAction }
        return .go(to: try await copy(entry))
      case "delete":
        let title = state.data.map(title)
        if let restore = try await delete() {
          frame.offerUndo(title.map { .deleted($0) } ?? .wasDeleted, restore: restore)
        }
        return .go(to: back.address)
      default: throw form.unknownAction
      }
    } catch let error as HTTPError {
      throw error
    } catch {
      model.error = AppError(saving: error)
      return .invalid
    }
  }
}

/// The state of an entry's page apart from the entry.
@MainActor private final class EntryPageModel: Observable {
  /// The reason why the latest action failed, or `nil`.
  @Observed var error: AppError?
}

extension LocalizedText {
  /// The label of a menu with further actions.
  public static let moreActions = LocalizedText(en: "More actions", ru: "Ещё действия")
  fileprivate static let duplicate = LocalizedText(en: "Duplicate", ru: "Дублировать")
  fileprivate static let wasDeleted = LocalizedText(en: "It was deleted.", ru: "Удалено.")
}
