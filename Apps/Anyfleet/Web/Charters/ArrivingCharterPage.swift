import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Says that a charter is on the server and on its way to this device, and when it has come.
struct ArrivingCharterPage: RoutedPage {
  let frame: AppFrame
  let charterID: UUID
  let viewModel: ArrivingCharterViewModel

  private var say: Speaker { frame.say }

  func page(_ tab: Tab) -> Page {
    frame.page(
      tab, viewModel.charter?.name ?? say(.charter), in: .charters,
      subtitle: viewModel.charter.map { say.days(of: $0) },
      back: PageLink(say(.charters), to: Address.charters)
    ) {
      tab.region("arriving") {
        if let charter = viewModel.charter, viewModel.hasArrived {
          EmptyView(
            icon: Icon("compass", text: "⛵"), title: charter.name,
            text: say(SharedKind.charter.texts.arrived),
            action: .link(say(.showCharter(charter.name)), to: Address.charter(charterID)))
        } else if let error = viewModel.error {
          ErrorView(error, say)
          RefreshButton(to: Address.refreshCharter(charterID), say)
        } else {
          LoadingView(say(.charterIsOnItsWay))
        }
      }
    }
  }
}

extension AnyfleetPages {
  /// Asks the server again for a charter that is on its way.
  func refreshCharter(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("charter")
    return try await tabs.act(request, at: Address.charter(id)) {
      arrivingPage(id, dependencies.makeArrivingCharter(id))
    } action: { page in
      await page.viewModel.refresh() ? .done : .invalid
    }
  }

  @MainActor func arrivingPage(
    _ id: UUID, _ viewModel: ArrivingCharterViewModel
  ) -> ArrivingCharterPage {
    ArrivingCharterPage(frame: frame, charterID: id, viewModel: viewModel)
  }
}
