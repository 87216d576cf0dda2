import OffshorePresentation

/// The departure from a berth or an anchorage for a day trip.
enum DepartureSeed {
  private typealias Section = SeedChecklist.Section
  private typealias Item = SeedChecklist.Item

  static let checklist = SeedChecklist(
    key: "departure", title: LocalizedText(en: "Departure", ru: "Выход в море"),
    description: LocalizedText(
      en: "Before each day's sail: plan, weather, boat, and crew. Half an hour well spent.",
      ru: "Перед каждым дневным переходом: план, погода, лодка и экипаж. Полчаса, которые "
        + "окупаются."),
    sections: [
      Section(
        key: "plan", title: LocalizedText(en: "Weather and plan", ru: "Погода и план"),
        items: [
          Item(
            "forecast",
            en: "Forecast read from two sources; wind, gusts, and sea fit boat and "
              + "crew",
            ru: "Прогноз из двух источников; ветер, порывы и волна по силам лодке и экипажу",
            isCritical: true),
          Item(
            "warnings", en: "Navigational warnings and thunderstorm risk looked up",
            ru: "Навигационные предупреждения и риск гроз просмотрены"),
          Item(
            "tides", en: "Tides, currents, and daylight worked out, where they matter",
            ru: "Приливы, течения и светлое время рассчитаны, где это важно"),
          Item(
            "route", en: "Route drawn and looked at for dangers at a large scale",
            ru: "Маршрут проложен и проверен на опасности в крупном масштабе",
            note: LocalizedText(
              en: "Shoals, traffic lanes, restricted areas, wrecks; a safe depth set as alarm.",
              ru: "Отмели, системы разделения, запретные районы, затонувшие суда; тревога на "
                + "безопасной глубине."), isCritical: true),
          Item(
            "refuges", en: "Two harbours of refuge chosen, for two wind directions",
            ru: "Выбраны две гавани-убежища для двух направлений ветра"),
          Item(
            "float-plan", en: "Float plan left with somebody ashore: route, crew, time to call",
            ru: "План перехода оставлен на берегу: маршрут, экипаж, время связи", isCritical: true),
          Item(
            "berth", en: "Berth for the night reserved, or an anchorage and a second one chosen",
            ru: "Место на ночь забронировано, или выбраны якорная стоянка и запасная"),
        ]),
      Section(
        key: "boat", title: LocalizedText(en: "Boat", ru: "Лодка"),
        items: [
          Item(
            "engine-check", en: "Oil, coolant, belt, and raw-water filter looked at",
            ru: "Масло, антифриз, ремень и фильтр забортной воды осмотрены", isCritical: true),
          Item(
            "fuel-level", en: "Fuel for the whole way under engine, and a third in reserve",
            ru: "Топлива хватит на весь путь под мотором и ещё на треть"),
          Item(
            "water-level", en: "Water for a day more than planned; tank in use noted",
            ru: "Воды на день больше, чем по плану; отмечено, какой бак в работе"),
          Item(
            "bilge", en: "Bilge dry; if not, the reason found",
            ru: "Трюм сухой; если нет, причина найдена", isCritical: true),
          Item(
            "gas-off", en: "Gas shut off at the bottle",
            ru: "Газ закрыт на баллоне", isCritical: true),
          Item(
            "hatches", en: "Hatches, portlights, and the seacock of the heads closed",
            ru: "Люки, иллюминаторы и кингстон гальюна закрыты"),
          Item(
            "stowed", en: "Everything below stowed for heeling; lockers latched",
            ru: "Внизу всё закреплено под крен; рундуки закрыты"),
          Item(
            "batteries-charged", en: "Batteries above 12.5 V; shore power off, cable stowed",
            ru: "Аккумуляторы выше 12,5 В; береговое питание снято, кабель убран"),
          Item(
            "rubbish", en: "Rubbish ashore; holding tank emptied where one may",
            ru: "Мусор на берегу; фекальный танк опорожнён там, где можно"),
        ]),
      Section(
        key: "deck", title: LocalizedText(en: "Deck", ru: "Палуба"),
        items: [
          Item(
            "sails-ready", en: "Halyards on, sheets led, sail cover off; first reef ready",
            ru: "Фалы заведены, шкоты проведены, чехол снят; первый риф наготове"),
          Item(
            "lines-clear", en: "No line overboard; propeller and bow thruster clear",
            ru: "Ни одного конца за бортом; винт и подруливающее свободны", isCritical: true),
          Item(
            "anchor-ready", en: "Anchor secured for sea, and ready to let go",
            ru: "Якорь закреплён по-походному и готов к отдаче", isCritical: true),
          Item(
            "dinghy-secured", en: "Dinghy on deck or on a short painter; outboard on its bracket",
            ru: "Тузик на палубе или на коротком фалине; мотор на кронштейне"),
          Item(
            "instruments", en: "Plotter, log, depth, wind, and autopilot on; lights at dusk",
            ru: "Плоттер, лаг, эхолот, ветер и авторулевой включены; в сумерках огни"),
          Item(
            "vhf-on", en: "VHF on, channel 16; radio check made",
            ru: "УКВ включена, канал 16; связь проверена", isCritical: true),
        ]),
      Section(
        key: "crew", title: LocalizedText(en: "Crew and casting off", ru: "Экипаж и отход"),
        items: [
          Item(
            "jackets-on", en: "Lifejackets on or at hand, as the skipper says",
            ru: "Спасжилеты надеты или под рукой, как скажет шкипер", isCritical: true),
          Item(
            "briefed", en: "Today's way, weather, and watches told to all; nobody unwell",
            ru: "Путь, погода и вахты на сегодня объявлены всем; все здоровы"),
          Item(
            "roles", en: "Each knows the line to handle, and in which order they come off",
            ru: "Каждый знает свой швартов и порядок отдачи"),
          Item(
            "engine-running", en: "Engine warm; cooling water comes out; ahead and astern tried",
            ru: "Двигатель прогрет; вода охлаждения идёт; вперёд и назад проверены",
            isCritical: true),
          Item(
            "wind-current", en: "Wind, current, and traffic looked at; way out and plan B told",
            ru: "Ветер, течение и движение оценены; путь выхода и план Б объявлены"),
          Item(
            "log-start", en: "Time, log, engine hours, and barometer written into the logbook",
            ru: "Время, лаг, моточасы и барометр записаны в судовой журнал"),
        ]),
    ])
}
