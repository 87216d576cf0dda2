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
