public import Foundation

/// A field of a form: its label, and the conversion of its value to and from text.
///
/// ```swift
/// let fields: [DraftField<PackingList>] = [
///   .line("title", \.title, label: .title, limit: 80, isRequired: true),
///   .number("bags", \.bags, label: .bags, in: 0...20),
/// ]
/// ```
///
/// A form is an array of fields. A page renders them, and a ``Draft`` stores the texts typed into
/// them.
public struct DraftField<Entry: Sendable>: Sendable {
  /// The name, the label and the control.
  public private(set) var control: DraftControl
  package let text: @Sendable (Entry) -> String
  /// The name of the group of fields that are merged as one value.
  package private(set) var group: String?
  /// The label above the fields of the group.
  package private(set) var groupLabel: LocalizedText?
  /// Whether the text is parsed after those of other fields, on which it depends.
  var isStoredLast = false
  /// Returns a sentence if an entry violates a rule over several fields.
  fileprivate private(set) var rule: (@Sendable (Entry) -> LocalizedText?)?
  private var write: @Sendable (_ text: String, _ path: String, inout Entry) -> Problems

  /// Sentences about invalid texts, by the paths of their fields.
  typealias Problems = [String: LocalizedText]

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - maximumLength: the maximum number of characters that the control accepts. Saving does not
  ///     check it.
  ///   - missing: the sentence for an empty text if the field is required.
  ///   - text: returns the value as text.
  ///   - write: parses the text and assigns the value, and throws if the text is not valid. The
  ///     entry is not stored then, but may be shown. An empty text of a required field is reported
  ///     without a call of this closure.
  public init(
    _ name: String, label: LocalizedText, hint: LocalizedText? = nil,
    kind: DraftControl.Kind = .line,
    isRequired: Bool = false, maximumLength: Int? = nil, missing: LocalizedText? = nil,
    text: @escaping @Sendable (Entry) -> String,
    write: @escaping @Sendable (String, inout Entry) throws(ValidationError) -> Void
  ) {
    let control = DraftControl(
      name: name, label: label, hint: hint, kind: kind, isRequired: isRequired,
      maximumLength: maximumLength)
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

  /// The name of the field in a request and in the source code.
  public var name: String { control.name }

  /// Whether the field has rows whose ids are derived from their texts.
  var derivesRowIDs: Bool {
    if case .rows(let rows) = control.kind { rows.derivesIDs } else { false }
  }

  /// Returns the field as part of a group that is merged as one value: an edit of one field here
  /// and an edit of another field elsewhere are a conflict.
  /// - Parameter label: a label above the group, whose fields are then shown together.
  public func grouped(_ group: String, label: LocalizedText? = nil) -> DraftField {
    var field = self
    field.group = group
    field.groupLabel = label
    return field
  }

  /// Returns the field in a collapsed part of the form, “More”; in a row, in the row's menu.
  ///
  /// That part is expanded if one of its fields has a problem or a conflict.
  /// - Parameter mark: a short sign, such as “!”, that marks a row in which the field has a value.
  public func underMore(mark: String? = nil) -> DraftField {
    var field = self
    (field.control.isUnderMore, field.control.mark) = (true, mark)
    return field
  }

  /// Returns the field with a rule over several fields, whose sentence is shown at this field.
  /// - Parameter rule: returns a sentence if the entry with all typed texts violates the rule.
  public func checking(_ rule: @escaping @Sendable (Entry) -> LocalizedText?) -> DraftField {
    var field = self
    field.rule = rule
    return field
  }

  /// Returns the field with another sentence for invalid texts that are not empty.
  public func explaining(_ sentence: LocalizedText) -> DraftField {
    var field = self
    field.write = { [write] text, path, entry in
      let problems = write(text, path, &entry)
      return problems.isEmpty || text.allSatisfy(\.isWhitespace) ? problems : [path: sentence]
    }
    return field
  }

  /// Returns the problem of a text that is not one of the items to choose from, or `nil`.
  @MainActor func problemOfUnknownItem(_ text: String) -> LocalizedText? {
    guard case .item(let choices) = control.kind else { return nil }
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, !choices().contains(where: { $0.value == text }) else { return nil }
    let names = FieldNames.common.adding([name: control.label])
    return AppError.validation(.outOfRange(field: name)).localizedMessage(naming: names)
  }

  /// Stores a typed text, and returns its problems.
  /// - Parameter path: the path of the field; its name by default.
  func store(_ text: String, at path: String? = nil, in entry: inout Entry) -> Problems {
    write(text, path ?? name, &entry)
  }
}

extension Array {
  /// Validates an entry by the fields of its form.
  /// - Returns: sentences about invalid values, by the paths of their fields.
  public func problems<Entry>(of entry: Entry) -> [String: LocalizedText]
  where Element == DraftField<Entry> {
    var copy = entry
    return store(DraftChange.texts(of: entry, self), in: &copy)
  }

