public import OffshoreHTTP
public import OffshorePresentation
public import OffshoreWeb

/// The rows of a `PagedWindow`, with the ways to the rows before and after them.
///
/// ```swift
/// tab.region("notes") {
///   WindowView(window, say, label: .notes, address: address, rowPrefix: "note-") { notes in
///     for note in notes { tab.memo(NoteRow(note, isMarked: note.id == window.position.markedRow)) }
///   }
/// }
/// ```
///
/// The script loads further rows when the first or the last one is nearly in view, and the visible
/// rows stay where they are on the screen. It scrolls to the position when the window opens, follows
/// new rows while the end of the list is in view, and has them read out once. It also changes the
/// address of the page to that of the first visible rows, so that a page that is loaded again shows
/// the same rows, also if the first one was deleted meanwhile.
///
/// Without the script, links lead to the page with other rows, at an address that is parsed by
/// `WindowPosition(_:)`.
///
/// The page scrolls, not the list in it. Set `waitsForScript` of the `Page`, so that it does not
/// appear at another place first. A row whose height changes after it was shown moves the others, so
/// state the size of pictures. The page performs the forms of the view by
/// `PagedWindow.perform(_:)`.
public struct WindowView<Element: Identifiable & Sendable>: Component
where Element.ID: RouteValue {
  /// The view.
  public let html: HTML

  /// Creates the view of a window.
  ///
  /// - Parameters:
  ///   - window: the window, which the page loads.
  ///   - say: the formats in the language of the page.
  ///   - label: the accessible name of the list.
  ///   - address: the address of the page, without the position in the list.
  ///   - rowPrefix: the beginning of the id of each row, which is followed by the id of the element.
  ///     Headings between the rows have ids that do not begin with it.
  ///   - id: the id of the list. A page has one such list.
  ///   - seenAction: the value of `action` with which the script posts that rows were in view, each in a field
  ///     `row` with the id of its element. It does so once for a row with the attribute `data-unseen`, and again if
  ///     the outcome was ``Outcome/invalid``. Without it nothing is posted.
  ///   - opensAt: the id of a heading between the rows to which the script scrolls when the window opens; by default
  ///     it is the row of the position.
  ///   - loading: a text while the first rows are loading; “Loading…” by default.
  ///   - empty: the view of a list without rows.
  ///   - rows: returns the rows, and headings between them, each one element with an id. The row of
  ///     `position.markedRow` has the attribute `ariaCurrent(.item)`.
  @MainActor public init(
    _ window: PagedWindow<Element>, _ say: Localizer, label: LocalizedText, address: String,
    rowPrefix: String, id: String = "window", seenAction: String? = nil, opensAt: String? = nil,
    loading: LocalizedText? = nil,
    empty: EmptyView? = nil, @HTMLBuilder rows: ([Element]) -> HTML
  ) {
    let elements = window.state.data ?? []
    let edges = WindowEdges(say: say, address: address, rowPrefix: rowPrefix, id: id)
    let state = StateContent(window.state, say, loading: loading, address: address, empty: empty) {
      _ in HTML()
    }.html
    let list = rows(elements)
    html = div(.id("\(id)-frame")) {
      div(.id("\(id)-news"), .class("unseen"), .role(.log), .ariaLabel(say(.newEntries)))
      if window.canLoadBefore, let first = elements.first {
        edges.earlier(than: first.id, window.beforeError)
      }
      if !state.isEmpty { div(.id("\(id)-state")) { state } }
      div(
        .id(id), .role(.group), .ariaLabel(say(label)), .data("rows", rowPrefix),
        .data("place", "\(window.position.name)-\(window.openCount)"),
        .data("open", opensAt ?? window.position.target(rowPrefix: rowPrefix, id: id))
      ) { list }
      if let seenAction {
        form(.method(.post), .action(address), .id("\(id)-seen"), .data("seen", "")) {
          HiddenValue("action", seenAction)
        }
      }
      if window.canLoadAfter, let last = elements.last {
        edges.later(than: last.id, window.afterError)
        edges.newest(hasNewer: window.newerCount > 0)
      }
      div(.id(WindowNames.end(id)))
    }
  }
}

/// The names in the markup of a window.
private enum WindowNames {
  static let earlier = "earlier", later = "later", newest = "newest"

  static func end(_ id: String) -> String { "\(id)-end" }
}

/// The forms before and after the rows of a window.
private struct WindowEdges {
  let say: Localizer
  let address: String
  let rowPrefix: String
  let id: String

  func earlier<ID: RouteValue & Hashable>(than first: ID, _ error: AppError?) -> HTML {
    edge(.earlierEntries, WindowNames.earlier, .before(first), .near(first), error)
  }

  func later<ID: RouteValue & Hashable>(than last: ID, _ error: AppError?) -> HTML {
    edge(.laterEntries, WindowNames.later, .after(last), .near(last), error)
  }

