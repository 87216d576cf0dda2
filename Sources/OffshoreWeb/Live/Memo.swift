/// The markup of components that a part of a page has shown last, to be used again where they are the
/// same.
struct Memo {
  private struct Entry {
    var component: any Component
    var html: HTML
  }

  private var entries: [AnyHashable: Entry] = [:]
  private var last: [AnyHashable: Entry] = [:]

  /// Knows what was shown last, and keeps of it what is shown again.
  func renewed() -> Memo {
    var memo = Memo()
    memo.last = entries
    return memo
  }

  /// The markup of a component, made only where the last one of its id was another.
  mutating func html<View: Component & Equatable & Identifiable>(of component: View) -> HTML {
    let id = AnyHashable(component.id)
    if let entry = last[id], entry.component as? View == component {
      entries[id] = entry
      return entry.html
    }
    let html = component.html
    entries[id] = Entry(component: component, html: html)
    return html
  }
}
