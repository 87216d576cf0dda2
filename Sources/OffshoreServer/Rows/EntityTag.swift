import OffshoreHTTP
import OffshoreWire

/// A strong validator of a resource's content (<https://www.rfc-editor.org/rfc/rfc9110#name-etag>).
struct EntityTag: Hashable, Sendable {
  /// The tag as in header fields, with its quotes.
  let text: String

  /// Creates a tag from a hash.
  init(_ hash: ContentHash) { text = "\"\(hash.description.prefix(32))\"" }

  /// Creates the tag of a row, from its generation, versions and values, and the version of the
  /// manifest.
  init(_ state: RowState, _ manifest: Manifest) {
    var writer = WireWriter()
    writer.count(manifest.version)
    writer.value(state)
    self.init(ContentHash(of: writer.bytes))
  }
}

/// The conditions of a request on the current version
/// (<https://www.rfc-editor.org/rfc/rfc9110#name-preconditions>).
struct Preconditions: Hashable, Sendable {
  /// The tags of `If-Match`, or `nil` if the request lacks this field.
  private let match: [String]?
  private let noneMatch: [String]

  init(_ headers: Headers) {
    match = headers["If-Match"].map { _ in headers.list("If-Match") }
    noneMatch = headers.list("If-None-Match")
  }

  /// Returns whether the client has the current version, according to `If-None-Match`.
  func isKnown(_ tag: EntityTag) -> Bool {
    noneMatch.contains { $0 == "*" || $0 == tag.text || $0 == "W/" + tag.text }
  }

  /// Returns whether `If-Match` names a version.
  func names(_ tag: EntityTag) -> Bool { match?.contains(tag.text) ?? false }

  /// Checks the current version against `If-Match`. Without this field every version passes; with
  /// an empty one, no version does.
  /// - Throws: `ResourceError` with 412 and the tag of the current version.
  func check(_ tag: EntityTag) throws(ResourceError) {
    guard match?.contains(where: { $0 == "*" || $0 == tag.text }) ?? true else {
      throw ResourceError(
        Response.Status(rawValue: 412), "preconditionFailed",
        "The row has changed meanwhile. Read it, and send the change for its present state.",
        entityTag: tag)
    }
  }

  /// Checks a request that replaces or creates a row against `If-Match` and `If-None-Match`.
  /// - Parameter tag: the tag of the current version, or `nil` if there is no row.
  /// - Throws: `ResourceError` with 412, and the tag of the current version.
  func checkReplacement(of tag: EntityTag?) throws(ResourceError) {
    guard let tag else {
      guard match == nil else {
        throw ResourceError(
          Response.Status(rawValue: 412), "preconditionFailed",
          "There is no such row. Leave If-Match out to insert it.")
      }
      return
    }
    try check(tag)
    guard !isKnown(tag) else {
      throw ResourceError(
        Response.Status(rawValue: 412), "preconditionFailed",
        "There is such a row. Leave If-None-Match out to replace its values.", entityTag: tag)
    }
  }
}
