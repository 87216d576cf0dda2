/// The reason why a record that was entered is not stored.
package enum EntryProblem: Error, Equatable, Sendable {
  /// A required field is blank.
  case missing(field: String)
  /// A text has more characters than allowed.
  case tooLong(field: String, maximum: Int)
  /// The symbol is not one emoji or letter.
  case notOneSymbol
  /// The overtime is negative, or longer than a day.
  case overtimeOutOfRange
}

extension EntryProblem {
  package static let nameLimit = 80
  package static let textLimit = 2_000
  package static let overtimeRange = 0...1_440

  fileprivate static func check(
    _ text: String, _ field: String, limit: Int, isRequired: Bool = false
  ) throws(EntryProblem) {
    if isRequired, text.allSatisfy(\.isWhitespace) { throw .missing(field: field) }
    // NB: A character can have any number of scalars.
    guard text.unicodeScalars.count <= limit else { throw .tooLong(field: field, maximum: limit) }
  }
}

extension Location {
  /// Checks the texts.
  /// - Throws: ``EntryProblem``.
  package func check() throws(EntryProblem) {
    try EntryProblem.check(name, "name", limit: EntryProblem.nameLimit, isRequired: true)
    try EntryProblem.check(address, "address", limit: EntryProblem.textLimit)
  }
}

extension Team {
  /// Checks the name.
  /// - Throws: ``EntryProblem``.
  func check() throws(EntryProblem) {
    try EntryProblem.check(name, "name", limit: EntryProblem.nameLimit, isRequired: true)
  }
}

extension ShiftType {
  /// The number of scalars of the longest emoji, such as a family with skin tones.
  private static let symbolLimit = 16

  /// Checks the texts.
  /// - Throws: ``EntryProblem``.
  package func check() throws(EntryProblem) {
    try EntryProblem.check(symbol, "symbol", limit: EntryProblem.textLimit, isRequired: true)
    guard symbol.count == 1, symbol.unicodeScalars.count <= Self.symbolLimit else {
      throw .notOneSymbol
    }
    try EntryProblem.check(title, "title", limit: EntryProblem.nameLimit, isRequired: true)
    try EntryProblem.check(description, "description", limit: EntryProblem.textLimit)
  }
}

extension ScheduledShift {
  /// Checks the note and the overtime.
  /// - Throws: ``EntryProblem``.
  package func check() throws(EntryProblem) {
    try EntryProblem.check(note, "note", limit: EntryProblem.textLimit)
    guard EntryProblem.overtimeRange.contains(overtimeMinutes) else { throw .overtimeOutOfRange }
  }
}
