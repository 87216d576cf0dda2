/// A notice beside the content of a screen.
public struct Notice: Equatable, Sendable {
  /// The notice, in a sentence.
  public let text: LocalizedText
  /// The places of the entries that are left out, if the notice is about such.
  public let places: [StoredPlace]
  /// Whether reading again may help.
  public let isRetryable: Bool

  private init(_ text: LocalizedText, places: [StoredPlace] = [], isRetryable: Bool = false) {
    self.text = text
    self.places = places
    self.isRetryable = isRetryable
  }

  /// Makes notices of the errors that occurred while a screen was read, in their order.
  ///
  /// All entries of a table that cannot be read make one notice, which counts them. A notice that would be
  /// there twice is there once.
  ///
  /// - Parameter leftOut: a sentence that counts the entries of a table that are left out. Tables with one
  ///   sentence share a notice.
  public static func all(
    of errors: [AppError],
    leftOut: (_ table: String?, _ count: Int) -> LocalizedText = { _, count in .leftOut(count) }
  ) -> [Notice] {
    var kinds: [LocalizedText] = []
    var places: [LocalizedText: [StoredPlace]] = [:]
    var known: Set<StoredPlace> = []
    var others: [Notice] = []
    for error in errors {
      if case .database(.unreadable(let place)) = error {
        let kind = leftOut(place.table, 1)
        if !kinds.contains(kind) { kinds.append(kind) }
        if known.insert(place).inserted { places[kind, default: []].append(place) }
      } else {
        let notice = Notice(error.localizedMessage, isRetryable: error.isRetryable)
        if !others.contains(notice) { others.append(notice) }
      }
    }
    return kinds.map { kind in
      let places = places[kind] ?? []
      return Notice(leftOut(places.first?.table, places.count), places: places)
    } + others
  }
}

extension AppError {
  /// The error of a value that is shown already: an entry that cannot be read any more is not left out.
  public var ofShown: AppError {
    if case .database(.unreadable) = self { .content(.unreadable) } else { self }
  }
}

extension LocalizedText {
  /// That entries are left out because they cannot be read.
  public static func leftOut(_ count: Int) -> LocalizedText {
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
