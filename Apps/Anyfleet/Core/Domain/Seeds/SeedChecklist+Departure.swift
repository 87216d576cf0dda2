extension SeedChecklist {
  /// Leaving a berth or an anchorage for a day's sail.
  static let departure = SeedChecklist(
    key: "departure", title: "Departure",
    description: "Before each day's sail: plan, weather, boat, and crew. Half an hour well spent.",
    sections: [
      Section(
        key: "plan", title: "Weather and plan",
        items: [
          Item(
            "forecast", "Forecast read from two sources; wind, gusts, and sea fit boat and crew",
            isCritical: true),
          Item("warnings", "Navigational warnings and thunderstorm risk looked up"),
          Item("tides", "Tides, currents, and daylight worked out, where they matter"),
          Item(
            "route", "Route drawn and looked at for dangers at a large scale",
            note: "Shoals, traffic lanes, restricted areas, wrecks; a safe depth set as alarm.",
            isCritical: true),
          Item("refuges", "Two harbours of refuge chosen, for two wind directions"),
          Item(
            "float-plan", "Float plan left with somebody ashore: route, crew, time to call",
            isCritical: true),
          Item("berth", "Berth for the night reserved, or an anchorage and a second one chosen"),
        ]),
      Section(
        key: "boat", title: "Boat",
        items: [
          Item(
            "engine-check", "Oil, coolant, belt, and raw-water filter looked at", isCritical: true),
          Item("fuel-level", "Fuel for the whole way under engine, and a third in reserve"),
          Item("water-level", "Water for a day more than planned; tank in use noted"),
          Item("bilge", "Bilge dry; if not, the reason found", isCritical: true),
          Item("gas-off", "Gas shut off at the bottle", isCritical: true),
          Item("hatches", "Hatches, portlights, and the seacock of the heads closed"),
          Item("stowed", "Everything below stowed for heeling; lockers latched"),
          Item("batteries-charged", "Batteries above 12.5 V; shore power off, cable stowed"),
          Item("rubbish", "Rubbish ashore; holding tank emptied where one may"),
        ]),
      Section(
        key: "deck", title: "Deck",
        items: [
          Item("sails-ready", "Halyards on, sheets led, sail cover off; first reef ready"),
          Item(
            "lines-clear", "No line overboard; propeller and bow thruster clear",
            isCritical: true),
          Item("anchor-ready", "Anchor secured for sea, and ready to let go", isCritical: true),
          Item("dinghy-secured", "Dinghy on deck or on a short painter; outboard on its bracket"),
          Item("instruments", "Plotter, log, depth, wind, and autopilot on; lights at dusk"),
          Item("vhf-on", "VHF on, channel 16; radio check made", isCritical: true),
        ]),
      Section(
        key: "crew", title: "Crew and casting off",
        items: [
          Item(
            "jackets-on", "Lifejackets on or at hand, as the skipper says", isCritical: true),
          Item("briefed", "Today's way, weather, and watches told to all; nobody unwell"),
          Item("roles", "Each knows the line to handle, and in which order they come off"),
          Item(
            "engine-running", "Engine warm; cooling water comes out; ahead and astern tried",
            isCritical: true),
          Item("wind-current", "Wind, current, and traffic looked at; way out and plan B told"),
          Item("log-start", "Time, log, engine hours, and barometer written into the logbook"),
        ]),
    ])
}
