/// A cache of the markup of the components in a part of a page, for use while they stay the same.
struct Memo {
  private struct Entry {
    var component: any Component
    var html: HTML
  }

  private var entries: [AnyHashable: Entry] = [:]
  private var last: [AnyHashable: Entry] = [:]

  /// Returns the cache for the next rendering. Components that do not occur in it are removed then.
  func renewed() -> Memo {
    var memo = Memo()
    memo.last = entries
    return memo
  }

  /// Returns the markup of a component, which is rendered only if it differs from the last one with
  /// its id.
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
