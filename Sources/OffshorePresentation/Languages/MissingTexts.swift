import Synchronization

/// The texts that a language lacks, collected while an app's pages are rendered in it.
///
/// A test of a language that the app adds:
///
/// ```swift
/// let missing = MissingTexts()
/// let german = Language.german.recording(missing)
/// // … render every page in `german` …
/// #expect(missing.keys == [])
/// ```
///
/// It records missing texts of rendered pages only, so the test has to render all pages and all
/// errors.
public final class MissingTexts: Sendable {
  private let found = Mutex<Set<String>>([])

  /// Creates an empty collection.
  public init() {}

  /// The keys that are missing in the language's translations, sorted.
  public var keys: [String] { found.withLock { $0.sorted() } }

  func insert(_ key: String) { found.withLock { _ = $0.insert(key) } }
}
