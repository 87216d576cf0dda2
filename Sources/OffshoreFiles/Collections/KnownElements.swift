/// The ids of the elements that the user of a collection knows: those that were loaded last, with the
/// user's own changes since.
struct KnownElements<ID: Hashable & Sendable>: Sendable {
  /// The ids as keys, or `nil` if the collection was never loaded.
  ///
  /// They are the index of a list, which is not copied.
  private var ids: [ID: Int]?

  /// Records that the user has loaded the elements, or replaced them.
  mutating func replace<Element>(by elements: ElementList<Element>) where Element.ID == ID {
    ids = elements.indicesByID
  }

  /// Records an element that the user has added.
  mutating func insert(_ id: ID) { ids?[id] = 0 }

  /// Records an element that the user has removed.
  mutating func remove(_ id: ID) { ids?[id] = nil }

  /// Records the elements that the user has added and removed.
  mutating func record<Element>(
    _ before: ElementList<Element>, _ after: ElementList<Element>
  ) where Element.ID == ID {
    guard ids != nil else { return }
    for element in after where !before.contains(element.id) { insert(element.id) }
    for element in before where !after.contains(element.id) { remove(element.id) }
  }

  /// Returns new elements, followed by the stored ones that the user does not know.
  ///
  /// If the collection was never loaded, there is no earlier state to which others could have added.
  func merging<Element>(
    _ new: ElementList<Element>, into stored: ElementList<Element>
  ) -> ElementList<Element> where Element.ID == ID {
    guard let ids else { return new }
    var merged = new
    for element in stored where ids[element.id] == nil && !new.contains(element.id) {
      merged.upsert(element)
    }
    return merged
  }
}
