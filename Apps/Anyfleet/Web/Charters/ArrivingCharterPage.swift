import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The page of a charter that is on the server but not on this device yet.
struct ArrivingCharterPage: RoutedPage {
  let frame: AppFrame
  let charterID: UUID
  let viewModel: ArrivingCharterViewModel

  private var say: Localizer { frame.say }

  /// Pulls from the server.
  func perform(_ form: PageForm) async throws -> Outcome {
    guard form.action == "refresh" else { throw form.unknownAction }
    return await viewModel.refresh() ? .done : .invalid
  }

  func page(_ tab: Tab) -> Page {
    frame.page(
      tab, viewModel.charter?.name ?? say(.charter), in: .charters,
      subtitle: viewModel.charter.map { say.days(of: $0) },
      back: PageLink(say(.charters), to: CharterRoute.list.address)
    ) {
      tab.region("arriving") {
        if let charter = viewModel.charter, viewModel.hasArrived {
          EmptyView(
            icon: Icon("compass", text: "⛵"), title: charter.name,
            text: say(SharedKind.charter.texts.arrived),
            action: .link(
              say(.showCharter(charter.name)), to: CharterRoute.detail(charterID).address))
        } else if let error = viewModel.error {
          ErrorView(error, say)
          RefreshButton(to: CharterRoute.detail(charterID).address, say)
        } else {
          LoadingView(say(.charterIsOnItsWay))
        }
      }
    }
  }
}
