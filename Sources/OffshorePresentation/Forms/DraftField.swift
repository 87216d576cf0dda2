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
  /// The control that a field is shown as.
  public typealias Kind = DraftControl.Kind

  /// The name, the label and the control.
  public let control: DraftControl
  let text: @Sendable (Entry) -> String
  private let write: @Sendable (_ text: String, _ path: String, inout Entry) -> Problems

  /// Sentences about texts that are not valid, by the paths of their fields.
  typealias Problems = [String: LocalizedText]

  /// Declares a field.
  ///
  /// - Parameters:
  ///   - missing: the sentence for an empty text if the field is required.
  ///   - text: the value as text.
  ///   - write: parses text and stores the value; throws if the text is not valid. It is not called with an
  ///     empty text if the field is required.
  public init(
    _ name: String, label: LocalizedText, hint: LocalizedText? = nil, kind: Kind = .line,
    isRequired: Bool = false, missing: LocalizedText? = nil,
    text: @escaping @Sendable (Entry) -> String,
    write: @escaping @Sendable (String, inout Entry) throws(ValidationError) -> Void
  ) {
    let control = DraftControl(
      name: name, label: label, hint: hint, kind: kind, isRequired: isRequired)
    self.init(control, text: text) { text, path, entry in
      let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if isRequired, text.isEmpty { return [path: missing ?? .fillIn] }
      do throws(ValidationError) {
        try write(text, &entry)
        return [:]
      } catch {
        let names = FieldNames.common.adding([name: label])
        return [path: AppError.validation(error).localizedMessage(naming: names)]
      }
    }
  }

  init(
    _ control: DraftControl, text: @escaping @Sendable (Entry) -> String,
    write: @escaping @Sendable (_ text: String, _ path: String, inout Entry) -> Problems
  ) {
    self.control = control
    self.text = text
    self.write = write
  }

  /// The name under which the text is sent, as in the source code.
  public var name: String { control.name }

  /// Stores the typed text, and returns its problems.
  /// - Parameter path: the path of the field; its name unless stated.
  func store(_ text: String, at path: String? = nil, in entry: inout Entry) -> Problems {
    write(text, path ?? name, &entry)
  }
}

// MARK: - Kinds of fields

extension DraftField {
  /// A text of one line.
  /// - Parameters:
  ///   - limit: the most characters that it may have.
  ///   - missing: the sentence for an empty text if the field is required.
  ///   - wraps: whether a long text is shown in several lines.
  public static func line(
    _ name: String, _ property: any WritableKeyPath<Entry, String> & Sendable, label: LocalizedText,
    hint: LocalizedText? = nil, limit: Int = 200, isRequired: Bool = false,
    missing: LocalizedText? = nil, wraps: Bool = false
  ) -> DraftField {
    DraftField(
      name, label: label, hint: hint, kind: wraps ? .text(rows: 1) : .line, isRequired: isRequired,
      missing: missing
    ) {
      $0[keyPath: property]
    } write: { text, entry throws(ValidationError) in
      entry[keyPath: property] = try text.replacing("\n", with: " ").checked(name, limit)
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
    hint: LocalizedText? = nil, rows: Int = 5, limit: Int = 10_000, isRequired: Bool = false,
    missing: LocalizedText? = nil
  ) -> DraftField {
    DraftField(
      name, label: label, hint: hint, kind: .text(rows: rows), isRequired: isRequired,
      missing: missing
    ) {
      $0[keyPath: property]
    } write: { text, entry throws(ValidationError) in
      entry[keyPath: property] = try text.checked(name, limit)
    }
  }

  /// A text of several lines that may be missing: an empty one is stored as `nil`.
  /// - Parameters:
  ///   - rows: the lines that are shown at once.
  ///   - limit: the most characters that it may have.
  public static func text(
    _ name: String, _ property: any WritableKeyPath<Entry, String?> & Sendable,
    label: LocalizedText, hint: LocalizedText? = nil, rows: Int = 5, limit: Int = 10_000
  ) -> DraftField {
    DraftField(name, label: label, hint: hint, kind: .text(rows: rows)) {
      $0[keyPath: property] ?? ""
    } write: { text, entry throws(ValidationError) in
      let text = try text.checked(name, limit)
      entry[keyPath: property] = text.isEmpty ? nil : text
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

  /// Texts with commas between them, each once, whatever its case and accents.
  /// - Parameters:
  ///   - count: the most texts.
  ///   - limit: the most characters that each may have.
  public static func list(
    _ name: String, _ property: any WritableKeyPath<Entry, [String]> & Sendable,
    label: LocalizedText, hint: LocalizedText? = nil, count: Int = 100, limit: Int = 40
  ) -> DraftField {
    let control = DraftControl(
      name: name, label: label, hint: hint, kind: .line, isRequired: false)
    return DraftField(control) {
      $0[keyPath: property].joined(separator: ", ")
    } write: { text, path, entry in
      var known: Set<String> = []
      let list = text.split(whereSeparator: { $0 == "," || $0.isNewline })
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty && known.insert($0.folded).inserted }
      if list.count > count { return [path: .atMost(count)] }
      if list.contains(where: { $0.count > limit }) { return [path: .partTooLong(limit)] }
      entry[keyPath: property] = list
      return [:]
    }
  }
}

extension String {
  fileprivate func checked(_ name: String, _ limit: Int) throws(ValidationError) -> String {
    guard count <= limit else { throw .tooLong(field: name, maximum: limit) }
    return self
  }

  fileprivate var folded: String {
    folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}

extension LocalizedText {
  static let fillIn = LocalizedText(en: "Fill in this field.", ru: "Заполните это поле.")

  static func atMost(_ count: Int) -> LocalizedText {
    LocalizedText(en: "There may be at most \(count).", ru: "Можно не больше \(count).")
  }

  fileprivate static func partTooLong(_ limit: Int) -> LocalizedText {
    .counted(
      limit,
      en: .init(one: "Each may have # character.", other: "Each may have at most # characters."),
      ru: .init(
        one: "В каждой части может быть не больше # символа.",
        few: "В каждой части может быть не больше # символов.",
        many: "В каждой части может быть не больше # символов."))
  }
}
