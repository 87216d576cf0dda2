/// The reference of a row to a blob, stored as a text: `blob:` and the hash of the content.
///
/// A file column has such texts. Other texts are allowed in it, such as the address of a page, and refer
/// to nothing.
public struct BlobReference: Hashable, Sendable {
  /// The hash of the blob's content.
  public let hash: ContentHash

  /// The beginning of the text.
  package static let prefix = "blob:"

  /// Creates the reference to a content.
  public init(_ hash: ContentHash) { self.hash = hash }

  /// Parses the text that ``text`` returns.
  /// - Returns: `nil` for anything but `blob:` and 64 hexadecimal digits in lower case.
  public init?(_ text: String) {
    guard text.utf8.starts(with: Self.prefix.utf8) else { return nil }
    let digits = text.utf8.dropFirst(Self.prefix.utf8.count)
    guard let hash = ContentHash(hexadecimal: String(decoding: digits, as: UTF8.self)) else {
      return nil
    }
    self.hash = hash
  }

  /// `blob:` and the hash as 64 hexadecimal digits in lower case.
  public var text: String { "\(Self.prefix)\(hash)" }
}
