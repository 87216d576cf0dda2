import OffshoreFiles
import OffshorePresentation

/// The settings of the device, and the engines, as features use them.
///
/// A closure that is left out reports its name when it is used, such as `settings.load`, and does nothing else.
package struct SettingsClient: Sendable {
  package var load: @Sendable () async throws -> AppSettings
  package var save: @Sendable (AppSettings) async throws -> Void
  /// Counts the records of the chosen engine.
  package var count: @Sendable () async throws -> RecordCounts
  /// Moves all records to an engine, and chooses it.
  package var move: @Sendable (StorageEngine) async throws -> RecordCounts

  package init(
    load: (@Sendable () async throws -> AppSettings)? = nil,
    save: (@Sendable (AppSettings) async throws -> Void)? = nil,
    count: (@Sendable () async throws -> RecordCounts)? = nil,
    move: (@Sendable (StorageEngine) async throws -> RecordCounts)? = nil
  ) {
    self.load = load ?? { Self.report("load", AppSettings()) }
    self.save = save ?? { _ in Self.report("save", ()) }
    self.count = count ?? { Self.report("count", RecordCounts()) }
    self.move = move ?? { _ in Self.report("move", RecordCounts()) }
  }

  @Sendable private static func report<Value>(_ name: String, _ value: Value) -> Value {
    DependencyValues.current.reportUnset("settings.\(name)")
    return value
  }

  /// Creates the client of a data folder.
  package init(_ storage: ScheduleStorage) {
    self.init(
      load: { try await storage.settings.load() }, save: { try await storage.settings.save($0) },
      count: { try await storage.repository().counts() },
      move: { try await storage.move(to: $0) })
  }
}

private enum SettingsKey: DependencyKey {
  static let liveValue = SettingsClient(ScheduleStorage())
  static let previewValue = SettingsClient(
    load: { AppSettings() }, save: { _ in }, count: { RecordCounts() },
    move: { _ in RecordCounts() })
  static var testValue: SettingsClient? { SettingsClient() }
}

extension DependencyValues {
  /// The settings of the device, and the engines.
  package var settings: SettingsClient {
    get { self[SettingsKey.self] }
    set { self[SettingsKey.self] = newValue }
  }
}
