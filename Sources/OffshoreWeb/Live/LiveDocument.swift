/// A page whose parts are rendered again when something that they read changes.
///
/// What a region reads concerns that region alone; what is read outside of all regions concerns the
/// whole page.
@MainActor final class LiveDocument {
  private struct Region {
    var content: @MainActor () -> HTML
    var html = HTML()
    var memo = Memo()
  }

  let staleness: Staleness
  private var makePage: @MainActor () -> Page = { Page("") }
  private var page = Page("")
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

  // MARK: - Rendering

  private func renderAll() {
    regions = [:]
    memo = Memo()
    page = staleness.tracking(.frame, makePage)
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
      regions[id]?.memo = memo
    }
    var shown: Set<String> = []
    collectRegions(in: page.content.nodes + page.status.nodes, into: &shown)
    regions = regions.filter { shown.contains($0.key) }
    staleness.forgetRegions(except: shown)
  }

  /// Finds the regions that have a place on the page, those within regions included.
  private func collectRegions(in nodes: [HTML.Node], into shown: inout Set<String>) {
    for node in nodes {
      switch node {
      case .text, .raw: continue
      case .element(let element): collectRegions(in: element.children, into: &shown)
      case .region(let id):
        let isNew = shown.insert(id).inserted
        if isNew, let region = regions[id] { collectRegions(in: region.html.nodes, into: &shown) }
      }
    }
  }

  private func compose(_ html: HTML, within: Set<String> = []) -> HTML {
    HTML(nodes: html.nodes.compactMap { compose($0, within) })
  }

  /// Puts regions in their places; one within itself has none.
  private func compose(_ node: HTML.Node, _ within: Set<String>) -> HTML.Node? {
    switch node {
    case .text, .raw: return node
    case .element(var element):
      element.children = element.children.compactMap { compose($0, within) }
      return .element(element)
    case .region(let id):
      guard !within.contains(id) else { return nil }
      let content = compose(regions[id]?.html ?? HTML(), within: within.union([id]))
      let pairs = [HTML.Pair(name: "id", value: id), HTML.Pair(name: "data-region", value: nil)]
      return .element(HTML.Element(name: "div", attributes: pairs, children: content.nodes))
    }
  }
}
