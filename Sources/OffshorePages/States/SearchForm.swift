public import OffshoreHTTP
public import OffshoreWeb

/// A search field above a list. The list is updated during typing or, without the script, after the
/// Enter key.
public struct SearchForm: Component {
  /// The form.
  public let html: HTML

  /// Creates a form.
  ///
  /// - Parameters:
  ///   - title: the label of the field.
  ///   - value: the text of the current search.
  ///   - address: the address of the list, which receives the text in the query field `q`.
  ///   - others: the other fields of the query, such as a filter.
  public init(_ title: String, value: String, to address: String, keeping others: Fields = [:]) {
    html = form(
      .method(.get), .action(address), .class("search"), .role(.search), .id("search")
    ) {
      for field in others.items { HiddenValue(field.name, field.value) }
      Self.textField(title, value)
    }
  }

  /// Returns the field, whose name is `q`.
  static func textField(_ title: String, _ value: String) -> HTML {
    input(
      .type(.search), .value(value), .id("field-q"), .name("q"), .placeholder(title),
      .ariaLabel(title), .autocomplete("off"))
  }
}

/// The end of a list of which only the first entries are shown. The script loads the next entries
/// when the end is nearly scrolled into view.
///
/// The form sends the action `more` to the page of the list. Without the script, it is a link to a
/// page with more entries.
public struct MoreForm: Component {
  /// The form.
  public let html: HTML

  /// Creates a form.
  ///
  /// - Parameters:
  ///   - title: the label of the link.
  ///   - action: the address of the page that performs the action `more`, or `nil` for a link only.
  ///   - address: the address of the page with the next entries.
  public init(_ title: String, action: String?, address: String) {
    let link = p(.class("buttons", "centered")) {
      a(.id("more"), .class("button", "plain"), .href(address)) { title }
    }
    guard let action else {
      html = link
      return
    }
    html = form(.method(.post), .action(action), .id("more-form"), .data("more", "")) {
      HiddenValue("action", "more")
      link
    }
  }
}
