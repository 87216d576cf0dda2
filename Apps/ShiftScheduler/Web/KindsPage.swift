import Foundation
import OffshoreCalendar
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import ShiftScheduler

/// The shift types and the locations.
struct KindsPage: ShiftPage {
  let app: ShiftApp
  let store: ShiftStore

  func page(_ tab: Tab) -> Page {
    page(tab, say(.kinds), in: .kinds) {
      h2 { say(.shiftTypes) }
      tab.region("types") { types }
      h2 { say(.locations) }
      tab.region("locations") { locations }
      p(.class("buttons")) {
        LinkButton(say(.newLocation), to: ShiftRoute.new(.locations).address)
      }
    } actions: {
      BarLink.new(say(.newType), to: ShiftRoute.new(.types).address)
    }
  }

  @HTMLBuilder private var types: HTML {
    let (types, locations) = (store.shiftTypes.shiftTypes, store.locations.locations)
    if types.isEmpty {
      EmptyView(
        title: say(.noTypes), text: say(.typesExplained),
        action: .link(say(.newType), to: ShiftRoute.new(.types).address))
    } else {
      Card(label: say(.shiftTypes), id: "type-rows") {
        for type in types {
          LinkRow(
            type.title, to: ShiftRoute.edit(.types, type.id).address,
            text: [say.duration(type.duration), type.location(from: locations)?.name]
              .compactMap(\.self).joined(separator: " · "),
            id: "type-\(type.id)", leading: ColorMark(type.color, symbol: type.symbol).html)
        }
      }
    }
  }

  @HTMLBuilder private var locations: HTML {
    if store.locations.locations.isEmpty {
      p(.class("hint")) { say(en: "No locations yet.", ru: "Мест пока нет.") }
    } else {
      Card(label: say(.locations), id: "location-rows") {
        for location in store.locations.locations {
          LinkRow(
            location.name, to: ShiftRoute.edit(.locations, location.id).address,
            text: location.address.isEmpty ? nil : location.address, id: "location-\(location.id)")
        }
      }
    }
  }
}