  /// Stores typed texts in the order of the fields, amounts last, and returns their problems. A
  /// field without a text is skipped.
  /// - Parameter checking: whether rules over several fields are checked.
  func store<Entry>(
    _ texts: [String: String], in entry: inout Entry, checking: Bool = true
  ) -> [String: LocalizedText] where Element == DraftField<Entry> {
    var problems: [String: LocalizedText] = [:]
    for field in filter({ !$0.isStoredLast }) + filter(\.isStoredLast) {
      guard let text = texts[field.name] else { continue }
      problems.merge(field.store(text, in: &entry)) { $1 }
    }
    if checking { problems.merge(brokenRules(by: entry)) { first, _ in first } }
    return problems
  }

  /// Returns the sentences of the rules over several fields that an entry violates, by field.
  func brokenRules<Entry>(by entry: Entry) -> [String: LocalizedText]
  where Element == DraftField<Entry> {
    var problems: [String: LocalizedText] = [:]
    for field in self { problems[field.name] = field.rule?(entry) }
    return problems
  }
}

// MARK: - Kinds of fields

extension DraftField {
  /// Returns a field for a text of one line.
  /// - Parameters:
  ///   - limit: the maximum number of characters.
  ///   - missing: the sentence for an empty text if the field is required.
  ///   - wraps: whether a long text is shown on several lines.
  public static func line(
    _ name: String, _ property: any WritableKeyPath<Entry, String> & Sendable, label: LocalizedText,
    hint: LocalizedText? = nil, limit: Int = 200, isRequired: Bool = false,
    missing: LocalizedText? = nil, wraps: Bool = false
  ) -> DraftField {
    DraftField(
      name, label: label, hint: hint, kind: wraps ? .text(rows: 1) : .line, isRequired: isRequired,
      maximumLength: limit, missing: missing
    ) {
      $0[keyPath: property]
    } write: { text, entry throws(ValidationError) in
      entry[keyPath: property] = text.replacing("\n", with: " ")
      try text.check(name, limit)
    }
  }

  /// Returns a field for an optional text of one line. An empty text is stored as `nil`.
  /// - Parameter limit: the maximum number of characters.
  public static func line(
    _ name: String, _ property: any WritableKeyPath<Entry, String?> & Sendable,
    label: LocalizedText,
    hint: LocalizedText? = nil, limit: Int = 200
  ) -> DraftField {
    DraftField(name, label: label, hint: hint, maximumLength: limit) {
      $0[keyPath: property] ?? ""
    } write: { text, entry throws(ValidationError) in
      entry[keyPath: property] = text.isEmpty ? nil : text
      try text.check(name, limit)
    }
  }

