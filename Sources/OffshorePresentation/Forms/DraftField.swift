import Foundation
public import OffshoreCalendar

/// A field of a form: its label, how a value shows as text, and how text becomes a value.
///
/// ```swift
/// let fields: [DraftField<PackingList>] = [
///   .line("title", \.title, label: .title, limit: 80, isRequired: true),
///   .number("bags", \.bags, label: .bags, in: 0...20),
/// ]
/// ```
///
/// A form is the list of its fields. A page renders them, a ``Draft`` holds what is typed into them.
public struct DraftField<Entry: Sendable>: Sendable {
  /// The control that the field is shown as.
  public enum Kind: Sendable {
    /// One line of text.
    case line
    /// Several lines of text.
    case text(rows: Int)
    /// A whole number.
    case number
    /// A day, written `yyyy-MM-dd`.
    case day
    /// A box to tick, written `on` or empty.
    case check
    /// One of several values, each with its label.
    case choice([(value: String, label: LocalizedText)])
  }

  /// The name under which the text is sent, as in the source code.
  public let name: String
  /// The label beside the field.
  public let label: LocalizedText
  /// A hint below the label.
  public let hint: LocalizedText?
  /// The control that the field is shown as.
  public let kind: Kind
  /// Whether the field must be filled in.
  public let isRequired: Bool
  let text: @Sendable (Entry) -> String
  private let write: @Sendable (String, inout Entry) throws(ValidationError) -> Void

  /// Declares a field.
  ///
  /// - Parameters:
  ///   - text: the value as text.
  ///   - write: parses text and stores the value; throws if the text is not valid. It is not called with an
  ///     empty text if the field is required.
  public init(
    _ name: String, label: LocalizedText, hint: LocalizedText? = nil, kind: Kind = .line,
    isRequired: Bool = false, text: @escaping @Sendable (Entry) -> String,
    write: @escaping @Sendable (String, inout Entry) throws(ValidationError) -> Void
  ) {
    self.name = name
    self.label = label
    self.hint = hint
    self.kind = kind
    self.isRequired = isRequired
    self.text = text
    self.write = write
  }

  /// Stores what is typed, and returns a sentence if it is not valid.
  func store(_ text: String, in entry: inout Entry) -> LocalizedText? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if isRequired, text.isEmpty { return .fillIn }
    do throws(ValidationError) {
      try write(text, &entry)
      return nil
    } catch {
      let names = FieldNames.common.adding([name: label])
      return AppError.validation(error).localizedMessage(naming: names)
    }
  }
}

// MARK: - Kinds of fields

extension DraftField {
  /// A text of one line.
  /// - Parameter limit: the most characters that it may have.
  public static func line(
    _ name: String, _ property: any WritableKeyPath<Entry, String> & Sendable, label: LocalizedText,
    hint: LocalizedText? = nil, limit: Int = 200, isRequired: Bool = false
  ) -> DraftField {
    DraftField(name, label: label, hint: hint, isRequired: isRequired) {
      $0[keyPath: property]
    } write: { text, entry throws(ValidationError) in
      entry[keyPath: property] = try text.checked(name, limit)
    }
  }

  /// A text of one line that may be missing: an empty one is stored as `nil`.
  /// - Parameter limit: the most characters that it may have.
  public static func line(
    _ name: String, _ property: any WritableKeyPath<Entry, String?> & Sendable,
    label: LocalizedText,
    hint: LocalizedText? = nil, limit: Int = 200
  ) -> DraftField {
    DraftField(name, label: label, hint: hint) {
      $0[keyPath: property] ?? ""
    } write: { text, entry throws(ValidationError) in
      let text = try text.checked(name, limit)
      entry[keyPath: property] = text.isEmpty ? nil : text
    }
  }

