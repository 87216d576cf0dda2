/// A page whose parts are rendered again when something that they read changes.
///
/// What a region reads concerns that region alone; what is read outside of all regions concerns the
/// whole page.
@MainActor final class LiveDocument {
  private struct Region {
    var content: @MainActor () -> HTML
    var html = HTML()
    /// The regions that have a place in it.
    var inner: [String] = []
    var memo = Memo()
  }

  let staleness: Staleness
  private var makePage: @MainActor () -> Page = { Page("") }
  private var page = Page("")
  /// The regions that have a place outside of all regions.
  private var outer: [String] = []
  private var regions: [String: Region] = [:]
  private var unrendered: [String] = []
  /// What the part that is being rendered keeps of its components.
  private var memo = Memo()

  /// Makes a document without a page.
  /// - Parameter onChange: Called, on whichever thread, when something changed after ``patches()``.
  init(onChange: @escaping @Sendable () -> Void) { staleness = Staleness(onChange) }

  /// Renders the page for the first time.
  /// - Parameter makePage: Makes the page, with places for its regions.
  func open(_ makePage: @escaping @MainActor () -> Page) {
    self.makePage = makePage
    renderAll()
  }

  /// Notes a region and gives the place where it goes.
  func region(_ id: String, _ content: @escaping @MainActor () -> HTML) -> HTML {
    regions[id, default: Region(content: content)].content = content
    unrendered.append(id)
    return HTML(nodes: [.region(id)])
  }

  /// The markup of a component, made only where it is not as it was.
  func memo(_ component: some Component & Equatable & Identifiable) -> HTML {
    memo.html(of: component)
  }

  /// The page with its regions.
  var composed: Page {
    var page = page
    page.content = compose(page.content)
    page.status = compose(page.status)
    page.actions = compose(page.actions)
    page.beside = compose(page.beside)
    return page
  }

  /// What changed since the last call, or `nil` where only the whole page expresses it.
  func patches() -> [Patch]? {
    let stale = staleness.take()
    guard !stale.contains(.frame) else {
      let before = composed.body
      renderAll()
      return Difference.patches(from: before, to: composed.body)
    }
    var patches: [Patch] = []
    for case .region(let id) in stale where regions[id] != nil {
      guard let changed = renderAgain(id) else { return nil }
      patches += changed
    }
    return patches
  }

  /// Releases the closures that make the page and its regions, which may refer to the tab.
  func close() {
    makePage = { Page("") }
    for (id, region) in regions {
      let html = region.html
      regions[id]?.content = { html }
    }
  }

  // MARK: - Rendering

  private func renderAll() {
    // NB: The regions stay until the new page is known, because of what they keep of their components.
    memo = Memo()
    page = staleness.tracking(.frame, makePage)
    outer = Self.regions(in: page.parts)
    renderRegions()
  }

  private func renderAgain(_ id: String) -> [Patch]? {
    let before = compose(HTML(nodes: [.region(id)]))
    unrendered.append(id)
    renderRegions()
    return Difference.patches(from: before, to: compose(HTML(nodes: [.region(id)])))
  }

  /// NB: Regions are rendered apart from what contains them, because what is read within a tracked
  /// closure counts for all that are around it.
  private func renderRegions() {
    while !unrendered.isEmpty {
      let id = unrendered.removeFirst()
      guard let region = regions[id] else { continue }
      memo = region.memo.renewed()
      let html = staleness.tracking(.region(id), region.content)
      regions[id]?.html = html
      regions[id]?.inner = Self.regions(in: html.nodes)
      regions[id]?.memo = memo
    }
    let shown = shownRegions
    regions = regions.filter { shown.contains($0.key) }
    staleness.forgetRegions(except: shown)
  }

  /// The regions that have a place on the page, those within regions included.
  private var shownRegions: Set<String> {
    var (shown, waiting) = (Set<String>(), outer)
    while let id = waiting.popLast() {
      if shown.insert(id).inserted { waiting += regions[id]?.inner ?? [] }
    }
    return shown
  }

  /// The regions that have a place in some markup.
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

  /// Puts regions in their places; one within itself has none.
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

  /// What a region shows. One without others in it is given as it is, so that what did not change in it
  /// can be told at a glance.
  private func content(of id: String, _ within: Set<String>) -> HTML {
    guard let region = regions[id] else { return HTML() }
    return region.inner.isEmpty ? region.html : compose(region.html, within: within.union([id]))
  }
}

extension Page {
  /// The markup of all parts that regions may be in.
  fileprivate var parts: [HTML.Node] {
    content.nodes + status.nodes + actions.nodes + beside.nodes
  }
}
