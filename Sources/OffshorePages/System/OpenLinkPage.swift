import Foundation
import OffshorePresentation
import OffshoreWeb

/// The page that opens a link into the app, or shows why the link cannot be opened.
struct OpenLinkPage: RoutedPage {
  /// The address of the page of the link.
  let redirection: String?
  private let frame: AppFrame
  /// The entered link.
  private let link: String?
  private let problem: ContentError?

  init(_ frame: AppFrame, link: String?) {
    self.frame = frame
    self.link = link?.trimmingCharacters(in: .whitespacesAndNewlines)
    do throws(ContentError) {
      redirection = try self.link.map { link throws(ContentError) in
        try frame.links.address(of: link)
      }
      problem = nil
    } catch {
      (redirection, problem) = (nil, error)
    }
  }

  func page(_ tab: Tab) -> Page {
    let say = frame.say
    return frame.page(tab, say(.openALink), in: .profile, back: frame.backToProfile) {
      // The form only looks up a page, so its field is sent in the query.
      form(.method(.get), .action(SystemRoute.open.address), .id("open-form"), .novalidate()) {
        Field(
          say(.link), name: "link", value: link ?? "", kind: .input(.text),
          hint: say(.linkHint(frame.links.scheme)), error: problem.map { say(text(of: $0)) },
          isRequired: true)
        SubmitButton(say(.openLink))
      }
    }
  }

  private func text(of problem: ContentError) -> LocalizedText {
    switch problem {
    case .unreadable: .linkUnreadable(frame.name)
    default: .linkLeadsNowhere(frame.name)
    }
  }
}

extension LocalizedText {
  static let openALink = LocalizedText(en: "Open a link", ru: "Открыть ссылку")
  static let link = LocalizedText(en: "Link", ru: "Ссылка")
  static let openLink = LocalizedText(en: "Open", ru: "Открыть")

  static func linkHint(_ scheme: String) -> LocalizedText {
    LocalizedText(
      en: "A link into the app, which begins with \(scheme)://.",
      ru: "Ссылка в приложение, начинается с \(scheme)://.")
  }

  static func linkUnreadable(_ app: LocalizedText) -> LocalizedText {
    LocalizedText(
      en: "This is not a link into \(app). Check that it is complete.",
      ru: "Это не ссылка в приложение \(app). Проверьте, что она полная.")
  }

  static func linkLeadsNowhere(_ app: LocalizedText) -> LocalizedText {
    LocalizedText(
      en: "This link leads nowhere in \(app). Check that it is complete.",
      ru: "В приложении \(app) нет такой страницы. Проверьте, что ссылка полная.")
  }
}