  /// Returns a field for a text of several lines.
  /// - Parameters:
  ///   - rows: the number of visible lines.
  ///   - limit: the maximum number of characters.
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
      entry[keyPath: property] = text
      try text.check(name, limit)
    }
  }

  /// Returns a field for an optional text of several lines. An empty text is stored as `nil`.
  /// - Parameters:
  ///   - rows: the number of visible lines.
  ///   - limit: the maximum number of characters.
  public static func text(
    _ name: String, _ property: any WritableKeyPath<Entry, String?> & Sendable,
    label: LocalizedText, hint: LocalizedText? = nil, rows: Int = 5, limit: Int = 10_000
  ) -> DraftField {
    DraftField(name, label: label, hint: hint, kind: .text(rows: rows)) {
      $0[keyPath: property] ?? ""
    } write: { text, entry throws(ValidationError) in
      entry[keyPath: property] = text.isEmpty ? nil : text
      try text.check(name, limit)
    }
  }

  /// Returns a field for a whole number in a range.
  public static func number(
    _ name: String, _ property: any WritableKeyPath<Entry, Int> & Sendable, label: LocalizedText,
    hint: LocalizedText? = nil, in range: ClosedRange<Int>
  ) -> DraftField {
    DraftField(name, label: label, hint: hint, kind: .number, isRequired: true) {
      "\($0[keyPath: property])"
    } write: { text, entry throws(ValidationError) in
      guard let number = Int(text) else { throw .outOfRange(field: name) }
      entry[keyPath: property] = number
      guard range.contains(number) else { throw .outOfRange(field: name) }
    }
  }

  /// Returns a field for a checkbox.
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

  /// Returns a field for a choice between the cases of an enumeration.
  /// - Parameter title: returns the label of a case.
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

  /// Returns a field for a choice of one item, stored by its id. An empty text is stored as `nil`.
  ///
  /// Saving refuses an id that is not among the choices, unless it is the stored one.
  /// - Parameters:
  ///   - missing: the sentence for an empty text if the field is required.
  ///   - choices: returns the items to choose from, called whenever the form is shown or saved. One with an empty
  ///     value stands for no item.
  public static func choice(
    _ name: String, _ property: any WritableKeyPath<Entry, UUID?> & Sendable,
    label: LocalizedText, hint: LocalizedText? = nil, isRequired: Bool = false,
    missing: LocalizedText? = nil, of choices: @escaping @MainActor @Sendable () -> [DraftChoice]
  ) -> DraftField {
    DraftField(
      name, label: label, hint: hint, kind: .item(choices), isRequired: isRequired,
      missing: missing
    ) {
      $0[keyPath: property]?.uuidString ?? ""
    } write: { text, entry throws(ValidationError) in
      let id = UUID(uuidString: text)
      guard id != nil || text.isEmpty else { throw .outOfRange(field: name) }
      entry[keyPath: property] = id
    }
  }

  /// Returns a field for a selection of several items, stored by their ids.
  /// - Parameter choices: returns the items to choose from, called whenever the form is shown.
  public static func choices(
    _ name: String, _ property: any WritableKeyPath<Entry, Set<UUID>> & Sendable,
    label: LocalizedText, hint: LocalizedText? = nil,
    of choices: @escaping @MainActor @Sendable () -> [DraftChoice]
  ) -> DraftField {
    DraftField(name, label: label, hint: hint, kind: .choices(choices)) {
      $0[keyPath: property].map(\.uuidString).sorted().joined(separator: "\n")
    } write: { text, entry throws(ValidationError) in
      entry[keyPath: property] = Set(
        text.split(separator: "\n").compactMap { UUID(uuidString: String($0)) })
    }
  }

  /// Returns a field for a list of texts, separated by commas. Duplicates are removed, ignoring
  /// case and accents.
  /// - Parameters:
  ///   - count: the maximum number of texts.
  ///   - limit: the maximum number of characters of each.
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
  fileprivate func check(_ name: String, _ limit: Int) throws(ValidationError) {
    guard count <= limit else { throw .tooLong(field: name, maximum: limit) }
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
