import Foundation

/// An operation on the rows of a form, requested by a button.
///
/// As text it is the kind and a path: `down:sections.0B1C….items.7F20…`. The path of a row consists
/// of the path of its parent row, if it has one, the name of the field, and the id of the row. To
/// add a row, the path is that of the preceding row (`add:cards.7F20…`), or ends with the name of
/// the field to append it (`add:cards`).
public struct DraftRowChange: Sendable {
  /// The kind of an operation.
  public enum Kind: String, Sendable {
    /// Adds an empty row after a row, or at the end.
    case add
    /// Removes a row and all rows in it.
    case remove
    /// Swaps a row with the preceding one. The first row in a parent row moves to the end of the
    /// preceding parent.
    case up
    /// Swaps a row with the following one. The last row in a parent row moves to the start of the
    /// following parent.
    case down
  }

  let kind: Kind
  let path: [String]

  /// The field of the form that contains the rows.
  public var field: String? { path.first }

  /// Creates an operation from its kind and path.
  public init(_ kind: Kind, _ path: String) {
    self.kind = kind
    self.path = path.split(separator: ".").map(String.init)
  }

  /// Parses an operation, or returns `nil` if the text is not one.
  public init?(text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
    self.init(kind, String(parts[1]))
  }

  /// The operation as text.
  public var text: String { "\(kind.rawValue):\(path.joined(separator: "."))" }

  /// Applies the operation to the texts of a form.
  /// - Returns: `false` if the path does not exist. The texts are not changed then.
  func apply(
    to texts: inout [String: String], _ controls: [DraftControl], makeID: () -> UUID
  ) -> Bool {
    apply(path[...], to: &texts, controls, makeID: makeID)
  }

  private func apply(
    _ path: ArraySlice<String>, to texts: inout [String: String], _ controls: [DraftControl],
    makeID: () -> UUID
  ) -> Bool {
    guard let name = path.first,
      case .rows(let declared)? = controls.first(where: { $0.name == name })?.kind
    else { return false }
    var rows = [DraftRow](text: texts[name] ?? "")
    guard change(&rows, path.dropFirst(), declared, makeID: makeID) else { return false }
    texts[name] = rows.text
    return true
  }

  private func change(
    _ rows: inout [DraftRow], _ path: ArraySlice<String>, _ declared: DraftRows,
    makeID: () -> UUID
  ) -> Bool {
    guard let id = path.first else {
      if kind == .add { rows.append(declared.makeRow(makeID)) }
      return kind == .add
    }
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return false }
    let rest = path.dropFirst()
    if !rest.isEmpty {
      return moveAcross(&rows, index, rest)
        || apply(rest, to: &rows[index].texts, declared.controls, makeID: makeID)
    }
    switch kind {
    case .add: rows.insert(declared.makeRow(makeID), at: index + 1)
    case .remove: rows.remove(at: index)
    case .up, .down:
      if rows.indices.contains(index + step) { rows.swapAt(index, index + step) }
    }
    return true
  }

  private var step: Int { kind == .up ? -1 : 1 }

  /// Moves the first or last row in a parent row to the neighbouring parent row.
  private func moveAcross(
    _ rows: inout [DraftRow], _ index: Int, _ path: ArraySlice<String>
  ) -> Bool {
    guard kind == .up || kind == .down, path.count == 2, rows.indices.contains(index + step),
      let name = path.first, let id = path.last
    else { return false }
    var inner = [DraftRow](text: rows[index].texts[name] ?? "")
    guard (kind == .up ? inner.first : inner.last)?.id == id else { return false }
    let moved = kind == .up ? inner.removeFirst() : inner.removeLast()
    var next = [DraftRow](text: rows[index + step].texts[name] ?? "")
    next.insert(moved, at: kind == .up ? next.endIndex : 0)
    rows[index].texts[name] = inner.text
    rows[index + step].texts[name] = next.text
    return true
  }
}
