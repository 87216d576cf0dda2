extension SeedChecklist {
  /// What everybody on board hears before the first trip.
  static let safetyBriefing = SeedChecklist(
    key: "safety-briefing", title: "Safety briefing",
    description: "For everybody on board before the first trip, and again for whoever joins later. "
      + "Show and let them try; do not only tell.",
    sections: [
      Section(
        key: "people", title: "People",
        items: [
          Item(
            "health", "Illnesses, medication, allergies, and who cannot swim known to the skipper",
            note: "Ask in private, and keep it to yourself.", isCritical: true),
          Item("deputy", "A deputy named who can take over from the skipper", isCritical: true),
          Item("seasickness", "Seasickness: take something early, look at the horizon, to leeward"),
          Item("sun", "Sun, water to drink, and hats; shoes on deck"),
        ]),
      Section(
        key: "lifejackets", title: "Lifejackets",
        items: [
          Item(
            "fit", "Each has put on and adjusted an own lifejacket, with crotch strap",
            isCritical: true),
          Item("inflate", "How it inflates by itself, by hand, and by mouth shown"),
          Item(
            "when", "Worn at night, alone on deck, when reefed, and when the skipper says",
            isCritical: true),
          Item("clip-on", "Where to clip on, and that one clips on before leaving the cockpit"),
        ]),
      Section(
        key: "moving", title: "Moving about",
        items: [
          Item("one-hand", "One hand for yourself, one for the boat; low, and to windward"),
          Item("boom", "The boom: where it swings, and what to do at a jibe", isCritical: true),
          Item("winch", "Winches and lines: fingers away, no loops round a foot", isCritical: true),
          Item("windlass", "The windlass: one person, shoes on, hands off the chain"),
          Item("overboard", "Nobody goes to the rail to relieve themselves"),
          Item("swimming", "Swimming only with the engine off, and when the skipper says"),
        ]),
      Section(
        key: "mob", title: "Man overboard",
        items: [
          Item(
            "shout", "Shout, point, and never look away; throw the buoy at once",
            isCritical: true),
          Item("mob-button", "MOB button on plotter and radio shown", isCritical: true),
          Item(
            "manoeuvre", "Manoeuvre explained: stop the boat, engine on, lines clear, lee side",
            isCritical: true),
          Item("recovery", "How to get somebody out: ladder, halyard, sling; tried with a fender"),
          Item("drill", "Drill sailed once by somebody other than the skipper"),
        ]),
      Section(
        key: "emergencies", title: "Fire, water, and help",
        items: [
          Item(
            "fire", "Extinguishers and fire blanket: where they are and how they work",
            isCritical: true),
          Item(
            "gas-rule", "Gas: on at the bottle only to cook; off, burn out, close",
            isCritical: true),
          Item("engine-fire", "Engine fire: do not open the hatch; stop, fuel off, extinguish"),
          Item(
            "leak", "Water in the boat: bilge pumps, seacocks, plugs, buckets", isCritical: true),
          Item(
            "distress", "Distress call tried without sending: red key, channel 16, what to say",
            note: "MAYDAY three times, name three times, position, what happened, how many people.",
            isCritical: true),
          Item("flares-use", "Flares: where they are, held to leeward, never towards people"),
          Item(
            "abandon", "Liferaft and grab bag: who takes what; only step up into it",
            isCritical: true),
        ]),
      Section(
        key: "daily", title: "Living on board", isExpanded: false,
        items: [
          Item("heads-use", "Heads: how to pump, what goes in, and closing the seacock"),
          Item("hatches-shut", "Hatches and portlights shut under way"),
          Item("power", "Water and power are short: what they are needed for first"),
          Item("engine-stop", "How to start and stop the engine; each has done it"),
          Item("position", "Where to read the position, and how to tell it by radio"),
        ]),
    ])
}
