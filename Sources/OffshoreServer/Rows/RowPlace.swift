import OffshoreWire

/// The scope and the id of a row. Pages contain the rows of a table in the order of their places.
struct RowPlace: Hashable, Sendable {
  let scope: ScopeID
  let id: String

  init(_ scope: ScopeID, _ id: String) {
    self.scope = scope
    self.id = id
  }

  /// Parses the text of a place.
  /// - Throws: `ResourceError` with the code `malformed` for a text that is not the ``text`` of a
  ///   place.
  init(_ text: String) throws(ResourceError) {
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3,
      let scope = try? ScopeID(kind: String(parts[0]), value: String(parts[1]))
    else { throw .malformed("Send as “after” what a page has as “next”.", field: "after") }
    self.init(scope, String(parts[2]))
  }

  /// The scope, a slash and the id, for example `list/7/3`.
  var text: String { "\(scope.text)/\(id)" }
}
