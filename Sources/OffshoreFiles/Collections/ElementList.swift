/// An ordered list of elements with different ids, each of which is found by its id.
///
/// As JSON it is an array of its elements.
public struct ElementList<Element: Identifiable> {
  private var elements: [Element] = []
  /// The index of each element.
  private(set) var indicesByID: [Element.ID: Int] = [:]
  /// The JSON of the elements that have not changed since the list was encoded.
  var encoded: EncodedElements?

  /// Creates an empty list.
  public init() {}

  /// Creates a list of elements in their order.
  /// - Throws: ``FileError`` with the code `duplicateID` if two elements have the same id.
  public init(_ elements: [Element]) throws {
    self.elements = elements
    guard index() else {
      throw FileError(
        .duplicateID,
        "Two elements have the same id, so they were not stored. Give each element its own id.")
    }
  }

  /// The element with an id, or `nil`.
  public subscript(id id: Element.ID) -> Element? { indicesByID[id].map { elements[$0] } }

  /// Returns the index of the element with an id, or `nil`.
  public func index(id: Element.ID) -> Int? { indicesByID[id] }

  /// Returns whether there is an element with an id.
  func contains(_ id: Element.ID) -> Bool { indicesByID[id] != nil }

  /// Replaces the element with the same id, or appends the element.
  public mutating func upsert(_ element: Element) {
    if let index = indicesByID[element.id] {
      elements[index] = element
      encoded?.places[index] = nil
    } else {
      indicesByID[element.id] = elements.count
      elements.append(element)
      encoded?.places.append(nil)
    }
  }

  /// Replaces the element with the same id, or inserts the element at an index.
  ///
  /// - Parameter index: The index of an element that did not exist. An index out of range is that of the
  ///   nearest end.
  public mutating func upsert(_ element: Element, at index: Int) {
    guard indicesByID[element.id] == nil, index < elements.count else { return upsert(element) }
    let index = Swift.max(index, 0)
    elements.insert(element, at: index)
    encoded?.places.insert(nil, at: index)
    _ = self.index()
  }

  /// Removes the element with an id.
  /// - Returns: The element, or `nil` if there is none.
  @discardableResult
  public mutating func remove(_ id: Element.ID) -> Element? {
    guard let removed = self[id: id] else { return nil }
    remove([id])
    return removed
  }

  /// Removes the elements with these ids.
  public mutating func remove(_ ids: some Sequence<Element.ID>) {
    let ids = Set(ids)
    guard ids.contains(where: { contains($0) }) else { return }
    if let places = encoded?.places {
      encoded?.places = zip(elements, places).filter { !ids.contains($0.0.id) }.map(\.1)
    }
    elements.removeAll { ids.contains($0.id) }
    _ = index()
  }

  /// Inserts elements that do not exist, one after the other, each at an index of the list at that time.
  /// An index out of range is that of the nearest end.
  /// - Returns: The indices.
  @discardableResult
  mutating func insert(_ new: [(element: Element, index: Int)]) -> [Int] {
    guard new.count > 1 else {
      return new.map { element, index in
        upsert(element, at: index)
        return indicesByID[element.id] ?? 0
      }
    }
    let indices = new.enumerated().map { Swift.min(Swift.max($1.index, 0), count + $0) }
    elements.insert(new.map(\.element), at: indices)
    encoded?.places.insert(new.map { _ in nil }, at: indices)
    _ = index()
    return indices
  }

  /// Finds the index of each element.
  /// - Returns: Whether all ids are different.
  private mutating func index() -> Bool {
    indicesByID = [:]
    indicesByID.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() { indicesByID[element.id] = index }
    return indicesByID.count == elements.count
  }
}

extension ElementList: RandomAccessCollection {
  public var startIndex: Int { elements.startIndex }
  public var endIndex: Int { elements.endIndex }
  public subscript(position: Int) -> Element { elements[position] }
}

extension ElementList: Sendable where Element: Sendable, Element.ID: Sendable {}

extension ElementList: Equatable where Element: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.elements == rhs.elements }
}

extension ElementList: Encodable where Element: Encodable {
  public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

extension ElementList: Decodable where Element: Decodable {
  public init(from decoder: any Decoder) throws {
    elements = try [Element](from: decoder)
    guard index() else { throw DuplicateID() }
  }
}

/// The error of a file with two elements that have the same id.
struct DuplicateID: Error {}

extension Array {
  /// Inserts elements one after the other, each at an index of the array at that time.
  fileprivate mutating func insert(_ new: [Element], at indices: [Int]) {
    guard zip(indices, indices.dropFirst()).allSatisfy({ $0 < $1 }) else {
      for (element, index) in zip(new, indices) { insert(element, at: index) }
      return
    }
    // Ascending indices are final, so each element is moved once.
    var (result, rest) = ([Element](), self[...])
    result.reserveCapacity(count + new.count)
    for (element, index) in zip(new, indices) {
      let former = rest.prefix(index - result.count)
      result += former
      rest = rest.dropFirst(former.count)
      result.append(element)
    }
    self = result + rest
  }
}
