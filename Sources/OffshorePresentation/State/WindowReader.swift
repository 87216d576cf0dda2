/// A part of a long ordered list: some rows that follow each other, and whether there are more.
struct WindowRows<Element: Identifiable & Sendable>: Sendable {
  var elements: [Element] = []
  var hasBefore = false
  var hasAfter = false
  /// The row that was the last of the list when the part was read at its position or reached the end
  /// last; `nil` if the part reaches the end.
  var formerEnd: Element?
  /// The number of rows after that row, at most a page.
  var newerCount = 0
  /// Whether the part was last extended towards the start. Rows that are too many are then dropped
  /// at the end.
  var grewBackwards = false
}

/// Reads parts of a list by keyset.
@MainActor
struct WindowReader<Element: Identifiable & Sendable> where Element.ID: Sendable {
  typealias Page = @MainActor (_ element: Element?, _ size: Int) async throws -> [Element]

  let before: Page
  let after: Page
  let row: @MainActor (Element.ID) async throws -> Element?
  let pageSize: Int
  let maximumCount: Int

  // MARK: - At a position

  /// Returns a position with the first of its rows that exists, or `nil` if none does.
  func existing(
    _ position: WindowPosition<Element.ID>
  ) async throws -> WindowPosition<Element.ID>? {
    guard case .near(let first, let others) = position, !others.isEmpty else { return position }
    for id in [first] + others where try await row(id) != nil { return .near(id) }
    return nil
  }

  /// Reads the rows at a position, or returns `nil` if its row does not exist.
  func rows(at position: WindowPosition<Element.ID>) async throws -> WindowRows<Element>? {
    guard let id = position.row else {
      return try await position == .start ? start() : end(pageSize)
    }
    guard let element = try await row(id) else { return nil }
    switch position {
    case .before:
      let read = try await before(element, pageSize + 1)
      guard !read.isEmpty else { return try await start() }
      return try await addingFormerEnd(
        WindowRows(
          elements: read.suffix(pageSize).withoutRepetitions, hasBefore: read.count > pageSize,
          hasAfter: true))
    case .after:
      let read = try await after(element, pageSize + 1)
      guard !read.isEmpty else { return try await end(pageSize) }
      return try await addingFormerEnd(
        WindowRows(
          elements: read.prefix(pageSize).withoutRepetitions, hasBefore: true,
          hasAfter: read.count > pageSize))
    case .around, .near, .start, .end: return try await around(element, [element])
    }
  }

  private func start() async throws -> WindowRows<Element> {
    let read = try await after(nil, pageSize + 1)
    return try await addingFormerEnd(
      WindowRows(
        elements: read.prefix(pageSize).withoutRepetitions, hasAfter: read.count > pageSize))
  }

  /// Reads the last rows of the list.
  func end(_ size: Int) async throws -> WindowRows<Element> {
    let read = try await before(nil, size + 1)
    return WindowRows(
      elements: read.suffix(size).withoutRepetitions, hasBefore: read.count > size)
  }

  /// Reads the rows around the place of an element.
  /// - Parameter center: the element itself, or nothing if it does not exist any more.
  private func around(_ element: Element, _ center: [Element]) async throws -> WindowRows<Element> {
    let half = max(1, pageSize / 2)
    let earlier = try await before(element, half + 1)
    let later = try await after(element, half + 1)
    return try await addingFormerEnd(
      WindowRows(
        elements: (earlier.suffix(half) + center + later.prefix(half)).withoutRepetitions,
        hasBefore: earlier.count > half, hasAfter: later.count > half))
  }

  private func addingFormerEnd(_ rows: WindowRows<Element>) async throws -> WindowRows<Element> {
    var rows = rows
    if rows.hasAfter { rows.formerEnd = try await before(nil, 1).last }
    return rows
  }

  // MARK: - Further rows

  /// Reads the page before a part.
  func extendedBackwards(_ rows: WindowRows<Element>) async throws -> WindowRows<Element> {
    guard let first = rows.elements.first else { return try await again(rows) }
    let read = try await before(first, pageSize + 1)
    var rows = rows
    rows.elements = rows.elements.prepending(read.suffix(pageSize))
    rows.hasBefore = read.count > pageSize
    rows.grewBackwards = true
    if rows.elements.count > maximumCount {
      if !rows.hasAfter { rows.formerEnd = rows.elements.last }
      rows.elements.removeLast(rows.elements.count - maximumCount)
      rows.hasAfter = true
    }
    return rows
  }

  /// Reads the page after a part.
  func extendedForwards(_ rows: WindowRows<Element>) async throws -> WindowRows<Element> {
    guard let last = rows.elements.last else { return try await again(rows) }
    let read = try await after(last, pageSize + 1)
    var rows = rows
    rows.elements = rows.elements.appending(read.prefix(pageSize))
    rows.hasAfter = read.count > pageSize
    rows.grewBackwards = false
    if !rows.hasAfter { (rows.formerEnd, rows.newerCount) = (nil, 0) }
    if rows.elements.count > maximumCount {
      rows.elements.removeFirst(rows.elements.count - maximumCount)
      rows.hasBefore = true
    }
    return rows
  }

  // MARK: - After a change

  /// Reads a part again.
  ///
  /// A part that reached an end of the list still does. Otherwise it consists of the rows from its
  /// former first one to its former last one, whether these two still exist or not.
  func again(_ shown: WindowRows<Element>) async throws -> WindowRows<Element> {
    guard let first = shown.elements.first, let last = shown.elements.last else {
      return try await end(pageSize)
    }
    let preceding = try await shown.hasBefore ? before(first, 1).last : nil
    let following = try await shown.hasAfter ? after(last, 1).first : nil
    let limit = following == nil ? maximumCount : min(maximumCount, shown.elements.count + pageSize)
    let read = try await after(preceding, limit + 1)
    let count = following.flatMap { next in read.firstIndex { $0.id == next.id } } ?? read.count
    if following == nil, count > limit, !shown.grewBackwards { return try await end(limit) }
    var rows = shown
    rows.elements = read.prefix(min(count, limit)).withoutRepetitions
    rows.hasBefore = preceding != nil
    rows.hasAfter = following != nil || count > limit
    if rows.elements.isEmpty, rows.hasBefore || rows.hasAfter {
      return try await around(first, [])
    }
    if !rows.hasAfter {
      rows.formerEnd = nil
    } else if !shown.hasAfter {
      rows.formerEnd = last
    }
    rows.newerCount = 0
    if let end = rows.formerEnd { rows.newerCount = try await after(end, pageSize).count }
    return rows
  }
}
