public import Foundation

/// A change of single elements of a ``CollectionGroup``.
public enum ElementChange<Edit: LoggedEdit>: Sendable {
  /// Replaces the element with the same id, or appends the element.
  case save(any LoggedElement<Edit>)
  /// Removes the element with an id, if there is one.
  case delete(UUID, any LoggedElement<Edit>.Type)
  /// Makes edits, all or none. They are refused if an element is not as an edit found it.
  case apply([Edit])

  /// The types of the changed elements.
  public var types: [any LoggedElement<Edit>.Type] {
    switch self {
    case .save(let element): return [type(of: element)]
    case .delete(_, let type): return [type]
    case .apply(let edits):
      var types: [ObjectIdentifier: any LoggedElement<Edit>.Type] = [:]
      for edit in edits {
        let type = edit.typed.elementType
        types[ObjectIdentifier(type)] = type
      }
      return Array(types.values)
    }
  }
}

/// The collections of a group inside of one change.
protocol GroupTransaction<Change> {
  associatedtype Change: LoggedChange

  /// Returns an element, or `nil`.
  mutating func find<Element: LoggedElement>(_ id: UUID, as type: Element.Type) throws -> Element?
  /// Makes those edits that find their elements, and differ.
  /// - Returns: The edits that are made, each with the place of an inserted or removed element; and the
  ///   others, each with the stored value in place of the one after.
  mutating func make(
    _ edits: [Change.Edit]
  ) throws -> (made: [Change.Edit], refused: [Change.Edit])
  /// Adds a change to the log, and removes the oldest ones beyond its limit.
  mutating func log(_ change: Change) throws
}

extension GroupTransaction {
  /// Makes a change, and logs the edits that change something.
  /// - Returns: The logged change; `nil` if nothing has changed.
  /// - Throws: ``RefusedEdits`` if an element is not as an edit found it. Some edits may be made then.
  mutating func make(
    _ change: ElementChange<Change.Edit>, _ stamp: ChangeStamp
  ) throws -> Change? {
    switch change {
    case .save(let element): try apply([saving(element)], stamp)
    case .delete(let id, let type): try apply(deleting(id, type), stamp)
    case .apply(let edits): try apply(edits, stamp)
    }
  }

  private mutating func saving<Element: LoggedElement<Change.Edit>>(
    _ element: Element
  ) throws -> Change.Edit {
    Element.edit(ElementEdit(try find(element.id, as: Element.self), element))
  }

  private mutating func deleting<Element: LoggedElement<Change.Edit>>(
    _ id: UUID, _ type: Element.Type
  ) throws -> [Change.Edit] {
    try find(id, as: type).map { [Element.edit(ElementEdit($0, nil))] } ?? []
  }

  private mutating func apply(
    _ edits: [Change.Edit], _ stamp: ChangeStamp
  ) throws -> Change? {
    let (made, refused) = try make(edits)
    guard refused.isEmpty else { throw RefusedEdits(differences: refused) }
    guard !made.isEmpty else { return nil }
    let change: Change = stamp.change(made)
    try log(change)
    return change
  }
}
