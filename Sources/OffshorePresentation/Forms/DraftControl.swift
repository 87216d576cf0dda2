import Foundation

/// The part of a field that a page shows: its name, its label and its kind of control.
public struct DraftControl: Sendable {
  /// The kind of control that shows a field.
  public enum Kind: Sendable {
    /// One line of text.
    case line
    /// Several lines of text.
    case text(rows: Int)
    /// A whole number.
    case number
    /// An amount of money, typed as text.
    case amount
    /// A day, with the text `yyyy-MM-dd`.
    case day
    /// A time of day, with the text `HH:mm`.
    case time
    /// A color of calendar entries, with its name as text.
    case color
    /// A checkbox, with the text `on` or an empty one.
    case check
    /// One of several values, each with its label.
    case choice([(value: String, label: LocalizedText)])
    /// One of several items, with its id as text. The closure returns them whenever the form is shown or saved.
    /// A text that is not among them is shown as a choice of its own.
    case item(@MainActor @Sendable () -> [DraftChoice])
    /// A selection of several choices. The closure returns the choices whenever the form is shown.
    /// The text has one selected value per line.
    case choices(@MainActor @Sendable () -> [DraftChoice])
    /// Rows with fields of their own.
    case rows(DraftRows)
  }

  /// The name of the field in a request and in the source code.
  public let name: String
  /// The label beside the field.
  public let label: LocalizedText
  /// A hint below the label.
  public let hint: LocalizedText?
  /// The kind of control that shows the field.
  public let kind: Kind
  /// Whether the field must be filled in.
  public let isRequired: Bool
  /// The maximum number of characters that the control accepts, or `nil`.
  public internal(set) var maximumLength: Int?
  /// Whether the field is in a collapsed part of the form, “More”; in a row, in the row's menu.
  public internal(set) var isUnderMore = false
  /// A short sign that marks a row in which the collapsed field has a value.
  public internal(set) var mark: String?
}

/// One of several choices.
public struct DraftChoice: Sendable {
  /// The value in a request, without a line break.
  public let value: String
  /// The label of the choice.
  public let label: LocalizedText
  /// A hint below the label.
  public let hint: LocalizedText?

  /// Creates a choice.
  public init(_ value: String, _ label: LocalizedText, hint: LocalizedText? = nil) {
    self.value = value
    self.label = label
    self.hint = hint
  }
}

/// The declaration of a field's rows: their fields, and the texts of the buttons that change them.
public struct DraftRows: Sendable {
  /// The fields of each row. They can have rows, too.
  public let controls: [DraftControl]
  /// Returns the title of a row, such as “Card 1”, from its position, starting at 1.
  public let title: @Sendable (_ number: Int) -> LocalizedText
  /// The label of the button that adds a row.
  public let addLabel: LocalizedText
  /// Returns whether a string can be the id of a row.
  package let isID: @Sendable (String) -> Bool
  /// Whether the ids of stored rows are derived from their texts.
  let derivesIDs: Bool
  let makeRow: @Sendable (_ makeID: () -> UUID) -> DraftRow
}

/// The typed texts of one row.
public struct DraftRow: Codable, Hashable, Identifiable, Sendable {
  /// The id of the row. It does not change when the row is moved.
  public let id: String
  /// The texts, by field. The text of a field with rows is its rows' ``Swift/Array/text``.
  public internal(set) var texts: [String: String]

  package init(id: String, texts: [String: String]) {
    self.id = id
    self.texts = texts
  }
}

extension [DraftRow] {
  /// Parses the text of a field with rows. A text that is not valid has no rows.
  public init(text: String) {
    self = (try? JSONDecoder().decode(Self.self, from: Data(text.utf8))) ?? []
  }

  /// The rows as canonical JSON: equal rows have equal texts. The text of an empty array is empty.
  public var text: String {
    guard !isEmpty else { return "" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // NB: Encoding cannot fail, because Swift strings are always well-formed.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
