/// A list in which edits are made.
///
/// Edits are made in their order. Removals in a row are made together, and so are insertions, because
/// each time the indices of all elements are found again.
struct EditedList<Element: LoggedElement> {
  private(set) var list: ElementList<Element>
  /// The edits that are made, by their indices, each with the place of an inserted or removed element.
  private(set) var made: [Int: Element.Edit] = [:]
  /// The edits that do not find their elements, by their indices, each with the stored value in place of
  /// the one after.
  private(set) var refused: [Int: Element.Edit] = [:]
  private var removals: [Removal] = []
  private var insertions: [Insertion] = []
  /// The ids of the removed or inserted elements that are not made yet.
  private var waiting: Set<Element.ID> = []

  private typealias Removal = (number: Int, element: Element, index: Int)
  private typealias Insertion = (number: Int, element: Element, index: Int)

  /// Makes those edits of the type that find their elements.
  init(_ list: ElementList<Element>, _ edits: [Element.Edit]) {
    self.list = list
    for (number, edit) in edits.enumerated() {
      guard let edit = Element.values(of: edit), let id = edit.id, edit.before != edit.after else {
        continue
      }
      make(edit, of: id, number)
    }
    complete()
  }

  private mutating func make(_ edit: ElementEdit<Element>, of id: Element.ID, _ number: Int) {
    let isOfOtherKind = edit.after == nil ? !insertions.isEmpty : !removals.isEmpty
    if isOfOtherKind || waiting.contains(id) { complete() }
    let index = list.index(id: id)
    let present = index.map { list[$0] }
    guard present == edit.before, edit.after.map({ $0.id == id }) ?? true else {
      refused[number] = Element.edit(ElementEdit(edit.before, present))
      return
    }
    switch (index, edit.after) {
    case (.some, let after?):
      list.upsert(after)
      made[number] = Element.edit(ElementEdit(edit.before, after))
    case (let index?, nil):
      removals.append((number, list[index], index))
      waiting.insert(id)
    case (nil, let after?):
      insertions.append((number, after, edit.index ?? .max))
      waiting.insert(id)
    case (nil, nil): break
    }
  }

  /// Makes the removals or insertions in a row.
  private mutating func complete() {
    if !removals.isEmpty { removeAll() }
    let indices = list.insert(insertions.map { ($0.element, $0.index) })
    for (insertion, index) in zip(insertions, indices) {
      made[insertion.number] = Element.edit(ElementEdit(nil, insertion.element, at: index))
    }
    (removals, insertions, waiting) = ([], [], [])
  }

  /// Makes the removals. The place of each one is that after the removals before it.
  private mutating func removeAll() {
    var earlier: [Int] = []
    for (number, element, index) in removals {
      let count = earlier.countLess(than: index)
      earlier.insert(index, at: count)
      made[number] = Element.edit(ElementEdit(element, nil, at: index - count))
    }
    list.remove(waiting)
  }
}

extension [Int] {
  /// Returns how many of the numbers, which are in ascending order, are less than another.
  fileprivate func countLess(than number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
