import Foundation
import Synchronization

/// The shared elements of one type.
struct SharedElements<Element: LoggedElement>: Sendable {
  /// The reference whose loads determine which elements the user knows.
  let known: Shared<[Element]>
  /// A reference to the same value that the user does not load.
  let current: Shared<[Element]>

  init(_ location: SharedLocation<[Element]>) {
    (known, current) = (Shared(location, default: []), Shared(location, default: []))
  }

  /// Makes those edits that find their elements, and records the others.
  func make(_ edits: [Element.Edit], _ missed: MissedEdits<Element.Edit>) {
    current.change { elements in
      guard let list = try? ElementList(elements) else { return }
      let edited = EditedList(list, edits)
      missed.record(edited.refused, of: Element.self)
      elements = Array(edited.list)
    }
  }

  /// Records that the user knows the elements after edits.
  func record(_ edits: [Element.Edit]) {
    var last: [UUID: ElementEdit<Element>] = [:]
    for edit in edits.compactMap({ Element.values(of: $0) }) {
      if let id = edit.id { last[id] = edit }
    }
    known.withLoaded { [last] loaded in
      loaded?.removeAll { last[$0.id] != nil }
      loaded?.append(contentsOf: last.values.compactMap(\.after))
    }
  }

  /// Gives elements their former order. The places of other elements stay.
  func restoreOrder(of former: [Element]) {
    current.change { $0 = $0.ordered(as: former) }
  }

  /// Replaces all elements.
  /// - Returns: A function that restores the elements that were replaced, wherever that was last, unless
  ///   they have changed since.
  func replaceAll(by elements: [Element]) -> @Sendable () -> Void {
    let replaced = Mutex<[Element]>([])
    current.change { stored in
      replaced.withLock { $0 = stored }
      stored = elements
    }
    return { [current] in
      current.change { stored in
        let former = replaced.withLock { $0 }
        guard let list = try? ElementList(stored) else { return }
        let edited = EditedList(list, elements.edits(to: former))
        stored = Array(edited.list).ordered(as: former)
      }
    }
  }
}

extension Shared {
  /// Replaces a log.
  /// - Returns: A function that restores the changes that were replaced. Later ones stay.
  func replaceLog<Change: LoggedChange>(by changes: [Change]) -> @Sendable () -> Void
  where Value == [Change] {
    let replaced = Mutex<[Change]>([])
    change { stored in
      replaced.withLock { $0 = stored }
      stored = changes
    }
    return { [self] in
      change { stored in
        let new = Set(changes.map(\.id))
        let later = stored.filter { !new.contains($0.id) }
        stored = (replaced.withLock { $0 } + later).suffix(Change.logLimit)
      }
    }
  }
}

extension Array where Element: Identifiable {
  /// Returns the elements with those of another list in its order. The places of others stay.
  fileprivate func ordered(as former: [Element]) -> [Element] {
    let present = Dictionary(map { ($0.id, $0) }) { first, _ in first }
    let ids = Set(former.map(\.id))
    var ordered = former.compactMap { present[$0.id] }.makeIterator()
    return map { ids.contains($0.id) ? ordered.next() ?? $0 : $0 }
  }
}

/// The edits of a change that did not find their elements when they were made last, which is when
/// they were stored.
final class MissedEdits<Edit: LoggedEdit>: Sendable {
  private let found = Mutex<[ObjectIdentifier: [Int: Edit]]>([:])

  /// Records the differences of the edits of one type, by the indices of the edits.
  func record<Element: LoggedElement>(_ differences: [Int: Edit], of type: Element.Type) {
    found.withLock { $0[ObjectIdentifier(type)] = differences }
  }

  private var byIndex: [Int: Edit] {
    found.withLock { found in found.values.reduce(into: [:]) { $0.merge($1) { edit, _ in edit } } }
  }

  /// The edits in their order, each with the stored value in place of the one after.
  var differences: [Edit] { byIndex.sorted { $0.key < $1.key }.map(\.value) }

  /// Returns those edits of the change that were made.
  func others(of edits: [Edit]) -> [Edit] {
    let missed = byIndex
    return edits.enumerated().filter { missed[$0.offset] == nil }.map(\.element)
  }
}
