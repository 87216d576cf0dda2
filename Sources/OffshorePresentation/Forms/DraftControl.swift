import Foundation

/// The look of a field: its name, its label and its control, whatever type its value has.
public struct DraftControl: Sendable {
  /// The control that the field is shown as.
  public enum Kind: Sendable {
    /// One line of text.
    case line
    /// Several lines of text.
    case text(rows: Int)
    /// A whole number.
    case number
    /// An amount of money, typed as text.
    case amount
    /// A day, written `yyyy-MM-dd`.
    case day
    /// A box to tick, written `on` or empty.
    case check
    /// One of several values, each with its label.
    case choice([(value: String, label: LocalizedText)])
    /// Several values of a list, read whenever the form is shown; written one a line.
    case choices(@MainActor @Sendable () -> [DraftChoice])
    /// Rows with fields of their own.
    case rows(DraftRows)
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
  /// The most characters that the control accepts, if it has a limit.
  public internal(set) var maximumLength: Int?
  /// Whether the field is folded away under “More”, in a row in the menu of the row.
  public internal(set) var isUnderMore = false
  /// A short sign in a row whose folded field is filled in.
  public internal(set) var mark: String?
}

/// One of several values to choose.
public struct DraftChoice: Sendable {
  /// The value as it is sent, without a line break.
  public let value: String
  /// The label of the value.
  public let label: LocalizedText
  /// A hint below the label.
  public let hint: LocalizedText?

  /// Makes a choice.
  public init(_ value: String, _ label: LocalizedText, hint: LocalizedText? = nil) {
    self.value = value
    self.label = label
    self.hint = hint
  }
}

/// The rows of a field: the fields that each row has, and the texts of the buttons that change them.
public struct DraftRows: Sendable {
  /// The fields of each row. They can have rows, too.
  public let controls: [DraftControl]
  /// Returns the name of a row, such as “Card 1”, from its place, which is 1 for the first row.
  public let title: @Sendable (_ number: Int) -> LocalizedText
  /// The title of the button that adds a row.
  public let add: LocalizedText
  /// Returns whether a row can have an id.
  package let isID: @Sendable (String) -> Bool
  /// Whether the ids of stored rows are derived from their texts.
  let derivesIDs: Bool
  let new: @Sendable (_ makeID: () -> UUID) -> DraftRow
}

/// The texts that are typed into one row.
public struct DraftRow: Codable, Hashable, Identifiable, Sendable {
  /// The id of the row, which stays when the row is moved.
  public let id: String
  /// The texts, by field. The text of a field with rows is ``Swift/Array/text``.
  public internal(set) var texts: [String: String]

  package init(id: String, texts: [String: String]) {
    self.id = id
    self.texts = texts
  }
}

extension [DraftRow] {
  /// Parses the text of a field with rows. Any other text has no rows.
  public init(text: String) {
    self = (try? JSONDecoder().decode(Self.self, from: Data(text.utf8))) ?? []
  }

  /// The rows as canonical JSON, which is the same for the same rows; empty if there is none.
  public var text: String {
    guard !isEmpty else { return "" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // NB: Encoding cannot fail, because Swift strings are always well-formed.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
