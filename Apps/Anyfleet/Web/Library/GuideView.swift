public import Anyfleet
public import OffshorePages
public import OffshorePresentation
public import OffshoreWeb

extension PracticeGuide: ShownEntity {
  public static let icon = Icon("book", text: "¶")

  public func content(_ say: Speaker) -> HTML {
    Tags(tags)
    MarkdownView(Markdown(body))
  }
}