  /// Returns a form that the script posts when it is nearly in view, unless that has failed.
  /// - Parameters:
  ///   - next: the position to which a link leads without the script.
  ///   - place: the position at which the form is performed if the tab was closed.
  private func edge<ID: RouteValue>(
    _ title: LocalizedText, _ action: String, _ next: WindowPosition<ID>,
    _ place: WindowPosition<ID>, _ error: AppError?
  ) -> HTML {
    form(
      .method(.post), .action(place.query(on: address)), .id("\(id)-\(action)"),
      error == nil ? .data("more", "rows") : .none
    ) {
      HiddenValue("action", action)
      if let error { p(.class("error")) { say(error.localizedMessage) } }
      p(.class("buttons", "centered")) {
        if error == nil {
          a(
            .class("button", "plain"),
            .href(next.address(on: address, rowPrefix: rowPrefix, windowID: id))
          ) { say(title) }
        } else {
          SubmitButton(say(.tryAgain), style: .plain)
        }
      }
    }
  }

  /// Returns the button that leads to the end of the list.
  func newest(hasNewer: Bool) -> HTML {
    div(.id("\(id)-\(WindowNames.newest)"), .class("newest"), .role(.status)) {
      PostForm(to: address) {
        SubmitButton(
          say(hasNewer ? .newEntriesBelow : .toTheEnd), style: .plain, action: WindowNames.newest)
      }
    }
  }
}

extension PagedWindow {
  /// Performs a form of a ``WindowView``.
  /// - Returns: the outcome, or `nil` for a form with another action.
  public func perform(_ form: PageForm) async -> Outcome? {
    switch form.action {
    case WindowNames.earlier:
      await loadBefore()
      return beforeError == nil ? .done : .invalid
    case WindowNames.later:
      await loadAfter()
      return afterError == nil ? .done : .invalid
    case WindowNames.newest:
      await show(.end)
      return refreshError == nil ? .done : .invalid
    default: return nil
    }
  }
}

// MARK: - Addresses

extension WindowPosition where ID: RouteValue {
  /// Parses the position in the query of a page: `at`, `near`, `before` or `after` with the id of a
  /// row, or `from=start`. The end of the list is the position without any of them. Several fields `near` name rows
  /// of which the first one that exists counts.
  public init(_ query: Fields) {
    func row(_ name: String) -> ID? { query[name].flatMap { ID(routeText: $0) } }
    self =
      if let id = row("at") {
        .around(id)
      } else if let id = row("near") {
        .near(id, or: query.all("near").dropFirst().prefix(4).compactMap { ID(routeText: $0) })
      } else if let id = row("before") {
        .before(id)
      } else if let id = row("after") {
        .after(id)
      } else {
        query["from"] == "start" ? .start : .end
      }
  }

  /// Returns the address of the position on a page with a ``WindowView``, for a link.
  ///
  /// Its fragment makes the browser scroll to the position without the script.
  /// - Parameters:
  ///   - page: the address of the page, without the position in the list.
  ///   - rowPrefix: the beginning of the id of each row.
  ///   - windowID: the id of the list.
  public func address(
    on page: String, rowPrefix: String, windowID: String = "window"
  ) -> String {
    let target = target(rowPrefix: rowPrefix, id: windowID)
    let fragment = target.isEmpty ? WindowNames.end(windowID) : target
    return "\(query(on: page))#\(fragment.percentEncoded)"
  }

  /// Returns the address of a page with the position in its query.
  fileprivate func query(on page: String) -> String {
    let field: Fields =
      switch self {
      case .end: [:]
      case .start: ["from": "start"]
      case .around(let id): ["at": id.routeText]
      case .near(let id, let others): Self.fields(near: [id] + others)
      case .before(let id): ["before": id.routeText]
      case .after(let id): ["after": id.routeText]
      }
    guard !field.items.isEmpty else { return page }
    return "\(page)\(page.contains("?") ? "&" : "?")\(field.encoded)"
  }

  private static func fields(near ids: [ID]) -> Fields {
    var fields: Fields = [:]
    for id in ids {
      let field: Fields = ["near": id.routeText]
      fields.items += field.items
    }
    return fields
  }

  /// A name of the position that differs from that of other positions.
  fileprivate var name: String {
    switch self {
    case .end: "end"
    case .start: "start"
    case .around(let id): "around-\(id.routeText)"
    case .near(let id, _): "near-\(id.routeText)"
    case .before(let id): "before-\(id.routeText)"
    case .after(let id): "after-\(id.routeText)"
    }
  }

  /// Returns the id of the element to scroll to, or an empty text for the end of the rows.
  fileprivate func target(rowPrefix: String, id windowID: String) -> String {
    switch self {
    case .end, .before: ""
    case .start, .after: windowID
    case .around(let id), .near(let id, _): rowPrefix + id.routeText
    }
  }
}

extension LocalizedText {
  fileprivate static let newEntries = LocalizedText(en: "New entries", ru: "Новые записи")
  fileprivate static let earlierEntries = LocalizedText(en: "Earlier", ru: "Раньше")
  fileprivate static let laterEntries = LocalizedText(en: "Later", ru: "Позже")
  fileprivate static let toTheEnd = LocalizedText(en: "To the end", ru: "В конец")
  fileprivate static let newEntriesBelow = LocalizedText(
    en: "New entries below", ru: "Ниже есть новые записи")
}
