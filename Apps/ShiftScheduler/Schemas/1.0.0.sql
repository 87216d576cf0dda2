CREATE TABLE changes (
  id TEXT NOT NULL PRIMARY KEY,
  moment REAL NOT NULL,
  edits TEXT NOT NULL,
  position INTEGER NOT NULL,
  userID TEXT NOT NULL
);

CREATE TABLE locations (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  position INTEGER NOT NULL DEFAULT 0,
  userID TEXT NOT NULL
);

CREATE TABLE publishedShifts (
  id TEXT NOT NULL PRIMARY KEY,
  teamID TEXT NOT NULL REFERENCES teams ON DELETE CASCADE,
  shiftID TEXT NOT NULL,
  publisherID TEXT NOT NULL,
  date TEXT NOT NULL,
  duration TEXT NOT NULL,
  symbol TEXT NOT NULL,
  title TEXT NOT NULL,
  color TEXT NOT NULL,
  place TEXT NOT NULL,
  workerID TEXT NOT NULL,
  workerName TEXT NOT NULL
);

CREATE TABLE shiftTypes (
  id TEXT NOT NULL PRIMARY KEY,
  symbol TEXT NOT NULL,
  duration TEXT NOT NULL DEFAULT '{"scheduled":{"from":{"hour":9,"minute":0},"to":{"hour":17,"minute":0}}}',
  title TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  locationID TEXT,
  color TEXT NOT NULL DEFAULT 'blue',
  position INTEGER NOT NULL DEFAULT 0,
  userID TEXT NOT NULL
);

CREATE TABLE shifts (
  id TEXT NOT NULL PRIMARY KEY,
  shiftTypeID TEXT NOT NULL,
  date TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  overtimeMinutes INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'planned',
  position INTEGER NOT NULL DEFAULT 0,
  userID TEXT NOT NULL
);

CREATE TABLE swapAnswers (
  id TEXT NOT NULL PRIMARY KEY,
  teamID TEXT NOT NULL REFERENCES teams ON DELETE CASCADE,
  offerID TEXT NOT NULL REFERENCES swapOffers ON DELETE CASCADE,
  authorID TEXT NOT NULL,
  kind TEXT NOT NULL,
  date REAL NOT NULL
);

CREATE TABLE swapDecisions (
  id TEXT NOT NULL PRIMARY KEY,
  teamID TEXT NOT NULL REFERENCES teams ON DELETE CASCADE,
  offerID TEXT NOT NULL REFERENCES swapOffers ON DELETE CASCADE,
  kind TEXT NOT NULL,
  workerID TEXT NOT NULL
);

CREATE TABLE swapOffers (
  id TEXT NOT NULL PRIMARY KEY,
  teamID TEXT NOT NULL REFERENCES teams ON DELETE CASCADE,
  publishedID TEXT NOT NULL REFERENCES publishedShifts ON DELETE CASCADE,
  authorID TEXT NOT NULL,
  askedID TEXT,
  date REAL NOT NULL
);

CREATE TABLE teams (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL
);

CREATE INDEX idx_changes_position ON changes(position, id);

CREATE INDEX idx_locations_position ON locations(position, id);

CREATE INDEX idx_publishedShifts_day ON publishedShifts(teamID, date);

CREATE INDEX idx_publishedShifts_shiftID ON publishedShifts(shiftID, id);

CREATE INDEX idx_shiftTypes_position ON shiftTypes(position, id);

CREATE INDEX idx_shifts_date ON shifts(date, id);

CREATE INDEX idx_shifts_position ON shifts(position, id);

CREATE INDEX idx_swapAnswers_offerID ON swapAnswers(offerID, id);

CREATE INDEX idx_swapDecisions_offerID ON swapDecisions(offerID, id);

CREATE INDEX idx_swapOffers_publishedID ON swapOffers(publishedID, id);

CREATE TABLE _migrations (
  name TEXT PRIMARY KEY NOT NULL,
  position INTEGER NOT NULL,
  appliedAt TEXT,
  digest TEXT
);
INSERT INTO _migrations VALUES ('v1.0.0_createSchedule', 1, NULL, 'dde54b19edb73707');
