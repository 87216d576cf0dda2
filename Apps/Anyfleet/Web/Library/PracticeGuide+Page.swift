package import Anyfleet
import OffshorePages
package import OffshorePresentation
package import OffshoreWeb

extension PracticeGuide: ShownEntity {
  package static let icon = Icon("book", text: "¶")

  package func content(_ say: Localizer) -> HTML {
    TagBadges(tags)
    MarkdownView(Markdown(body))
  }
}
