/// A row that is ticked by pressing it.
///
/// Its height does not change when it is ticked. There is always space for a last line, with the
/// stamp or an error. The stamp is a text with the user who ticked the row and the time.
///
/// It posts `isOn` with the new state, `true` or `false`, which is the opposite of the shown state.
/// If the user presses it again before the page has changed, it posts the same state again. So a
/// double press does not undo the first press.
public struct TickRow: Component {
  private let title: String
  private let text: String?
  private let note: String?
  private let stamp: String?
  private let error: String?
  private let isOn: Bool
  private let isReadOnly: Bool
  private let address: String
  private let id: String
  private let fields: HTML
  private let badges: HTML

  /// Creates a row.
  /// - Parameters:
  ///   - title: the text of the row.
  ///   - isOn: whether it is ticked.
  ///   - address: the address to which the new state is posted.
  ///   - text: a line below the title.
  ///   - note: a text by a user, below that line.
  ///   - stamp: the user who ticked it and the time, in the last line.
  ///   - error: the reason why the last press had no effect, in place of the stamp. The script
  ///     announces it if the outcome was ``Outcome/invalid``.
  ///   - id: an id of the row.
  ///   - isReadOnly: whether it only shows its state and cannot be pressed.
  ///   - fields: additional values to post, such as the id of the ticked item.
  ///   - badges: content in the last line before the stamp, such as a ``Badge``.
  public init(
    _ title: String, isOn: Bool, to address: String, text: String? = nil, note: String? = nil,
    stamp: String? = nil, error: String? = nil, id: String, isReadOnly: Bool = false,
    fields: HTML = HTML(), @HTMLBuilder badges: () -> HTML = { HTML() }
  ) {
    self.fields = fields
    self.title = title
    self.isOn = isOn
    self.isReadOnly = isReadOnly
    self.address = address
    self.text = text
    self.note = note
    self.stamp = stamp
    self.error = error
    self.id = id
    self.badges = badges()
  }

  /// The form with its button, or only the button if the row is read-only.
  public var html: HTML {
    if isReadOnly {
      div(.id(id)) { row }
    } else {
      PostForm(to: address, id: id) {
        fields
        HiddenValue("isOn", isOn ? "false" : "true")
        row
      }
    }
  }

  private var row: HTML {
    button(
      .type(isReadOnly ? .button : .submit), .class("row"), .role(.checkbox), .ariaChecked(isOn),
      .disabled(isReadOnly)
    ) {
      span(.class("tick"), .ariaHidden())
      span(.class("label")) {
        span { title }
        if let text { small { text } }
        if let note { small(.class("note")) { note } }
        span(.class("foot")) {
          badges
          small(.class("stamp"), .class("error", if: error != nil)) { error ?? stamp ?? "" }
        }
      }
    }
  }
}
