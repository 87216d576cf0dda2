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
