/// The links to the parts of an app, in a bar on each of its pages.
public struct PageNavigation: Component, Sendable, Equatable {
  /// A part of the app.
  public struct Item: Sendable, Equatable {
    let link: PageLink
    let icon: HTML
    let isCurrent: Bool

    /// Creates an item.
    /// - Parameters:
    ///   - title: the name of the part.
    ///   - address: the address of its first page.
    ///   - icon: the icon above the title.
    ///   - isCurrent: whether the page belongs to the part.
    public init(_ title: String, to address: String, icon: Icon, isCurrent: Bool) {
      link = PageLink(title, to: address)
      self.icon = icon.html
      self.isCurrent = isCurrent
    }
  }

  private let label: String
  private let mark: AppMark?
  private let items: [Item]

  /// Creates a bar.
  /// - Parameters:
  ///   - label: the accessible label of the bar.
  ///   - mark: the mark of the app, which is above the parts in wide windows.
  ///   - items: the parts in their order.
  public init(_ label: String, mark: AppMark? = nil, _ items: [Item]) {
    self.label = label
    self.mark = mark
    self.items = items
  }

  /// The bar at the lower edge of the window, or at its side if the window is wide.
  public var html: HTML {
    nav(.id("navigation"), .class("navigation"), .ariaLabel(label)) {
      if let mark {
        p(.class("app")) {
          mark.html
          mark.name
        }
      }
      for item in items {
        a(.href(item.link.address), item.isCurrent ? .ariaCurrent(.page) : .none) {
          item.icon
          span { item.link.title }
        }
      }
    }
  }
}
