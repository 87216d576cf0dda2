extension SeedChecklist {
  /// Taking over a chartered sailing yacht.
  static let checkIn = SeedChecklist(
    key: "check-in", title: "Yacht check-in",
    description: "Take over a chartered sailing yacht: papers, safety, rig, engine, and what is "
      + "damaged already. Go through it with somebody of the charter base.",
    sections: [
      Section(
        key: "papers", title: "Papers and hull",
        items: [
          Item(
            "contract", "Charter contract, crew list, and licences on board",
            note: "The skipper's licence and the radio operator's certificate as originals."),
          Item(
            "registration", "Boat's registration and insurance on board, and not expired",
            isCritical: true),
          Item("inventory", "Inventory compared item by item, and signed with what is missing"),
          Item(
            "photos", "Every damage photographed and written down before you sign",
            note: "Topsides, bow, stern, rails, keel if you can dive, gelcoat, sails, upholstery.",
            isCritical: true),
          Item(
            "deposit", "Deposit and its insurance clear; number to call in case of damage saved"),
        ]),
      Section(
        key: "safety", title: "Safety gear",
        items: [
          Item(
            "lifejackets", "A lifejacket for each person, fitted to that person",
            note: "Cylinder screwed tight, indicator green, crotch strap, light, whistle; child "
              + "sizes where needed.",
            isCritical: true),
          Item("harnesses", "Tethers for each on watch; jacklines on board and long enough"),
          Item(
            "liferaft", "Liferaft in date, accessible, painter made fast, weak link in place",
            isCritical: true),
          Item(
            "flares", "Flares in date; all know where they are",
            note: "Count red hand flares, parachute rockets, and orange smoke.", isCritical: true),
          Item(
            "extinguishers", "Fire extinguishers in date and charged; fire blanket in the galley",
            isCritical: true),
          Item("first-aid", "First-aid kit complete and in date"),
          Item(
            "mob-gear", "Horseshoe buoy, light, and throwing line ready at the stern",
            isCritical: true),
          Item("plugs", "Wooden plugs at each through-hull fitting; emergency tiller fits"),
          Item("epirb", "EPIRB or PLB in date, registered to this boat; test passed"),
        ]),
      Section(
        key: "deck", title: "Deck and rig",
        items: [
          Item(
            "standing-rigging", "Shrouds, stays, turnbuckles, and split pins looked at",
            note: "No broken strands, no cracks at the terminals, every pin secured.",
            isCritical: true),
          Item("sails", "Sails hoisted or unrolled once: seams, leech lines, battens"),
          Item("reefing", "Each reef taken and shaken out once alongside or at anchor"),
          Item("winches", "Winches, clutches, and blocks run; two winch handles at least"),
          Item("guardrails", "Stanchions, guard wires, and gates firm", isCritical: true),
          Item(
            "anchor", "Anchor, chain length and marks, and windlass tried under load",
            note: "Bitter end made fast so that it can be cut; remote control and breaker known.",
            isCritical: true),
          Item("dock-lines", "Four dock lines and six fenders at least; boat hook"),
          Item("dinghy", "Dinghy, oars, pump, outboard, kill cord, and fuel; outboard started"),
        ]),
      Section(
        key: "below", title: "Engine and below deck",
        items: [
          Item(
            "engine", "Oil, coolant, belt, and raw-water filter checked; no leak in the bilge",
            isCritical: true),
          Item(
            "cooling", "Engine started: cooling water comes out, gauges normal, no alarm",
            isCritical: true),
          Item("gearbox", "Forward, astern, and bow thruster tried with lines on"),
          Item("fuel", "Fuel tank full; consumption and reserve asked; spare filter and impeller"),
          Item(
            "seacocks", "Every seacock found and moved; positions noted on the plan",
            isCritical: true),
          Item(
            "bilge-pumps", "Electric and manual bilge pumps tried; handle in its place",
            isCritical: true),
          Item(
            "gas", "Gas bottle tight; valve and shut-off at the stove known; spare bottle",
            note: "Smell, then soap water at the joints. The detector's test passed.",
            isCritical: true),
          Item("batteries", "Batteries charged and holding; main switches and fuses known"),
          Item("water", "Fresh-water tanks full; pump, switch-over, and shore filter tried"),
          Item("heads", "Heads pump both ways; holding tank empty; its seacock explained"),
        ]),
      Section(
        key: "navigation", title: "Navigation and radio",
        items: [
          Item("vhf", "VHF: radio check made; MMSI entered; DSC key found", isCritical: true),
          Item("plotter", "Plotter, log, depth, and wind show sensible values; depth offset known"),
          Item("charts", "Paper charts and pilot book of the area; hand-bearing compass"),
          Item("lights", "Navigation and anchor lights tried at dusk, seen from the dock"),
          Item("autopilot", "Autopilot tried; how to switch it off is clear to all who steer"),
        ]),
    ])
}
