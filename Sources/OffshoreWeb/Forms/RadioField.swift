/// A group of radio buttons under a legend: a choice between a few values that are all visible.
///
/// ```swift
/// RadioField(
///   "Show", name: "shows", value: form.shows,
///   choices: [.init("week", "My week"), .init("busy", "Only when I am busy")])
/// ```
///
/// A choice between many values is a ``Field`` of the kind ``Field/Kind/choice(_:)``. The buttons are
/// side by side on a page with the stylesheet ``Stylesheet/calendar``.
public struct RadioField: Component {
  /// A value to choose from.
  public struct Choice: Sendable {
    let value: String
    let title: String
    let mark: HTML

    /// Creates a choice.
    /// - Parameters:
    ///   - value: the value that is sent.
    ///   - title: the label of the button.
    ///   - mark: a decoration before the title, such as a sample of a color.
    public init(_ value: String, _ title: String, mark: HTML = HTML()) {
      self.value = value
      self.title = title
      self.mark = mark
    }
  }

  private let title: String
  private let name: String
  private let value: String
  private let choices: [Choice]
  private let hint: String?
  private let error: String?
  private let id: String

  /// Creates a group.
  /// - Parameters:
  ///   - title: the legend.
  ///   - name: the name under which the value is sent. Nothing is sent if no button is chosen.
  ///   - value: the chosen value. No button is chosen if it is not among the choices.
  ///   - choices: the values to choose from, in their order.
  ///   - hint: a text that helps to choose.
  ///   - error: the reason why the choice is not valid.
  ///   - id: the id of the group, by default `field-` and the name. That of a button is the id of
  ///     the group, a hyphen, and its value.
  public init(
    _ title: String, name: String, value: String, choices: [Choice], hint: String? = nil,
    error: String? = nil, id: String? = nil
  ) {
    self.title = title
    self.name = name
    self.value = value
    self.choices = choices
    self.hint = hint
    self.error = error
    self.id = id ?? "field-\(name)"
  }

  /// The legend, the hint, the error, and the buttons.
  public var html: HTML {
    FieldGroup(title, id: id, hint: hint, error: error, hasBorder: false) {
      div(.class("radios")) {
        for choice in choices {
          label(.for("\(id)-\(choice.value)")) {
            input(
              .type(.radio), .id("\(id)-\(choice.value)"), .name(name), .value(choice.value),
              .checked(choice.value == value))
            choice.mark
            span { choice.title }
          }
        }
      }
    }
  }
}
