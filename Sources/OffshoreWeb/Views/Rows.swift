/// Rows in one frame.
public struct Card: Component {
  private let label: String?
  private let id: String?
  private let content: HTML

  /// Puts rows together.
  /// - Parameters:
  ///   - label: What the rows are, where no heading says it.
  ///   - id: An id, so that rows with ids can come and go one by one on a live page.
  ///   - content: The rows.
  public init(label: String? = nil, id: String? = nil, @HTMLBuilder content: () -> HTML) {
    self.label = label
    self.id = id
    self.content = content()
  }

  /// The frame with its rows.
  public var html: HTML {
    div(
      .class("card"), id.map { .id($0) } ?? .none,
      label == nil ? .none : .role(.group), label.map { .ariaLabel($0) } ?? .none
    ) { content }
  }
}

/// A row that leads to a page.
public struct LinkRow: Component {
  private let title: String
  private let text: String?
  private let address: String
  private let id: String?
  private let isCurrent: Bool
  private let leading: HTML
  private let accessory: HTML

  /// Makes a row.
  /// - Parameters:
  ///   - title: What it leads to.
  ///   - address: Where it leads.
  ///   - text: A line below the title.
  ///   - id: An id of the row.
  ///   - isCurrent: Whether it leads to the page that shows it.
  ///   - leading: What stands before the title, such as an ``Icon``.
  ///   - accessory: What stands at its end, such as a ``Badge``.
  public init(
    _ title: String, to address: String, text: String? = nil, id: String? = nil,
    isCurrent: Bool = false, leading: HTML = HTML(),
    @HTMLBuilder accessory: () -> HTML = { HTML() }
  ) {
    self.isCurrent = isCurrent
    self.leading = leading
    self.title = title
    self.address = address
    self.text = text
    self.id = id
    self.accessory = accessory()
  }

  /// The row.
  public var html: HTML {
    a(
      .class("row"), .href(address), id.map { .id($0) } ?? .none,
      isCurrent ? .ariaCurrent(.page) : .none
    ) {
      leading
      span(.class("label")) {
        title
        if let text { small { text } }
      }
      RowEnd(accessory)
    }
  }
}

/// A row that changes something when it is pressed, as in a menu.
public struct ButtonRow: Component {
  private let title: String
  private let action: String
  private let address: String
  private let id: String?
  private let label: String?
  private let isRepeatable: Bool
  private let fields: HTML

  /// Makes a row.
  /// - Parameters:
  ///   - title: What it says.
  ///   - action: What it sends as `action`.
  ///   - address: Where it is posted.
  ///   - id: An id of the form.
  ///   - label: What it is called if that is more than it says.
  ///   - isRepeatable: Whether sending it twice does the same as sending it once; see ``PostForm``.
  ///   - fields: Values that are posted besides.
  public init(
    _ title: String, action: String, to address: String, id: String? = nil, label: String? = nil,
    isRepeatable: Bool = true, @HTMLBuilder fields: () -> HTML = { HTML() }
  ) {
    self.title = title
    self.action = action
    self.address = address
    self.id = id
    self.label = label
    self.isRepeatable = isRepeatable
    self.fields = fields()
  }

  /// The form with its one button.
  public var html: HTML {
    PostForm(to: address, id: id, isRepeatable: isRepeatable) {
      fields
      button(
        .type(.submit), .class("row"), .name("action"), .value(action),
        label.map { .ariaLabel($0) } ?? .none
      ) { title }
    }
  }
}

/// A row with small buttons beside it, such as one that deletes.
public struct SplitRow: Component {
  private let id: String
  private let row: HTML
  private let tools: HTML

  /// Puts buttons beside a row.
  /// - Parameters:
  ///   - id: An id of the row with its buttons.
  ///   - row: The row, such as a ``TickRow``.
  ///   - tools: Forms with a plain button each.
  public init(id: String, @HTMLBuilder row: () -> HTML, @HTMLBuilder tools: () -> HTML) {
    self.id = id
    self.row = row()
    self.tools = tools()
  }

  /// The row and, at its end, the buttons.
  public var html: HTML {
    div(.id(id), .class("split")) {
      row
      div(.class("tools")) { tools }
    }
  }
}

/// A row that is ticked by pressing it.
///
/// Ticking changes no height: the line of the stamp, or of an error in its place, is always reserved.
///
/// It posts `isOn` with the state that it should have, `true` or `false`, so that pressing it twice in
/// a hurry asks for the same thing twice.
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
  private let marks: HTML

  /// Makes a row.
  /// - Parameters:
  ///   - title: What is ticked.
  ///   - isOn: Whether it is ticked now.
  ///   - address: Where the new state is posted.
  ///   - text: A line below the title.
  ///   - note: A text that a user wrote, below it.
  ///   - stamp: Who ticked it and when, in a line that is reserved.
  ///   - error: The reason why the last press did nothing, in place of the stamp. The script has it read out if
  ///     the outcome was ``Outcome/invalid``.
  ///   - id: An id of the row.
  ///   - isReadOnly: Whether it only shows its state, and cannot be pressed.
  ///   - fields: Values that are posted besides, such as the id of the ticked item.
  ///   - marks: What stands before the stamp, such as a ``Badge``.
  public init(
    _ title: String, isOn: Bool, to address: String, text: String? = nil, note: String? = nil,
    stamp: String? = nil, error: String? = nil, id: String, isReadOnly: Bool = false,
    fields: HTML = HTML(), @HTMLBuilder marks: () -> HTML = { HTML() }
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
    self.marks = marks()
  }

  /// The form with its one button; where it only shows its state, the button alone.
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
          marks
          small(.class("stamp"), .class("error", if: error != nil)) { error ?? stamp ?? "" }
        }
      }
    }
  }
}

/// What stands at the end of a row; together on a line of its own where there is no room beside the
/// title.
private struct RowEnd: Component {
  private let content: HTML

  init(_ content: HTML) { self.content = content }

  var html: HTML {
    if !content.isEmpty { span(.class("end")) { content } }
  }
}
