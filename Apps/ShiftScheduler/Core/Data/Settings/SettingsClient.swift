package import OffshoreFiles
import OffshorePresentation

/// The settings of the device, and the engines, as features use them.
///
/// A closure that is left out reports its name when it is used, such as `settings.load`, and does nothing else.
package struct SettingsClient: Sendable {
  package var load: @Sendable () async throws -> AppSettings = {
    DependencyValues.unset("settings.load", AppSettings())
  }
  /// Counts the records of the chosen engine.
  package var count: @Sendable () async throws -> RecordCounts = {
    DependencyValues.unset("settings.count", RecordCounts())
  }
  /// Moves all records to an engine, and chooses it.
  package var move: @Sendable (StorageEngine) async throws -> RecordCounts = { _ in
    DependencyValues.unset("settings.move", RecordCounts())
  }
}

extension SettingsClient {
  /// Creates the client of a data folder.
  package init(_ storage: ScheduleStorage) {
    self.init(
      load: { try await storage.settings.load() },
      count: { try await storage.repository().counts() },
      move: { try await storage.move(to: $0) })
  }
}

private enum SettingsKey: DependencyKey {
  static let liveValue = SettingsClient(ScheduleStorage())
  static let previewValue = SettingsClient(
    load: { AppSettings() }, count: { RecordCounts() }, move: { _ in RecordCounts() })
  static var testValue: SettingsClient? { SettingsClient() }
}

extension DependencyValues {
  /// The settings of the device, and the engines.
  package var settings: SettingsClient {
    get { self[SettingsKey.self] }
    set { self[SettingsKey.self] = newValue }
  }
}
