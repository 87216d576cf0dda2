public import OffshorePresentation

/// Facts about an app that are shown on its pages.
public struct AppFacts: Sendable {
  /// The version, by [Semantic Versioning](https://semver.org/spec/v2.0.0.html).
  public var version: String
  /// The purpose of the app, in a sentence or two.
  public var purpose: LocalizedText?
  /// The licence of the app, in a sentence.
  public var licence: LocalizedText?
  /// The names of rows by table: “Item” for a row of `items`.
  ///
  /// The page of syncing uses them in the names of changes.
  public var kinds: [String: LocalizedText]
  /// The fields whose changes are counted by a name of their own, in the order of a sentence.
  ///
  /// Of a table with such a field, only changes of these are counted.
  public var countedFields: [CountedField]
  /// The command that starts the app with a server.
  public var serverCommand: String
  /// The place of another device in a sentence, such as “on another phone”.
  public var elsewhere: LocalizedText

  /// Creates the facts about an app.
  public init(
    version: String = "0.1.0", purpose: LocalizedText? = nil, licence: LocalizedText? = nil,
    kinds: [String: LocalizedText] = [:], countedFields: [CountedField] = [],
    serverCommand: String = "--server URL",
    elsewhere: LocalizedText = LocalizedText(en: "on another device", ru: "на другом устройстве")
  ) {
    self.version = version
    self.purpose = purpose
    self.licence = licence
    self.kinds = kinds
    self.countedFields = countedFields
    self.serverCommand = serverCommand
    self.elsewhere = elsewhere
  }
}

extension AppFacts {
  /// A field whose changes are counted by a name of their own: “2 ticks” for two changes of `isDone`.
  ///
  /// ```swift
  /// AppFacts.CountedField("items", "isDone") { count in
  ///   .counted(
  ///     count, en: .init(one: "# tick", other: "# ticks"),
  ///     ru: .init(one: "# отметка", few: "# отметки", many: "# отметок"))
  /// }
  /// ```
  public struct CountedField: Sendable {
    let table: String
    let column: String
    let text: @Sendable (Int) -> LocalizedText

    /// Names the changes of a column.
    /// - Parameter text: returns a number of changes in words.
    public init(
      _ table: String, _ column: String, text: @escaping @Sendable (Int) -> LocalizedText
    ) {
      self.table = table
      self.column = column
      self.text = text
    }
  }
}
