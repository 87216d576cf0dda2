import Anyfleet
import OffshoreHTTP
import OffshorePages
import OffshorePresentation

/// The pages of the library.
typealias LibraryRoute = EntityRoute<Library>

extension AnyfleetPages {
  /// The pages of the library.
  @MainActor var library: EntityPages<Library> {
    let (frame, dependencies) = (frame, dependencies)
    return EntityPages(
      frame, in: .library, title: .library, store: dependencies.libraryStore
    ) { SeedOfferView(offer: dependencies.makeSeedOffer(), frame: frame) }
  }

  @MainActor func page(_ route: LibraryRoute, _ query: Fields) -> any RoutedPage {
    if case .entry(EntityKind(FlashcardDeck.self), let id) = route { return deckPage(id) }
    return library.page(route, query)
  }
}
