import OffshoreHTTP
import OffshoreWire

/// A strong validator of what is at an address (<https://www.rfc-editor.org/rfc/rfc9110#name-etag>).
struct EntityTag: Hashable, Sendable {
  /// The tag as headers carry it, with its quotes.
  let text: String

  /// The tag of a hash.
  init(_ hash: ContentHash) { text = "\"\(hash.description.prefix(32))\"" }

  /// The tag of a row as a manifest shows it: of its generation, its versions and its values.
  init(_ state: RowState, _ manifest: Manifest) {
    var writer = WireWriter()
    writer.count(manifest.version)
    writer.value(state)
    self.init(ContentHash(of: writer.bytes))
  }
}

/// What a request asks of the version that is there
/// (<https://www.rfc-editor.org/rfc/rfc9110#name-preconditions>).
struct Preconditions: Hashable, Sendable {
  private let match: [String]
  private let noneMatch: [String]

  init(_ headers: Headers) {
    match = Self.tags(headers.all("If-Match"))
    noneMatch = Self.tags(headers.all("If-None-Match"))
  }

  /// Whether the client has what is there.
  func isKnown(_ tag: EntityTag) -> Bool {
    noneMatch.contains { $0 == "*" || $0 == tag.text || $0 == "W/" + tag.text }
  }

  /// Looks at the version that a change is for. Without `If-Match` any will do.
  /// - Throws: `ResourceError` with 412, which tells the version that is there.
  func check(_ tag: EntityTag) throws(ResourceError) {
    guard match.isEmpty || match.contains(where: { $0 == "*" || $0 == tag.text }) else {
      throw ResourceError(
        Response.Status(rawValue: 412), "preconditionFailed",
        "The row has changed meanwhile. Read it, and send the change for what it is now.",
        entityTag: tag)
    }
  }

  private static func tags(_ values: [String]) -> [String] {
    values.flatMap { $0.split(separator: ",") }.map { tag in
      String(
        tag.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }
          .reversed())
    }
  }
}
