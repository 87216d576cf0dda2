/// The parts of an app, in a bar that each of its pages has.
public struct PageNavigation: Component, Sendable, Equatable {
  /// A part of the app.
  public struct Item: Sendable, Equatable {
    let link: PageLink
    let icon: HTML
    let isCurrent: Bool

    /// Makes an item.
    /// - Parameters:
    ///   - title: What the part is called.
    ///   - address: Where it begins.
    ///   - icon: Stands above the title.
    ///   - isCurrent: Whether the page belongs to it.
    public init(_ title: String, to address: String, icon: Icon, isCurrent: Bool) {
      link = PageLink(title, to: address)
      self.icon = icon.html
      self.isCurrent = isCurrent
    }
  }

  private let label: String
  private let mark: AppMark?
  private let items: [Item]

  /// Makes a bar.
  /// - Parameters:
  ///   - label: What the bar is called, for those who cannot see it.
  ///   - mark: The mark of the app, which stands above the parts in wide windows.
  ///   - items: The parts in their order.
  public init(_ label: String, mark: AppMark? = nil, _ items: [Item]) {
    self.label = label
    self.mark = mark
    self.items = items
  }

  /// The bar, at the lower edge of the window; at its side if the window is wide.
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
