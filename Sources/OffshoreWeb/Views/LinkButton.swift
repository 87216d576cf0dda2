/// A link to a page that looks like a button.
public struct LinkButton: Component {
  private let title: String
  private let address: String
  private let style: SubmitButton.Style
  private let id: String?

  /// Creates a link.
  /// - Parameters:
  ///   - title: the visible text.
  ///   - address: the address of the page.
  ///   - style: the prominence.
  ///   - id: an id of the link.
  public init(
    _ title: String, to address: String, style: SubmitButton.Style = .plain, id: String? = nil
  ) {
    self.title = title
    self.address = address
    self.style = style
    self.id = id
  }

  /// The link.
  public var html: HTML {
    a(.class("button", style.rawValue), id.map { .id($0) } ?? .none, .href(address)) { title }
  }
}
