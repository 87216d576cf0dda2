import Foundation

/// A step that converts the content of a document from one version to the next.
///
/// ```swift
/// let notes = JSONDocument(path, default: Notes(), upgrades: [
///   DocumentUpgrade { (old: NotesV0) in NotesV1(old) },
///   DocumentUpgrade { (old: NotesV1) in Notes(old) },
/// ])
/// ```
///
/// The number of a document's upgrades is its version. The first upgrade converts version 0, which
/// is stored without an envelope, to version 1. To change the type of a document, append an upgrade
/// and keep the former types; the earlier upgrades stay as they are.
///
/// A document is upgraded when it is loaded, and its file when it is stored for the next time.
public struct DocumentUpgrade: Sendable {
  private let apply: @Sendable (Data, JSONCoding) throws -> Data

  /// Creates an upgrade from a type of the former version to one of the next.
  ///
  /// If the closure throws, loading throws ``FileError`` with code `upgradeFailed`, and the file
  /// stays as it is.
  public init<Old: Decodable & SendableMetatype, New: Encodable & SendableMetatype>(
    _ convert: @escaping @Sendable (Old) throws -> New
  ) {
    apply = { data, coding in
      try coding.encode(convert(coding.decode(Old.self, from: data))).bytes
    }
  }

  /// Converts the JSON of the former version to that of the next.
  func callAsFunction(_ data: Data, _ coding: JSONCoding) throws -> Data { try apply(data, coding) }
}
