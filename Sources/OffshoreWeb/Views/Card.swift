/// A frame around rows.
public struct Card: Component {
  private let label: String?
  private let id: String?
  private let content: HTML

  /// Creates a card.
  /// - Parameters:
  ///   - label: the accessible label, if no heading describes the rows.
  ///   - id: an id, so that rows with ids can be added and removed separately on a live page.
  ///   - content: the rows.
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

/// A row that links to a page.
public struct LinkRow: Component {
  private let title: String
  private let text: String?
  private let address: String
  private let id: String?
  private let isCurrent: Bool
  private let leading: HTML
  private let accessory: HTML

  /// Creates a row.
  /// - Parameters:
  ///   - title: the title of the link.
  ///   - address: the address of the page.
  ///   - text: a line below the title.
  ///   - id: an id of the row.
  ///   - isCurrent: whether it links to the page that contains it.
  ///   - leading: content before the title, such as an ``Icon``.
  ///   - accessory: content at the end of the row, such as a ``Badge``.
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

/// A row that posts an action when it is pressed, as in a menu.
public struct ButtonRow: Component {
  private let title: String
  private let action: String
  private let address: String
  private let id: String?
  private let label: String?
  private let isRepeatable: Bool
  private let fields: HTML

  /// Creates a row.
  /// - Parameters:
  ///   - title: the visible text.
  ///   - action: the value of the field `action`, which is sent with the form.
  ///   - address: the address to which it is posted.
  ///   - id: an id of the form.
  ///   - label: the accessible name, if it has to say more than the title; by default the title.
  ///   - isRepeatable: whether posting it twice has the same result as once; see ``PostForm``.
  ///   - fields: additional values to post.
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

  /// The form with its button.
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

/// A row with small buttons beside it, for example to delete it.
public struct ToolRow: Component {
  private let id: String
  private let row: HTML
  private let tools: HTML

  /// Creates a row with buttons.
  /// - Parameters:
  ///   - id: an id of the row with its buttons.
  ///   - row: the row, such as a ``TickRow``.
  ///   - tools: forms, each with one ``SubmitButton`` of the style ``SubmitButton/Style/plain``.
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

/// The content at the end of a row. It moves to a line of its own if there is no room beside the
/// title.
private struct RowEnd: Component {
  private let content: HTML

  init(_ content: HTML) { self.content = content }

  var html: HTML {
    if !content.isEmpty { span(.class("end")) { content } }
  }
}
