public import Offshore

/// The location of a ``Shared`` value: a file, memory, or a row of a database.
///
/// | location | stored as |
/// | --- | --- |
/// | `.file(path)` | a ``JSONDocument``, or a ``JSONCollection`` if it is an array of elements with ids |
/// | `.file(name, in: folder)` | a document of a ``DocumentFolder``, which may be in memory |
/// | `.row(id, in: database)` | the row of a table |
/// | `.memory(name)` | nothing: the value exists as long as an object refers to it |
public struct SharedLocation<Value: Sendable>: Sendable {
  /// The name of the location in this process.
  let key: String
  /// The name of the locations that are stored together.
  let group: String
  /// Returns the folder of the group; `nil` if it is not a folder.
  let makeFolder: @Sendable () -> DocumentFolder?
  /// Returns the place of a value with a default, in the folder of its group.
  let makePlace: @Sendable (Value, DocumentFolder?) -> any SharedPlace<Value>

  /// A value in the memory of this process, by a name.
  public static func memory(_ name: String) -> Self {
    Self(
      key: "memory \(name)", group: "memory \(name)", makeFolder: { nil },
      makePlace: { value, _ in MemoryPlace(value) })
  }
}

// MARK: - Files

extension SharedLocation where Value: Codable {
  // NB: Disfavored, because the compiler would prefer it to that of a collection, which is generic.

  /// A file, by its path.
  @_disfavoredOverload
  public static func file(
    _ path: String, configuration: JSONConfiguration = JSONConfiguration(),
    upgrades: [DocumentUpgrade] = []
  ) -> Self {
    let format = DocumentFormat<Value>(configuration: configuration, upgrades: upgrades)
    return Self(path, nil, format, FileForm(default: { $0 }, pack: { $0 }, unpack: { $0 }))
  }

  /// A file in a folder, by its name.
  @_disfavoredOverload
  public static func file(
    _ name: String, in folder: DocumentFolder,
    configuration: JSONConfiguration = JSONConfiguration(), upgrades: [DocumentUpgrade] = []
  ) -> Self {
    let format = DocumentFormat<Value>(configuration: configuration, upgrades: upgrades)
    return Self(name, folder, format, FileForm(default: { $0 }, pack: { $0 }, unpack: { $0 }))
  }
}

extension SharedLocation {
  /// A file with the elements of a collection, by its path.
  public static func file<Element>(
    _ path: String, configuration: JSONConfiguration = JSONConfiguration(),
    upgrades: [DocumentUpgrade] = []
  ) -> Self
  where Value == [Element], Element: Codable & Identifiable & Sendable, Element.ID: Sendable {
    let format = DocumentFormat<ElementList<Element>>(
      configuration: configuration, upgrades: upgrades)
    return Self(path, nil, format, FileForm.elements())
  }

  /// A file in a folder with the elements of a collection, by its name.
  public static func file<Element>(
    _ name: String, in folder: DocumentFolder,
    configuration: JSONConfiguration = JSONConfiguration(), upgrades: [DocumentUpgrade] = []
  ) -> Self
  where Value == [Element], Element: Codable & Identifiable & Sendable, Element.ID: Sendable {
    let format = DocumentFormat<ElementList<Element>>(
      configuration: configuration, upgrades: upgrades)
    return Self(name, folder, format, FileForm.elements())
  }

  /// - Parameters:
  ///   - path: The path of the file, or its name in the folder.
  ///   - folder: The folder, or `nil` for the one of the path.
  private init<Stored: Codable & Sendable>(
    _ path: String, _ folder: DocumentFolder?, _ format: DocumentFormat<Stored>,
    _ form: FileForm<Value, Stored>
  ) {
    let (parent, name) = (path.absolutePath.parentPath, path.fileName)
    group = folder.map { "folder \(ObjectIdentifier($0))" } ?? "folder \(parent)"
    key = "\(group) \(folder == nil ? name : path)"
    makeFolder = { folder ?? DocumentFolder(parent) }
    makePlace = { defaultValue, group in
      FilePlace(
        JSONDocument(
          group ?? DocumentFolder(parent), folder == nil ? name : path,
          form.makeDefault(defaultValue), format),
        form)
    }
  }
}

// MARK: - Rows

extension SharedLocation
where Value: Record & Identifiable & Equatable, Value.ID: Sendable {
  /// The row of a table, by its id. The changes must not change the id, which the default value has,
  /// too.
  public static func row(_ id: Value.ID, in database: Database) -> Self {
    let name = "row \(ObjectIdentifier(database)) \(Value.table.name) \(id)"
    return Self(
      key: name, group: name, makeFolder: { nil },
      makePlace: { defaultValue, _ in RowPlace(database, id, defaultValue) })
  }
}
