public import OffshorePresentation

/// Facts about an app that are shown on its pages.
public struct AppFacts: Sendable {
  let version: String
  let purpose: LocalizedText?
  let licence: LocalizedText?
  let kinds: [String: LocalizedText]
  let countedFields: [CountedField]
  let serverCommand: String
  let elsewhere: LocalizedText

  /// Creates the facts about an app.
  ///
  /// - Parameters:
  ///   - version: the version, by [Semantic Versioning](https://semver.org/spec/v2.0.0.html).
  ///   - purpose: the purpose of the app, in a sentence or two.
  ///   - licence: the licence of the app, in a sentence.
  ///   - kinds: the nouns for rows by table, such as “Item” for `items`. The page of syncing shows
  ///     them with the changes of rows.
  ///   - countedFields: the fields whose refused changes are counted by a noun of their own, in the
  ///     order of a sentence. If a table has such fields, only their changes are counted.
  ///   - serverCommand: the command that starts the app with a server.
  ///   - elsewhere: the place of another device in a sentence, such as “on another phone”.
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
  /// A field whose changes are counted by a noun of their own, such as “2 ticks” for two changes of
  /// `isDone`.
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

    /// Creates a counted field.
    ///
    /// - Parameters:
    ///   - table: the name of the table.
    ///   - column: the name of the column.
    ///   - text: returns a number of changes in words.
    public init(
      _ table: String, _ column: String, text: @escaping @Sendable (Int) -> LocalizedText
    ) {
      self.table = table
      self.column = column
      self.text = text
    }
  }
}
