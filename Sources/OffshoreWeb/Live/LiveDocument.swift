/// A page whose parts are rendered again when observable state that they read changes.
///
/// State that a region reads affects only that region. State that is read outside of all regions
/// affects the whole page.
@MainActor final class LiveDocument {
  private struct Region {
    var content: @MainActor () -> HTML
    var html = HTML()
    /// The regions directly in this one.
    var inner: [String] = []
    var memo = Memo()
  }

  let staleParts: StaleParts
  private var makePage: @MainActor () -> Page = { Page("") }
  private var page = Page("")
  /// The regions that are not in another region.
  private var outer: [String] = []
  private var regions: [String: Region] = [:]
  private var unrendered: [String] = []
  /// The cached components of the part that is being rendered.
  private var memo = Memo()

  /// Creates a document without a page.
  /// - Parameter onChange: called on any thread at the first change after ``patches()``.
  init(onChange: @escaping @Sendable () -> Void) { staleParts = StaleParts(onChange) }

  /// Renders the page for the first time.
  /// - Parameter makePage: creates the page, with placeholders for its regions.
  func open(_ makePage: @escaping @MainActor () -> Page) {
    self.makePage = makePage
    renderAll()
  }

  /// Registers a region and returns its placeholder.
  func region(_ id: String, _ content: @escaping @MainActor () -> HTML) -> HTML {
    regions[id, default: Region(content: content)].content = content
    unrendered.append(id)
    return HTML(nodes: [.region(id)])
  }

  /// Returns the markup of a component, which is rendered only if the component has changed.
  func memo(_ component: some Component & Equatable & Identifiable) -> HTML {
    memo.html(of: component)
  }

  /// The page with its regions in their places.
  var composed: Page {
    var page = page
    page.content = compose(page.content)
    page.status = compose(page.status)
    page.actions = compose(page.actions)
    page.sidebar = compose(page.sidebar)
    return page
  }

  /// Returns the changes since the last call, or `nil` if only the whole page expresses them.
  func patches() -> [Patch]? {
    let stale = staleParts.removeAll()
    guard !stale.contains(.frame) else {
      let before = composed.body
      renderAll()
      return HTMLDifference.patches(from: before, to: composed.body)
    }
    var patches: [Patch] = []
    for case .region(let id) in stale where regions[id] != nil {
      guard let changed = renderAgain(id) else { return nil }
      patches += changed
    }
    return patches
  }

  /// Releases the closures that create the page and its regions, which may refer to the tab.
  func close() {
    makePage = { Page("") }
    for (id, region) in regions {
      let html = region.html
      regions[id]?.content = { html }
    }
  }

  // MARK: - Rendering

  private func renderAll() {
    // NB: The regions are retained until the new page is rendered, because of their cached
    // components.
    memo = Memo()
    page = staleParts.tracking(.frame, makePage)
    outer = Self.regions(in: page.parts)
    renderRegions()
  }

  private func renderAgain(_ id: String) -> [Patch]? {
    let before = compose(HTML(nodes: [.region(id)]))
    unrendered.append(id)
    renderRegions()
    return HTMLDifference.patches(from: before, to: compose(HTML(nodes: [.region(id)])))
  }

  /// Renders the registered regions that are not rendered yet.
  ///
  /// NB: This happens outside of the part that contains a region, because reads within a tracked
  /// closure also count for all closures around it.
  private func renderRegions() {
    while !unrendered.isEmpty {
      let id = unrendered.removeFirst()
      guard let region = regions[id] else { continue }
      memo = region.memo.renewed()
      let html = staleParts.tracking(.region(id), region.content)
      regions[id]?.html = html
      regions[id]?.inner = Self.regions(in: html.nodes)
      regions[id]?.memo = memo
    }
    let shown = shownRegions
    regions = regions.filter { shown.contains($0.key) }
    staleParts.stopObservingRegions(except: shown)
  }

  /// The regions on the page, including those within other regions.
  private var shownRegions: Set<String> {
    var (shown, pending) = (Set<String>(), outer)
    while let id = pending.popLast() {
      if shown.insert(id).inserted { pending += regions[id]?.inner ?? [] }
    }
    return shown
  }

  /// Returns the regions that have a placeholder in some markup.
  private static func regions(in nodes: [HTML.Node]) -> [String] {
    var found: [String] = []
    for node in nodes {
      switch node {
      case .text, .raw, .icon: continue
      case .element(let element): found += regions(in: element.children)
      case .region(let id): found.append(id)
      }
    }
    return found
  }

  private func compose(_ html: HTML, within: Set<String> = []) -> HTML {
    HTML(nodes: html.nodes.compactMap { compose($0, within) })
  }

  /// Replaces placeholders by their regions. A region within itself is left out.
  private func compose(_ node: HTML.Node, _ within: Set<String>) -> HTML.Node? {
    switch node {
    case .text, .raw, .icon: return node
    case .element(var element):
      element.children = element.children.compactMap { compose($0, within) }
      return .element(element)
    case .region(let id):
      guard !within.contains(id) else { return nil }
      let content = content(of: id, within)
      let pairs = [HTML.Pair(name: "id", value: id), HTML.Pair(name: "data-region", value: nil)]
      return .element(HTML.Element(name: "div", attributes: pairs, children: content.nodes))
    }
  }

  /// Returns the markup of a region.
  ///
  /// It is the stored markup if there are no regions in it, so that unchanged parts compare as
  /// equal quickly.
  private func content(of id: String, _ within: Set<String>) -> HTML {
    guard let region = regions[id] else { return HTML() }
    return region.inner.isEmpty ? region.html : compose(region.html, within: within.union([id]))
  }
}

extension Page {
  /// The nodes of all parts that may have regions.
  fileprivate var parts: [HTML.Node] {
    content.nodes + status.nodes + actions.nodes + sidebar.nodes
  }
}

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
