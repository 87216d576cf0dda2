import OffshoreHTTP

/// What a request asks of the version that is there
/// (<https://www.rfc-editor.org/rfc/rfc9110#name-preconditions>).
struct Preconditions: Hashable, Sendable {
  /// The versions that the request is for; `nil` where it does not say.
  private let match: [String]?
  private let noneMatch: [String]

  init(_ headers: Headers) {
    match = headers["If-Match"].map { _ in headers.list("If-Match") }
    noneMatch = headers.list("If-None-Match")
  }

  /// Whether the client has what is there.
  func isKnown(_ tag: EntityTag) -> Bool {
    noneMatch.contains { $0 == "*" || $0 == tag.text || $0 == "W/" + tag.text }
  }

  /// Looks at the version that a change is for. Without `If-Match` any will do; one without a tag is for
  /// none.
  /// - Throws: `ResourceError` with 412, which tells the version that is there.
  func check(_ tag: EntityTag) throws(ResourceError) {
    guard match?.contains(where: { $0 == "*" || $0 == tag.text }) ?? true else {
      throw ResourceError(
        Response.Status(rawValue: 412), "preconditionFailed",
        "The row has changed meanwhile. Read it, and send the change for what it is now.",
        entityTag: tag)
    }
  }
}
