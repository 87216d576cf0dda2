import Anyfleet
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// What the pages of Anyfleet have in common: the language in use, and the frame with the app's parts.
///
/// A page that is made by it is shown anew in every open tab when the language changes.
@MainActor
struct Shell {
  let language: LanguageSetting
  let sync: SyncService

  /// Says texts, dates and numbers in the language in use.
  var say: Speaker { language.say }

  /// A page in its frame.
  ///
  /// - Parameters:
  ///   - tab: the tab that shows it.
  ///   - title: what the page is called.
  ///   - part: the part of the app that it belongs to.
  ///   - subtitle: a line below the title.
  ///   - back: the way back; none where the page is where a part begins.
  ///   - content: what the page is about.
  func page(
    _ tab: Tab, _ title: String, in part: AppTab, subtitle: String? = nil, back: PageLink? = nil,
    @HTMLBuilder content: () -> HTML
  ) -> Page {
    Page(
      title, site: say(.appName), subtitle: subtitle, back: back, words: .in(language.language),
      status: tab.region("sync-status") { SyncStatusView(sync.indicator, say).html },
      navigation: PageNavigation(current: part, in: language.language), content: content)
  }
}

extension AnyfleetPages {
  /// The frame of all pages.
  @MainActor var shell: Shell { Shell(language: dependencies.language, sync: dependencies.sync) }
}
