import OffshoreJSON

/// A comparison of two markups, which finds the smallest changed elements that have an id.
///
/// In a list whose rows have ids, patches change, remove or add single rows at any place. For any
/// other change, such as another order, the nearest enclosing element with an id is replaced as a
/// whole.
struct HTMLDifference {
  private var patches: [Patch] = []

  /// The approximate bytes of an encoded patch without its markup.
  private static let patchSize = 64

  /// Returns the patches from one markup to another, or `nil` if no element with an id encloses a
  /// change.
  static func patches(from old: HTML, to new: HTML) -> [Patch]? {
    if old == new { return [] }
    var difference = HTMLDifference()
    guard !movesIDs(from: old, to: new), difference.compare(old.nodes, new.nodes, parent: nil)
    else { return replacement(from: old, to: new) }
    return difference.patches
  }

  /// Returns the whole new markup as a patch, if both markups are one element with the same id.
  private static func replacement(from old: HTML, to new: HTML) -> [Patch]? {
    guard old.nodes.count == 1, new.nodes.count == 1, let id = new.nodes[0].id,
      old.nodes[0].id == id
    else { return nil }
    return [Patch(.morph, id, new)]
  }

  // MARK: - Comparing

  /// Records the changes among the children of an element.
  /// - Returns: whether patches of the children can express the changes.
  private mutating func compare(
    _ old: [HTML.Node], _ new: [HTML.Node], parent: String?
  ) -> Bool {
    if old == new { return true }
    if old.count == new.count, zip(old, new).allSatisfy({ $0.id == $1.id }) {
      return zip(old, new).allSatisfy { compare($0, $1) }
    }
    guard let parent else { return false }
    return compareRows(old, new, parent)
  }

  private mutating func compare(_ old: HTML.Node, _ new: HTML.Node) -> Bool {
    if old == new { return true }
    guard case .element(let before) = old, case .element(let after) = new else { return false }
    guard let id = new.id else {
      return before.name == after.name && before.attributes == after.attributes
        && compare(before.children, after.children, parent: nil)
    }
    compare(before, after, id)
    return true
  }

  /// Compares two elements with the same id, and replaces the element if that patch is shorter.
  private mutating func compare(_ old: HTML.Element, _ new: HTML.Element, _ id: String) {
    let before = patches
    let replacement = Patch(.morph, id, HTML(nodes: [.element(new)]))
    guard old.name == new.name, old.attributes == new.attributes,
      compare(old.children, new.children, parent: id),
      replacement.html.isLarger(than: Self.size(patches[before.count...]) - Self.patchSize)
    else {
      patches = before + [replacement]
      return
    }
  }

  /// Compares rows that all have ids, if the rows in both are in the same order.
  private mutating func compareRows(
    _ old: [HTML.Node], _ new: [HTML.Node], _ parent: String
  ) -> Bool {
    guard let oldIDs = Self.ids(old), let newIDs = Self.ids(new) else { return false }
    let (oldSet, newSet) = (Set(oldIDs), Set(newIDs))
    guard oldSet.count == old.count, newSet.count == new.count else { return false }
    let former = old.filter { $0.id.map(newSet.contains) ?? false }
    let retained = new.indices.filter { oldSet.contains(newIDs[$0]) }
    guard zip(former, retained).allSatisfy({ $0.id == newIDs[$1] }) else { return false }
    patches += oldIDs.filter { !newSet.contains($0) }.map { Patch(.remove, $0) }
    // If no row remains, all new rows are added at the start.
    add(.prepend, new[..<(retained.first ?? new.endIndex)], to: parent)
    for (index, next) in zip(retained, retained.dropFirst()) {
      add(.before, new[(index + 1)..<next], to: newIDs[next])
    }
    if let last = retained.last { add(.append, new[(last + 1)...], to: parent) }
    return zip(former, retained).allSatisfy { compare($0, new[$1]) }
  }

  private mutating func add(
    _ operation: Patch.Operation, _ nodes: ArraySlice<HTML.Node>, to target: String
  ) {
    if !nodes.isEmpty { patches.append(Patch(operation, target, HTML(nodes: Array(nodes)))) }
  }

  // MARK: - Properties of markup

  private static func ids(_ nodes: [HTML.Node]) -> [String]? {
    let ids = nodes.compactMap(\.id)
    return ids.count == nodes.count ? ids : nil
  }

  /// Returns the approximate bytes of encoded patches.
  private static func size(_ patches: some Sequence<Patch>) -> Int {
    patches.reduce(0) { $0 + patchSize + $1.html.size }
  }

  /// Returns whether an element moves to another parent: two would have its id until all patches
  /// are applied.
  private static func movesIDs(from old: HTML, to new: HTML) -> Bool {
    var (before, after): ([String: String], [String: String]) = ([:], [:])
    let isUnique =
      collectParents(old.nodes, under: "", into: &before)
      && collectParents(new.nodes, under: "", into: &after)
    return !isUnique || after.contains { id, parent in before[id].map { $0 != parent } ?? false }
  }

  /// Collects the nearest id above each id.
  /// - Returns: whether no id occurs twice.
  private static func collectParents(
    _ nodes: [HTML.Node], under parent: String, into parents: inout [String: String]
  ) -> Bool {
    for case .element(let element) in nodes {
      let id = element["id"]
      if let id, parents.updateValue(parent, forKey: id) != nil { return false }
      guard collectParents(element.children, under: id ?? parent, into: &parents) else {
        return false
      }
    }
    return true
  }
}

extension HTML.Node {
  /// The id of the element, or `nil` if the node is not an element or has no id.
  var id: String? { if case .element(let element) = self { element["id"] } else { nil } }
}

/// A change of the content that a tab shows.
struct Patch: Sendable, Equatable {
  /// The operation on the target.
  enum Operation: String, Sendable {
    /// Changes the target to the markup, and preserves focus, selection, and text that is being
    /// typed.
    case morph
    /// Inserts the markup after the last child.
    case append
    /// Inserts the markup before the first child.
    case prepend
    /// Inserts the markup before the target.
    case before
    /// Removes the target.
    case remove
  }

  let operation: Operation
  /// The id of the element.
  let target: String
  /// The markup; empty for a removal.
  let html: HTML

  init(_ operation: Operation, _ target: String, _ html: HTML = HTML()) {
    self.operation = operation
    self.target = target
    self.html = html
  }

  /// Returns the change as an object for the script: `{"op":"morph","target":"count","html":"…"}`.
  /// - Parameter context: the context in which the device serves the markup.
  func json(for context: RenderContext = RenderContext()) -> String {
    var bytes: [UInt8] = []
    html.write(to: &bytes, for: context)
    let html = String(decoding: bytes, as: UTF8.self)
    return """
      {"op":\(JSONEscapes.quoted(operation.rawValue)),"target":\(JSONEscapes.quoted(target)),\
      "html":\(JSONEscapes.quoted(html))}
      """
  }
}
