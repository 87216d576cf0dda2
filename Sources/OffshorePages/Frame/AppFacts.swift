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
  /// The command that starts the app with a server.
  public var serverCommand: String
  /// The place of another device in a sentence, such as “on another phone”.
  public var elsewhere: LocalizedText

  /// Creates the facts about an app.
  public init(
    version: String = "0.1.0", purpose: LocalizedText? = nil, licence: LocalizedText? = nil,
    kinds: [String: LocalizedText] = [:], serverCommand: String = "--server URL",
    elsewhere: LocalizedText = LocalizedText(en: "on another device", ru: "на другом устройстве")
  ) {
    self.version = version
    self.purpose = purpose
    self.licence = licence
    self.kinds = kinds
    self.serverCommand = serverCommand
    self.elsewhere = elsewhere
  }
}
