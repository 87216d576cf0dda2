public import Observation
public import Offshore
public import OffshoreSync

/// Text that a user is writing, which the device stores until it is saved or discarded.
///
/// ```swift
/// let text = KeptText("note-\(id)", in: store)
/// await text.load()
/// text.text  // the text from before a restart
/// try await text.keep(typed)  // shortly after the user has typed
/// try await store.write { writer in
///   try note.insert(writer)
///   try KeptText.remove("note-\(id)", writer)  // together with the saved row, or not at all
/// }
/// await text.clear()
/// ```
///
/// The text is a setting of the store, whose name is ``settingPrefix`` and the key. It is not synced,
/// and `SyncedStore.erase()` removes it. All pages with a key have the same text, and the last
/// writer wins: ``text`` changes when another page stores or removes the text, but not by
/// ``keep(_:)`` of this object, so that a page with the field is not updated by its own user's
/// typing.
@MainActor @Observable
public final class KeptText {
  /// The beginning of the names of the settings with kept texts, which other settings must not have.
  public nonisolated static let settingPrefix = "draft."

  /// The text for the field: the stored one when this object was loaded, or when another page
  /// changed it last; empty without one.
  public private(set) var text = ""
  /// The error of the latest read, or `nil`.
  public private(set) var loadError: AppError?

  @ObservationIgnored private let name: String
  @ObservationIgnored private let store: SyncedStore
  /// The text that this object has shown or stored last.
  @ObservationIgnored private var known = ""
  /// The text that has arrived last, or `nil` before the first arrival.
  @ObservationIgnored private var latest: String?
  /// The number of texts that are being stored. Until they have arrived, earlier ones may arrive.
  @ObservationIgnored private var writeCount = 0
  @ObservationIgnored private lazy var live = makeLive()

  /// Creates the text with a key, such as the id of the row that it belongs to. Nothing is read
  /// before ``load()``.
  public init(_ key: String, in store: SyncedStore) {
    name = Self.settingName(key)
    self.store = store
  }

  /// Reads the stored text, and observes it from then on.
  ///
  /// If that fails, the text is empty, and ``loadError`` has the reason.
  public func load() async { await live.load() }

  /// Stores a text in place of the former one, or removes it if the text is empty.
  /// - Throws: `AppError` if it cannot be stored. The former one is still stored then.
  public func keep(_ text: String) async throws {
    let former = known
    known = text
    writeCount += 1
    do {
      try await store.set(name, to: text.isEmpty ? nil : text)
      if text.isEmpty { self.text = "" }
      await live.catchUp()
      endWrite()
    } catch {
      if known == text { known = former }
      endWrite()
      throw error.asAppError
    }
  }

  /// Removes the stored text, and empties the field.
  /// - Throws: `AppError` if it cannot be removed.
  public func remove() async throws { try await keep("") }

  /// Empties the field after ``remove(_:_:)``. It writes nothing, and so cannot fail.
  public func clear() async {
    (known, text) = ("", "")
    writeCount += 1
    await live.catchUp()
    endWrite()
  }

  /// Removes the text with a key in a transaction, such as the one that saves it.
  ///
  /// Call ``clear()`` afterwards, so that the page shows an empty field at once.
  /// - Throws: `DatabaseError`.
  public nonisolated static func remove(_ key: String, _ writer: Writer) throws {
    try SQL("DELETE FROM settings WHERE name = \(settingName(key))").run(writer)
  }

  private nonisolated static func settingName(_ key: String) -> String { settingPrefix + key }

  // MARK: - Arrivals

  private func makeLive() -> Live<String> {
    let values: @MainActor () -> any AsyncSequence<String, any Error> = { [store, name] in
      store.values { reader in
        try SQL("SELECT value FROM settings WHERE name = \(name)").first(reader, as: String.self)
          ?? ""
      }
    }
    return Live<String>(values) { [weak self] (arrival: Result<String, any Error>, _) in
      self?.receive(arrival)
      return nil
    }
  }

  private func receive(_ arrival: Result<String, any Error>) {
    switch arrival {
    case .success(let stored):
      loadError = nil
      latest = stored
      showLatest()
    case .failure(let error): loadError = error.asAppError
    }
  }

  private func endWrite() {
    writeCount -= 1
    showLatest()
  }

  /// Shows the text that has arrived last, if another page has stored it.
  private func showLatest() {
    guard writeCount == 0, let latest, latest != known else { return }
    (known, text) = (latest, latest)
  }
}
