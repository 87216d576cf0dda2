public import Foundation

// All elements and changes of a group as one JSON file, such as:
// {"boats": […], "changes": […], "ports": […], "version": 1}

extension GroupContent {
  /// Returns a backup: one JSON file with a key for each file of a group, without its extension.
  /// - Throws: `EncodingError` if JSON cannot express an element.
  public func backup() throws -> Data {
    var data = try JSONCoding(precision: .full).encode(GroupBackup(content: self)).bytes
    data.append(UInt8(ascii: "\n"))
    return data
  }

  /// Reads a backup.
  /// - Throws: ``FileError``: `newerBackup` if a newer version of the library has made the backup;
  ///   `notABackup` if the data is no backup of such a group, or damaged.
  public init(backup data: Data) throws {
    do {
      self = try JSONCoding(precision: .full).decode(GroupBackup<Change>.self, from: data).content
    } catch let error as FileError {
      throw error
    } catch {
      throw FileError(
        .notABackup, "The data is not a backup of this group. Choose another file.", cause: error)
    }
  }
}

extension CollectionGroup {
  /// Replaces all elements by those of other content, such as a backup.
  ///
  /// A group without elements and changes has the other log, too, then. Otherwise the replacement is a
  /// change of its own log, which can be undone.
  /// - Returns: The logged change; `nil` if nothing has changed, or nothing was replaced.
  @discardableResult
  public func restore(_ content: GroupContent<Change>) async throws -> Change? {
    let current = try await self.content()
    guard current == GroupContent() else {
      return try await perform(.apply(current.edits(to: content)))
    }
    try await replaceAll(content)
    return nil
  }
}

extension GroupContent {
  /// Returns the edits that lead to other content.
  fileprivate func edits(to other: Self) -> [Change.Edit] {
    Change.Edit.elementTypes.flatMap { edits(of: $0, to: other) }
  }

  private func edits<Element: LoggedElement<Change.Edit>>(
    of type: Element.Type, to other: Self
  ) -> [Change.Edit] {
    self[type].edits(to: other[type])
  }
}

/// The form of a backup.
private struct GroupBackup<Change: LoggedChange> {
  var content: GroupContent<Change>

  private static var currentVersion: Int { 1 }
}

/// The version, or the name of a file.
private struct BackupKey: CodingKey {
  static let version = BackupKey(stringValue: "version")

  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
  /// Creates the key of a file. Its name may have further points before that of its extension.
  init(file: String) { stringValue = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file }
}

extension GroupBackup: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: BackupKey.self)
    try container.encode(Self.currentVersion, forKey: .version)
    for type in Change.Edit.elementTypes { try encode(type, in: &container) }
    try container.encode(content.changes, forKey: BackupKey(file: Change.fileName))
  }

  private func encode<Element: LoggedElement>(
    _ type: Element.Type, in container: inout KeyedEncodingContainer<BackupKey>
  ) throws {
    try container.encode(content[type], forKey: BackupKey(file: type.fileName))
  }
}

extension GroupBackup: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: BackupKey.self)
    let version = try container.decode(Int.self, forKey: .version)
    guard version <= Self.currentVersion else {
      throw FileError(
        .newerBackup, "A newer version has made the backup. Update the app to restore it.")
    }
    guard version >= 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container, debugDescription: "The first version is 1.")
    }
    content = GroupContent()
    for type in Change.Edit.elementTypes { try decode(type, in: container) }
    content.changes = try container.decode(
      ElementList<Change>.self, forKey: BackupKey(file: Change.fileName))
  }

  private mutating func decode<Element: LoggedElement>(
    _ type: Element.Type, in container: KeyedDecodingContainer<BackupKey>
  ) throws {
    content[type] = try container.decode(
      ElementList<Element>.self, forKey: BackupKey(file: type.fileName))
  }
}
