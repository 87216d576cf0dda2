public import Anyfleet
public import OffshorePages
public import OffshorePresentation
public import OffshoreWeb

extension PracticeGuide: ShownEntity {
  public static let icon = Icon("book", text: "¶")

  public func content(_ say: Speaker) -> HTML {
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
