public import OffshorePresentation

/// Something that a screen says beside what it shows.
public struct Notice: Equatable, Sendable {
  /// What it says, in a sentence.
  public let text: LocalizedText
  /// Where the entries are stored that are left out, where it is about such.
  public let places: [StoredPlace]
  /// Whether reading again may help.
  public let isRetryable: Bool

  private init(_ text: LocalizedText, places: [StoredPlace] = [], isRetryable: Bool = false) {
    self.text = text
    self.places = places
    self.isRetryable = isRetryable
  }

  /// Makes notices of what went wrong while a screen was read, in that order.
  ///
  /// All entries of a kind that cannot be read make one notice, which counts them. What would be said
  /// twice is said once.
  public static func all(of errors: [AppError]) -> [Notice] {
    var kinds: [LeftOutEntries] = []
    var places: [LeftOutEntries: [StoredPlace]] = [:]
    var known: Set<StoredPlace> = []
    var others: [Notice] = []
    for error in errors {
      if case .database(.unreadable(let place)) = error {
        let kind = LeftOutEntries(of: place)
        if !kinds.contains(kind) { kinds.append(kind) }
        if known.insert(place).inserted { places[kind, default: []].append(place) }
      } else {
        let notice = Notice(error.localizedMessage, isRetryable: error.isRetryable)
        if !others.contains(notice) { others.append(notice) }
      }
    }
    return kinds.map { kind in
      let places = places[kind] ?? []
      return Notice(kind.text(places.count), places: places)
    } + others
  }
}

extension AppError {
  /// The error as to what shows already: what cannot be read any more is not left out.
  var ofShown: AppError {
    if case .database(.unreadable) = self { .content(.unreadable) } else { self }
  }
}
