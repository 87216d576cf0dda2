/// A notice beside the content of a screen.
public struct Notice: Equatable, Sendable {
  /// The sentence to show.
  public let text: LocalizedText
  /// The places of entries that are left out, if the notice is about them.
  public let places: [StoredPlace]
  /// Whether the read may succeed if it is tried again.
  public let isRetryable: Bool

  private init(_ text: LocalizedText, places: [StoredPlace] = [], isRetryable: Bool = false) {
    self.text = text
    self.places = places
    self.isRetryable = isRetryable
  }

  /// Returns the notices for the errors of reading a screen. Unreadable entries come first, then
  /// the other errors, each in the order of occurrence.
  ///
  /// All unreadable entries of a table make one notice, which counts them. Equal notices appear
  /// once.
  ///
  /// - Parameter unreadableEntries: returns a sentence that counts the entries of a table that are
  ///   left out. Tables with the same sentence share a notice.
  public static func all(
    of errors: [AppError],
    unreadableEntries: (_ table: String?, _ count: Int) -> LocalizedText = { _, count in
      .unreadableEntries(count)
    }
  ) -> [Notice] {
    var kinds: [LocalizedText] = []
    var places: [LocalizedText: [StoredPlace]] = [:]
    var known: Set<StoredPlace> = []
    var others: [Notice] = []
    for error in errors {
      if case .database(.unreadable(let place)) = error {
        let kind = unreadableEntries(place.table, 1)
        if !kinds.contains(kind) { kinds.append(kind) }
        if known.insert(place).inserted { places[kind, default: []].append(place) }
      } else {
        let notice = Notice(error.localizedMessage, isRetryable: error.isRetryable)
        if !others.contains(notice) { others.append(notice) }
      }
    }
    return kinds.map { kind in
      let places = places[kind] ?? []
      return Notice(unreadableEntries(places.first?.table, places.count), places: places)
    } + others
  }
}

extension AppError {
  /// The error for a value that is shown already: an entry that becomes unreadable is not left out.
  public var forShownValue: AppError {
    if case .database(.unreadable) = self { .content(.unreadable) } else { self }
  }
}

extension LocalizedText {
  /// Returns a sentence about entries that are left out because they cannot be read.
  public static func unreadableEntries(_ count: Int) -> LocalizedText {
    .counted(
      count,
      en: .init(
        one: "# entry cannot be read and is left out.",
        other: "# entries cannot be read and are left out."),
      ru: .init(
        one: "# запись не читается и не показана.", few: "# записи не читаются и не показаны.",
        many: "# записей не читаются и не показаны."))
  }
}
