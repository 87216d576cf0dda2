import Anyfleet
import OffshorePages
import OffshorePresentation
import OffshoreWeb

extension PracticeGuide: ShownEntry {
  static let icon = Icon("book", text: "¶")

  func content(_ say: Speaker) -> HTML {
    if !tags.isEmpty {
      p(.class("tags")) {
        for tag in tags {
          Badge(tag, tone: .none)
          " "
        }
      }
    }
    MarkdownView(Markdown(body))
  }
}
