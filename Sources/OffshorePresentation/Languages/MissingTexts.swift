import Synchronization

/// The texts that a language lacks, collected while an app's pages are shown in it.
///
/// An app's test of a language that the app adds:
///
/// ```swift
/// let missing = MissingTexts()
/// let german = Language.german.recording(missing)
/// // … show every page in `german` …
/// #expect(missing.keys == [])
/// ```
///
/// It holds the missing texts of shown pages only, so the test has to show all pages, and all errors.
public final class MissingTexts: Sendable {
  private let found = Mutex<Set<String>>([])

  /// A collection without texts.
  public init() {}

  /// The keys that the language's translations lack, sorted.
  public var keys: [String] { found.withLock { $0.sorted() } }

  func insert(_ key: String) { found.withLock { _ = $0.insert(key) } }
}