  /// A text of several lines.
  /// - Parameters:
  ///   - rows: the lines that are shown at once.
  ///   - limit: the most characters that it may have.
  public static func text(
    _ name: String, _ property: any WritableKeyPath<Entry, String> & Sendable, label: LocalizedText,
    hint: LocalizedText? = nil, rows: Int = 5, limit: Int = 10_000, isRequired: Bool = false
  ) -> DraftField {
    DraftField(name, label: label, hint: hint, kind: .text(rows: rows), isRequired: isRequired) {
      $0[keyPath: property]
    } write: { text, entry throws(ValidationError) in
      entry[keyPath: property] = try text.checked(name, limit)
    }
  }

  /// A whole number in a range.
  public static func number(
    _ name: String, _ property: any WritableKeyPath<Entry, Int> & Sendable, label: LocalizedText,
    hint: LocalizedText? = nil, in range: ClosedRange<Int>
  ) -> DraftField {
    DraftField(name, label: label, hint: hint, kind: .number, isRequired: true) {
      "\($0[keyPath: property])"
    } write: { text, entry throws(ValidationError) in
      guard let number = Int(text), range.contains(number) else { throw .outOfRange(field: name) }
      entry[keyPath: property] = number
    }
  }

  /// A day.
  public static func day(
    _ name: String, _ property: any WritableKeyPath<Entry, CalendarDay> & Sendable,
    label: LocalizedText, hint: LocalizedText? = nil
  ) -> DraftField {
    DraftField(name, label: label, hint: hint, kind: .day, isRequired: true) {
      "\($0[keyPath: property])"
    } write: { text, entry throws(ValidationError) in
      guard let day = CalendarDay(text) else { throw .outOfRange(field: name) }
      entry[keyPath: property] = day
    }
  }

  /// A box to tick.
  public static func check(
    _ name: String, _ property: any WritableKeyPath<Entry, Bool> & Sendable, label: LocalizedText,
    hint: LocalizedText? = nil
  ) -> DraftField {
    DraftField(name, label: label, hint: hint, kind: .check) {
      $0[keyPath: property] ? "on" : ""
    } write: { text, entry throws(ValidationError) in
      entry[keyPath: property] = text == "on"
    }
  }

  /// One of the cases of an enumeration.
  /// - Parameter title: the label of a case.
  public static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ name: String, _ property: any WritableKeyPath<Entry, Choice> & Sendable, label: LocalizedText,
    hint: LocalizedText? = nil, title: (Choice) -> LocalizedText
  ) -> DraftField where Choice.RawValue == String {
    let choices = Choice.allCases.map { (value: $0.rawValue, label: title($0)) }
    return DraftField(name, label: label, hint: hint, kind: .choice(choices)) {
      $0[keyPath: property].rawValue
    } write: { text, entry throws(ValidationError) in
      guard let choice = Choice(rawValue: text) else { throw .outOfRange(field: name) }
      entry[keyPath: property] = choice
    }
  }

  /// Texts with commas between them, each once.
  public static func list(
    _ name: String, _ property: any WritableKeyPath<Entry, [String]> & Sendable,
    label: LocalizedText,
    hint: LocalizedText? = nil, limit: Int = 40
  ) -> DraftField {
    DraftField(name, label: label, hint: hint) {
      $0[keyPath: property].joined(separator: ", ")
    } write: { text, entry throws(ValidationError) in
      var list: [String] = []
      for part in text.split(whereSeparator: { $0 == "," || $0.isNewline }) {
        let item = part.trimmingCharacters(in: .whitespaces)
        guard !item.isEmpty, !list.contains(item) else { continue }
        list.append(try item.checked(name, limit))
      }
      entry[keyPath: property] = list
    }
  }
}

extension String {
  fileprivate func checked(_ name: String, _ limit: Int) throws(ValidationError) -> String {
    guard count <= limit else { throw .tooLong(field: name, maximum: limit) }
    return self
  }
}

extension LocalizedText {
  fileprivate static let fillIn = LocalizedText(
    en: "Fill in this field.", ru: "Заполните это поле.")
}
