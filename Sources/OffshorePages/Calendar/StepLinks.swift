public import OffshoreCalendar
public import OffshorePresentation
public import OffshoreWeb

/// The links from a page to those before and after, such as those of other days.
///
/// A page with them has the stylesheet `Stylesheet.calendar`.
@MainActor public struct StepLinks: Component {
  /// The links.
  public let html: HTML

  /// Creates links.
  /// - Parameters:
  ///   - previous: the page before, with its name; `nil` on the first.
  ///   - next: the page after; `nil` on the last.
  public init(previous: PageLink?, next: PageLink?, _ say: Localizer) {
    html = div(.class("calendar-pages")) {
      if let previous { Self.link(previous, "‹", say(.previous(previous.title)), "previous") }
      if let next { Self.link(next, "›", say(.next(next.title)), "next") }
    }
  }

  /// Creates links to the months before and after one.
  /// - Parameter address: returns the address of the page of a month.
  public init(
    around month: CalendarMonth, _ say: Localizer, address: (CalendarMonth) -> String
  ) {
    func link(_ month: CalendarMonth) -> PageLink {
      PageLink(say.month(month), to: address(month))
    }
    self.init(previous: link(month - 1), next: link(month + 1), say)
  }

  @HTMLBuilder private static func link(
    _ page: PageLink, _ sign: String, _ label: String, _ id: String
  ) -> HTML {
    a(.class("button", "plain"), .id("step-\(id)"), .href(page.address), .ariaLabel(label)) {
      span(.ariaHidden()) { sign }
    }
  }
}

extension LocalizedText {
  fileprivate static func previous(_ name: String) -> LocalizedText {
    LocalizedText(en: "Previous: \(name)", ru: "Назад: \(name)")
  }

  fileprivate static func next(_ name: String) -> LocalizedText {
    LocalizedText(en: "Next: \(name)", ru: "Вперёд: \(name)")
  }
}
