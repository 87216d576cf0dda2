/// A ``CollectionGroup`` in JSON files of one folder: one for each type of element, and one for the log.
///
/// A change of several files is stored whole or not at all. A file that cannot be read is set aside, and
/// loading it throws ``FileError`` with the code `corrupted` until it is restored or replaced.
public final class FileGroup<Change: LoggedChange>: CollectionGroup {
  /// The folder of the files.
  public let folder: DocumentFolder
  private let members: GroupMembers
  private let log: JSONCollection<Change>
  private let stamp: ChangeStamp

  /// Creates a group of the files in a folder. Nothing is created before the first change.
  public init(
    _ folder: DocumentFolder, configuration: JSONConfiguration = JSONConfiguration(),
    stamp: ChangeStamp = ChangeStamp()
  ) {
    func collection<Element: LoggedElement>(_ type: Element.Type) -> any Sendable {
      folder.collection(type.fileName, of: type, configuration: configuration)
    }
    self.folder = folder
    self.stamp = stamp
    members = GroupMembers(Change.Edit.self) { collection($0) }
    log = folder.collection(Change.fileName, configuration: configuration)
  }

  private func collection<Element: LoggedElement>(
    _ type: Element.Type
  ) throws -> JSONCollection<Element> {
    try members.store(of: type, as: JSONCollection<Element>.self)
  }

  // MARK: - Loading

  public func load<Element: LoggedElement<Change.Edit>>(
    _ type: Element.Type
  ) async throws -> [Element] {
    try await collection(type).load()
  }

  public func loadChanges() async throws -> [Change] { try await log.load() }

  public func content() async throws -> GroupContent<Change> {
    try await folder.read { update in
      var content = GroupContent<Change>()
      for type in Change.Edit.elementTypes { try reload(type, into: &content, update) }
      content.changes = try update.stored(log)
      return content
    }
  }

  private func reload<Element: LoggedElement>(
    _ type: Element.Type, into content: inout GroupContent<Change>, _ update: FolderUpdate
  ) throws {
    content[type] = try update.stored(collection(type))
  }

  // MARK: - Changing

  public func replaceLoaded<Element: LoggedElement<Change.Edit>>(
    _ elements: [Element]
  ) async throws {
    let collection = try collection(Element.self)
    try await folder.update { update in
      // A damaged file that was set aside has no elements to compare with.
      let before = (try? update.elements(of: collection)) ?? ElementList()
      try update.replaceLoaded(elements, in: collection)
      let edits = before.edits(to: try update.elements(of: collection))
      if !edits.isEmpty { try update.change(log) { $0.log(stamp.change(edits)) } }
    }
  }

  @discardableResult
  public func perform(_ change: ElementChange<Change.Edit>) async throws -> Change? {
    try await folder.update { update in
      var content = GroupContent<Change>()
      for type in change.types { try read(type, into: &content, update) }
      guard let made = try content.make(change, stamp) else { return nil }
      for type in change.types { try store(type, of: content, update) }
      try update.change(log) { $0.log(made) }
      return made
    }
  }

  public func replaceAll(_ content: GroupContent<Change>) async throws {
    try await folder.update { update in
      for type in Change.Edit.elementTypes { try replaceAll(type, by: content, update) }
      try update.replaceAll(Array(content.changes), in: log)
    }
  }

  private func read<Element: LoggedElement>(
    _ type: Element.Type, into content: inout GroupContent<Change>, _ update: FolderUpdate
  ) throws {
    content[type] = try update.elements(of: collection(type))
  }

  private func store<Element: LoggedElement>(
    _ type: Element.Type, of content: GroupContent<Change>, _ update: FolderUpdate
  ) throws {
    try update.change(collection(type)) { $0 = content[type] }
  }

  private func replaceAll<Element: LoggedElement>(
    _ type: Element.Type, by content: GroupContent<Change>, _ update: FolderUpdate
  ) throws {
    try update.replaceAll(Array(content[type]), in: collection(type))
  }

  // MARK: - Damaged files

  /// The names of the files: one for each type of element, and that of the log.
  public var fileNames: [String] {
    Change.Edit.elementTypes.map { $0.fileName } + [Change.fileName]
  }

  /// Loads a file, to find out whether it is damaged. Its elements do not count as loaded; see
  /// ``replaceLoaded(_:)``.
  /// - Throws: ``FileError``: `misuse` if the file is not one of the group; or as
  ///   ``JSONDocument/load()`` does.
  public func check(_ name: String) async throws { try await file(name).check() }

  /// Puts the last good copy in the place of a damaged file.
  /// - Parameter name: The name of the file, such as that of the log.
  /// - Throws: ``FileError``: `noCopy` if there is no good copy; `misuse` if the file is not one of the
  ///   group; or as ``JSONDocument/save(_:)`` does.
  public func restoreLastGoodCopy(of name: String) async throws {
    try await file(name).restore()
  }

  /// Stores an empty file in the place of a damaged one, which stays aside. A file that can be loaded
  /// stays as it is.
  /// - Throws: ``FileError``: `misuse` if the file is not one of the group; or as
  ///   ``JSONDocument/save(_:)`` does.
  public func restart(_ name: String) async throws { try await file(name).restart() }

  private func file(_ name: String) throws -> any RestorableFile {
    for type in Change.Edit.elementTypes where type.fileName == name { return try file(of: type) }
    guard name == Change.fileName else {
      throw FileError(.misuse, "“\(name)” is not a file of the group. Pass the name of one.")
    }
    return log
  }

  private func file<Element: LoggedElement>(of type: Element.Type) throws -> any RestorableFile {
    try collection(type)
  }

  // MARK: - Observation

  public func signals<Element: LoggedElement<Change.Edit>>(
    of type: Element.Type
  ) -> StoredValues<Void> {
    StoredValues { try collection(type).document.values() }
  }

  public func changeSignals() -> StoredValues<Void> { StoredValues { log.document.values() } }
}

/// A file with elements of any type.
private protocol RestorableFile: Sendable {
  func check() async throws
  func restore() async throws
  func restart() async throws
}

extension JSONCollection: RestorableFile {
  // NB: The document is used, because its elements are not shown to the user of the collection.
  fileprivate func check() throws { _ = try document.assumeIsolated { try $0.load() } }
  fileprivate func restore() throws {
    _ = try document.assumeIsolated { try $0.restoreLastGoodCopy() }
  }

  fileprivate func restart() throws {
    try folder.assumeIsolated { folder in
      try folder.update { update in
        do {
          // With the lock, because it may have been restored meanwhile.
          _ = try update.elements(of: self)
        } catch let error as FileError where error.code == .corrupted {
          try update.replaceAll([], in: self)
        }
      }
    }
  }
}
