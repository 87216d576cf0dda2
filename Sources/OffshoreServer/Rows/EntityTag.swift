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
