/// The engine that stores the elements of a ``CollectionGroup``.
public enum StorageEngine: String, CaseIterable, Sendable, Codable {
  /// JSON files: a ``FileGroup``.
  case files
  /// JSON files whose elements are shared in memory: a ``SharedGroup``.
  case shared
  /// A database: a ``TableGroup``.
  case database
}
