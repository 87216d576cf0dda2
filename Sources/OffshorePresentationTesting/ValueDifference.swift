/// The comparison of two values of one type, part by part.
///
/// ```
/// locations[1, id 7].name: expected "Vis", found "Hvar"
/// ```
///
/// The rows of a list are compared by their ids if they have unique ones, and by their positions
/// otherwise.
struct ValueDifference {
  private var lines: [String] = []

  /// Returns a line for each part that differs, at least one.
  static func lines(expected: Any, found: Any) -> [String] {
    var difference = ValueDifference()
    difference.compare(expected, found, at: "")
    if difference.lines.isEmpty { difference.add("", expected, found) }
    return difference.lines
  }

  private mutating func compare(_ expected: Any, _ found: Any, at path: String) {
    let isEqual = (expected as? any Equatable)?.isEqual(to: found)
    if isEqual == true { return }
    let count = lines.count
    compareParts(expected, found, at: path)
    // A part that reflection does not show.
    if lines.count == count, isEqual == false { add(path, expected, found) }
  }

  private mutating func compareParts(_ expected: Any, _ found: Any, at path: String) {
    let (left, right) = (Mirror(reflecting: expected), Mirror(reflecting: found))
    guard left.subjectType == right.subjectType else { return add(path, expected, found) }
    switch left.displayStyle {
    case .optional: compareOptionals(expected, found, left, right, at: path)
    case .collection: compareLists(left.values, right.values, at: path)
    case .set: compareSets(left.values, right.values, at: path)
    case .dictionary: compareEntries(left.entries, right.entries, at: path)
    case .enum: compareCases(expected, found, left, right, at: path)
    case .tuple: compareChildren(left, right, at: path)
    case .struct where !Self.areNamed(expected, found): compareChildren(left, right, at: path)
    default: if "\(expected)" != "\(found)" { add(path, expected, found) }
    }
  }

  /// Returns whether two values have descriptions of their own, which tell them apart.
  private static func areNamed(_ expected: Any, _ found: Any) -> Bool {
    expected is any CustomStringConvertible && "\(expected)" != "\(found)"
  }

  private mutating func compareOptionals(
    _ expected: Any, _ found: Any, _ left: Mirror, _ right: Mirror, at path: String
  ) {
    guard let old = left.values.first, let new = right.values.first else {
      if left.children.count != right.children.count { add(path, expected, found) }
      return
    }
    compare(old, new, at: path)
  }

  private mutating func compareCases(
    _ expected: Any, _ found: Any, _ left: Mirror, _ right: Mirror, at path: String
  ) {
    let name = ValueText.caseName(found, right)
    guard ValueText.caseName(expected, left) == name, let old = left.values.first,
      let new = right.values.first
    else {
      if "\(expected)" != "\(found)" { add(path, expected, found) }
      return
    }
    compare(old, new, at: path + "." + name)
  }

  private mutating func compareChildren(_ left: Mirror, _ right: Mirror, at path: String) {
    for (old, new) in zip(left.children, right.children) {
      let label = old.label ?? ""
      let separator = path.isEmpty || label.hasPrefix(".") ? "" : "."
      compare(old.value, new.value, at: path + separator + label)
    }
  }

  // MARK: - Collections

  private mutating func compareLists(_ expected: [Any], _ found: [Any], at path: String) {
    guard let old = expected.uniqueIDs, let new = found.uniqueIDs else {
      for index in 0..<max(expected.count, found.count) {
        compareElements(expected.element(index), found.element(index), at: "\(path)[\(index)]")
      }
      return
    }
    let places = Dictionary(uniqueKeysWithValues: zip(old, expected))
    for (index, id) in new.enumerated() {
      compareElements(places[id], found[index], at: "\(path)[\(index), id \(id)]")
    }
    let (oldIDs, newIDs) = (Set(old), Set(new))
    for (index, id) in old.enumerated() where !newIDs.contains(id) {
      compareElements(expected[index], nil, at: "\(path)[\(index), id \(id)]")
    }
    let (oldOrder, newOrder) = (old.filter(newIDs.contains), new.filter(oldIDs.contains))
    if oldOrder != newOrder {
      addLine("\(path): expected the order \(ValueText(oldOrder)), found \(ValueText(newOrder))")
    }
  }

  private mutating func compareSets(_ expected: [Any], _ found: [Any], at path: String) {
    let (old, new) = (expected.hashable, found.hashable)
    for element in old where !new.contains(element) { compareElements(element.base, nil, at: path) }
    for element in new where !old.contains(element) { compareElements(nil, element.base, at: path) }
  }

  private mutating func compareEntries(
    _ expected: [(key: String, value: Any)], _ found: [(key: String, value: Any)], at path: String
  ) {
    let old = Dictionary(expected.map { ($0.key, $0.value) }) { first, _ in first }
    let new = Dictionary(found.map { ($0.key, $0.value) }) { first, _ in first }
    for key in Set(old.keys).union(new.keys).sorted() {
      compareElements(old[key], new[key], at: "\(path)[\(key)]")
    }
  }

  private mutating func compareElements(_ expected: Any?, _ found: Any?, at path: String) {
    switch (expected, found) {
    case (let expected?, let found?): compare(expected, found, at: path)
    case (let expected?, nil): addLine("\(path): expected \(ValueText(expected)), found nothing")
    case (nil, let found?): addLine("\(path): expected nothing, found \(ValueText(found))")
    case (nil, nil): break
    }
  }

  // MARK: - Lines

  private mutating func add(_ path: String, _ expected: Any, _ found: Any) {
    addLine("\(path): expected \(ValueText(expected)), found \(ValueText(found))")
  }

  private mutating func addLine(_ line: String) {
    lines.append(line.hasPrefix(": ") ? String(line.dropFirst(2)) : line)
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}

extension Mirror {
  fileprivate var values: [Any] { children.map(\.value) }

  /// The entries of a dictionary, by the texts of their keys.
  fileprivate var entries: [(key: String, value: Any)] {
    children.compactMap { child in
      let entry = Mirror(reflecting: child.value).values
      return entry.count == 2 ? (ValueText(entry[0]).description, entry[1]) : nil
    }
  }
}

extension [Any] {
  fileprivate func element(_ index: Int) -> Any? { indices.contains(index) ? self[index] : nil }

  /// The elements of a set.
  fileprivate var hashable: [AnyHashable] { compactMap { $0 as? AnyHashable } }

  /// The ids of the elements, or `nil` if they have none or share some.
  fileprivate var uniqueIDs: [AnyHashable]? {
    let ids = compactMap { ($0 as? any Identifiable)?.anyID }
    return ids.count == count && Set(ids).count == count ? ids : nil
  }
}

extension Identifiable {
  fileprivate var anyID: AnyHashable { AnyHashable(id) }
}
