public import Foundation

/// An element of a ``CollectionGroup``, whose changes are logged as edits.
public protocol LoggedElement<Edit>: Codable, Hashable, Identifiable, Sendable where ID == UUID {
  /// The type of the edits of all elements of the group.
  associatedtype Edit: LoggedEdit

  /// The name of the file with all elements of this type, in a group of files.
  static var fileName: String { get }

  /// Returns an edit of an element of this type.
  static func edit(_ edit: ElementEdit<Self>) -> Edit
}

/// An edit of an element of a group, such as an enumeration with a case for each type of element.
///
/// ```swift
/// enum FleetEdit: LoggedEdit {
///   case charter(ElementEdit<Charter>)
///   case harbor(ElementEdit<Harbor>)
///
///   static let elementTypes: [any LoggedElement<FleetEdit>.Type] = [Charter.self, Harbor.self]
///
///   var typed: any TypedEdit<FleetEdit> {
///     switch self {
///     case .charter(let edit): edit
///     case .harbor(let edit): edit
///     }
///   }
/// }
/// ```
public protocol LoggedEdit: Codable, Hashable, Sendable {
  /// The types of the elements of the group.
  static var elementTypes: [any LoggedElement<Self>.Type] { get }
  /// The edit with the type of its element.
  var typed: any TypedEdit<Self> { get }
}

extension LoggedEdit {
  /// The edit that reverts this one.
  public var inverse: Self { typed.inverted }
  /// The id of the element that the edit removes; `nil` if it removes none.
  public var removedID: UUID? { typed.removedID }
}

/// The change of one element of a collection, with its values before and after.
///
/// An inserted element has no value before, and a removed one none after. For these, the index is the
/// place of the element in its collection, so that a removal can be undone in the same place.
public struct ElementEdit<Element: LoggedElement>: Codable, Hashable, Sendable {
  public var before: Element?
  public var after: Element?
  public var index: Int?

  /// Creates an edit.
  public init(_ before: Element?, _ after: Element?, at index: Int? = nil) {
    (self.before, self.after, self.index) = (before, after, index)
  }

  /// The id of the element; `nil` if both values are missing.
  public var id: UUID? { (before ?? after)?.id }
  /// The edit that reverts this one.
  public var inverse: Self { Self(after, before, at: index) }
}

/// An edit whose type of element is known: an ``ElementEdit``.
public protocol TypedEdit<Edit>: Sendable {
  associatedtype Edit
  associatedtype Element: LoggedElement where Element.Edit == Edit
  /// The values of the edit.
  var values: ElementEdit<Element> { get }
}

extension ElementEdit: TypedEdit {
  public typealias Edit = Element.Edit
  public var values: Self { self }
}

extension TypedEdit {
  /// The type of the element.
  public var elementType: any LoggedElement<Edit>.Type { Element.self }

  fileprivate var inverted: Edit { Element.edit(values.inverse) }
  fileprivate var removedID: UUID? { values.after == nil ? values.id : nil }

  /// The edit without the place of its element.
  var withoutIndex: Edit { Element.edit(ElementEdit(values.before, values.after)) }
}

extension LoggedElement {
  /// Returns the values of an edit; `nil` if its element is of another type.
  public static func values(of edit: Edit) -> ElementEdit<Self>? {
    edit.typed as? ElementEdit<Self>
  }
}

extension Array where Element: LoggedElement {
  /// Makes those edits that find their elements, in a list of the elements that satisfy a condition, such
  /// as those of a month.
  public mutating func make(_ edits: [Element.Edit], where isListed: (Element) -> Bool) {
    for edit in edits {
      guard let edit = Element.values(of: edit) else { continue }
      let place = firstIndex { $0.id == edit.id }
      guard place.map({ self[$0] == edit.before }) ?? true else { continue }
      switch (place, edit.after.flatMap { isListed($0) ? $0 : nil }) {
      case (let place?, let element?): self[place] = element
      case (let place?, nil): remove(at: place)
      case (nil, let element?):
        insert(element, at: Swift.max(0, Swift.min(edit.index ?? count, count)))
      case (nil, nil): break
      }
    }
  }
}

extension Sequence where Element: LoggedElement {
  /// Returns the edits that lead from these elements to others: removals, changes, and insertions.
  ///
  /// The removals are in descending order, so that their inverses insert the elements in ascending
  /// order.
  /// - Parameter places: The places of removed and inserted elements by their ids; by default the
  ///   indices in the sequences.
  public func edits(
    to others: some Collection<Element>, at places: [UUID: Int] = [:]
  ) -> [Element.Edit] {
    let former = Dictionary(map { ($0.id, $0) }) { first, _ in first }
    let kept = Set(others.map(\.id))
    let removals = enumerated().filter { !kept.contains($0.element.id) }.map { index, element in
      Element.edit(ElementEdit(element, nil, at: places[element.id] ?? index))
    }
    var (changes, insertions): ([Element.Edit], [Element.Edit]) = ([], [])
    for (index, element) in others.enumerated() {
      if let before = former[element.id] {
        if before != element { changes.append(Element.edit(ElementEdit(before, element))) }
      } else {
        let place = places[element.id] ?? index
        insertions.append(Element.edit(ElementEdit(nil, element, at: place)))
      }
    }
    return removals.reversed() + changes + insertions
  }
}
