BEGIN TRANSACTION;
CREATE TABLE absences (
	person VARCHAR(40) NOT NULL,
	first DATE NOT NULL,
	last DATE NOT NULL,
	CONSTRAINT pk_absences PRIMARY KEY (person, first),
	CONSTRAINT fk_absences_person FOREIGN KEY(person) REFERENCES persons (id) ON DELETE CASCADE
);
CREATE TABLE ahead (
	game VARCHAR(40) NOT NULL,
	power VARCHAR(200) NOT NULL,
	orders TEXT NOT NULL,
	CONSTRAINT pk_ahead PRIMARY KEY (game, power),
	CONSTRAINT fk_ahead_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0034');
CREATE TABLE appeals (
	ban INTEGER NOT NULL,
	at DATETIME NOT NULL,
	text TEXT NOT NULL,
	answered BOOLEAN DEFAULT 0 NOT NULL,
	CONSTRAINT pk_appeals PRIMARY KEY (ban),
	CONSTRAINT fk_appeals_ban FOREIGN KEY(ban) REFERENCES bans (number) ON DELETE CASCADE
);
CREATE TABLE attendances (
	game VARCHAR(40) NOT NULL,
	phase_number INTEGER NOT NULL,
	tenure INTEGER NOT NULL,
	met BOOLEAN NOT NULL,
	at DATETIME NOT NULL,
	CONSTRAINT pk_attendances PRIMARY KEY (game, phase_number, tenure),
	CONSTRAINT fk_attendances_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE ballots (
	game VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	seat VARCHAR(200) NOT NULL,
	tenure INTEGER NOT NULL,
	yes BOOLEAN NOT NULL,
	CONSTRAINT pk_ballots PRIMARY KEY (game, number, seat),
	CONSTRAINT fk_ballots_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE ban_marks (
	ban INTEGER NOT NULL,
	digest VARCHAR(64) NOT NULL,
	CONSTRAINT pk_ban_marks PRIMARY KEY (ban, digest),
	CONSTRAINT fk_ban_marks_ban FOREIGN KEY(ban) REFERENCES bans (number) ON DELETE CASCADE
);
CREATE TABLE bans (
	number INTEGER NOT NULL,
	at DATETIME NOT NULL,
	until DATETIME,
	kind VARCHAR(20) NOT NULL,
	person VARCHAR(40),
	"by" VARCHAR(40),
	reason TEXT NOT NULL,
	lifted BOOLEAN DEFAULT 0 NOT NULL,
	CONSTRAINT pk_bans PRIMARY KEY (number),
	CONSTRAINT fk_bans_person FOREIGN KEY(person) REFERENCES persons (id) ON DELETE SET NULL,
	CONSTRAINT fk_bans_by FOREIGN KEY("by") REFERENCES persons (id) ON DELETE SET NULL
);
CREATE TABLE blocks (
	person VARCHAR(40) NOT NULL,
	blocked VARCHAR(40) NOT NULL,
	CONSTRAINT pk_blocks PRIMARY KEY (person, blocked),
	CONSTRAINT fk_blocks_person FOREIGN KEY(person) REFERENCES persons (id) ON DELETE CASCADE,
	CONSTRAINT fk_blocks_blocked FOREIGN KEY(blocked) REFERENCES persons (id) ON DELETE CASCADE
);
CREATE TABLE boards (
	name VARCHAR(64) NOT NULL,
	created DATETIME NOT NULL,
	content BLOB NOT NULL,
	CONSTRAINT pk_boards PRIMARY KEY (name)
);
CREATE TABLE challenges (
	digest VARCHAR(64) NOT NULL,
	kind VARCHAR(20) NOT NULL,
	person VARCHAR(40),
	content TEXT NOT NULL,
	expires DATETIME NOT NULL,
	CONSTRAINT pk_challenges PRIMARY KEY (digest),
	CONSTRAINT fk_challenges_person FOREIGN KEY(person) REFERENCES persons (id) ON DELETE CASCADE
);
CREATE TABLE closed_ways (
	digest VARCHAR(64) NOT NULL,
	CONSTRAINT pk_closed_ways PRIMARY KEY (digest)
);
CREATE TABLE codes (
	asked VARCHAR(64) NOT NULL,
	link VARCHAR(64) NOT NULL,
	code VARCHAR(64) NOT NULL,
	mail VARCHAR(320) NOT NULL,
	tries INTEGER NOT NULL,
	expires DATETIME NOT NULL,
	CONSTRAINT pk_codes PRIMARY KEY (asked)
);
CREATE TABLE counters (
	subject VARCHAR(64) NOT NULL,
	number INTEGER NOT NULL,
	until DATETIME NOT NULL,
	CONSTRAINT pk_counters PRIMARY KEY (subject)
);
CREATE TABLE games (
	id VARCHAR(40) NOT NULL,
	revision INTEGER NOT NULL,
	phase_number INTEGER NOT NULL,
	variant VARCHAR(200) NOT NULL,
	name VARCHAR(200) NOT NULL,
	phase VARCHAR(200) NOT NULL,
	turn INTEGER NOT NULL,
	over BOOLEAN NOT NULL,
	seating VARCHAR(20) NOT NULL,
	parent VARCHAR(40),
	parent_turn INTEGER,
	created DATETIME NOT NULL,
	changed DATETIME NOT NULL,
	record TEXT NOT NULL, timing TEXT, wake DATETIME, settings TEXT, state VARCHAR(20) DEFAULT 'running' NOT NULL, due DATETIME, waits TEXT DEFAULT '[]' NOT NULL, talk INTEGER DEFAULT '0' NOT NULL, listed VARCHAR(10) DEFAULT 'link' NOT NULL, anonymous BOOLEAN DEFAULT 0 NOT NULL, untold INTEGER DEFAULT '0' NOT NULL, stored BIGINT DEFAULT '0' NOT NULL, thinned BOOLEAN DEFAULT 0 NOT NULL,
	CONSTRAINT pk_games PRIMARY KEY (id)
);
INSERT INTO "games" VALUES('abc',1,1,'standard','A game','Fall 1901 movement',1,0,'hotseat',NULL,NULL,'2026-01-02 03:04:05.000000','2026-01-02 03:04:05.000000','{"format":"plenipo-game","ö":["ü"]}',NULL,NULL,NULL,'running',NULL,'[]',0,'link',0,0,0,0);
CREATE TABLE heartbeats (
	name VARCHAR(40) NOT NULL,
	at DATETIME NOT NULL,
	CONSTRAINT pk_heartbeats PRIMARY KEY (name)
);
CREATE TABLE hooks (
	game VARCHAR(40) NOT NULL,
	url VARCHAR(320) NOT NULL, secret VARCHAR(64) DEFAULT '' NOT NULL,
	CONSTRAINT pk_hooks PRIMARY KEY (game),
	CONSTRAINT fk_hooks_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE journal (
	game VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	at DATETIME NOT NULL,
	phase_number INTEGER NOT NULL,
	kind VARCHAR(40) NOT NULL,
	text TEXT NOT NULL,
	hash VARCHAR(64) NOT NULL, sentence TEXT DEFAULT '' NOT NULL,
	CONSTRAINT pk_journal PRIMARY KEY (game, number),
	CONSTRAINT fk_journal_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE keys (
	digest VARCHAR(64) NOT NULL,
	game VARCHAR(40) NOT NULL,
	power VARCHAR(200) NOT NULL,
	CONSTRAINT pk_keys PRIMARY KEY (digest),
	CONSTRAINT fk_keys_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "keys" VALUES('digest','abc','');
CREATE TABLE "mail_preferences" (
	person VARCHAR(40) NOT NULL,
	token VARCHAR(64) NOT NULL,
	calendar VARCHAR(64) NOT NULL,
	kinds TEXT NOT NULL,
	quiet_from INTEGER,
	quiet_until INTEGER,
	zone VARCHAR(64) NOT NULL, hour INTEGER DEFAULT '8' NOT NULL, language VARCHAR(40) DEFAULT '' NOT NULL,
	CONSTRAINT pk_mail_wishes PRIMARY KEY (person),
	CONSTRAINT fk_mail_wishes_person FOREIGN KEY(person) REFERENCES persons (id) ON DELETE CASCADE
);
CREATE TABLE marks (
	game VARCHAR(40) NOT NULL,
	tenure INTEGER NOT NULL,
	thread VARCHAR(64) NOT NULL,
	number INTEGER NOT NULL,
	CONSTRAINT pk_marks PRIMARY KEY (game, tenure, thread),
	CONSTRAINT fk_marks_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE merges (
	digest VARCHAR(64) NOT NULL,
	guest VARCHAR(40) NOT NULL,
	name VARCHAR(200) NOT NULL,
	created DATETIME NOT NULL,
	person VARCHAR(40) NOT NULL,
	tenures TEXT NOT NULL,
	until DATETIME NOT NULL,
	CONSTRAINT pk_merges PRIMARY KEY (digest),
	CONSTRAINT fk_merges_person FOREIGN KEY(person) REFERENCES persons (id) ON DELETE CASCADE
);
CREATE TABLE "message_readers" (
	game VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	tenure INTEGER NOT NULL,
	CONSTRAINT pk_letter_readers PRIMARY KEY (game, number, tenure),
	CONSTRAINT fk_letter_readers_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE "messages" (
	game VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	id VARCHAR(40) NOT NULL,
	thread TEXT NOT NULL,
	sender INTEGER NOT NULL,
	seat VARCHAR(200) NOT NULL,
	once VARCHAR(40) NOT NULL,
	phase_number INTEGER NOT NULL,
	phase VARCHAR(200) NOT NULL,
	written DATETIME NOT NULL,
	grey BOOLEAN NOT NULL,
	open BOOLEAN NOT NULL,
	text TEXT NOT NULL,
	proposal TEXT NOT NULL,
	CONSTRAINT pk_letters PRIMARY KEY (game, number),
	CONSTRAINT fk_letters_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE "moderation" (
	number INTEGER NOT NULL,
	at DATETIME NOT NULL,
	kind VARCHAR(40) NOT NULL,
	text TEXT NOT NULL,
	hash VARCHAR(64) NOT NULL,
	report INTEGER,
	"by" VARCHAR(40),
	about VARCHAR(40),
	CONSTRAINT pk_moderation PRIMARY KEY (number),
	CONSTRAINT fk_moderation_by FOREIGN KEY("by") REFERENCES persons (id) ON DELETE SET NULL,
	CONSTRAINT fk_moderation_about FOREIGN KEY(about) REFERENCES persons (id) ON DELETE SET NULL
);
CREATE TABLE motions (
	game VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	kind VARCHAR(20) NOT NULL,
	about TEXT NOT NULL,
	"by" VARCHAR(200) NOT NULL,
	phase_number INTEGER NOT NULL,
	moved DATETIME NOT NULL,
	until DATETIME,
	state VARCHAR(20) NOT NULL, goes_on DATETIME, changes TEXT,
	CONSTRAINT pk_motions PRIMARY KEY (game, number),
	CONSTRAINT fk_motions_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE mutes (
	game VARCHAR(40) NOT NULL,
	tenure INTEGER NOT NULL,
	muted INTEGER NOT NULL,
	CONSTRAINT pk_mutes PRIMARY KEY (game, tenure, muted),
	CONSTRAINT fk_mutes_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE notices (
	person VARCHAR(40) NOT NULL,
	game VARCHAR(40) NOT NULL,
	phase_number INTEGER NOT NULL,
	kind VARCHAR(40) NOT NULL,
	CONSTRAINT pk_notices PRIMARY KEY (person, game, phase_number, kind),
	CONSTRAINT fk_notices_person FOREIGN KEY(person) REFERENCES persons (id) ON DELETE CASCADE,
	CONSTRAINT fk_notices_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE "order_sets" (
	game VARCHAR(40) NOT NULL,
	phase_number INTEGER NOT NULL,
	power VARCHAR(200) NOT NULL,
	version INTEGER NOT NULL,
	ready BOOLEAN NOT NULL,
	created DATETIME NOT NULL,
	orders TEXT NOT NULL, tenure INTEGER,
	CONSTRAINT pk_sheets PRIMARY KEY (game, phase_number, power, version),
	CONSTRAINT fk_sheets_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE own_keys (
	name VARCHAR(40) NOT NULL,
	value TEXT NOT NULL,
	CONSTRAINT pk_own_keys PRIMARY KEY (name)
);
CREATE TABLE persons (
	id VARCHAR(40) NOT NULL,
	name VARCHAR(200) NOT NULL,
	created DATETIME NOT NULL,
	CONSTRAINT pk_persons PRIMARY KEY (id)
);
CREATE TABLE posts (
	id VARCHAR(40) NOT NULL,
	"to" VARCHAR(320) NOT NULL,
	subject VARCHAR(200) NOT NULL,
	body TEXT NOT NULL,
	tries INTEGER NOT NULL,
	not_before DATETIME,
	sent DATETIME, kind VARCHAR(40) DEFAULT 'mail' NOT NULL, person VARCHAR(40), game VARCHAR(40), headers TEXT DEFAULT '{}' NOT NULL,
	CONSTRAINT pk_posts PRIMARY KEY (id)
);
CREATE TABLE questions (
	game VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	phase_number INTEGER NOT NULL,
	phase VARCHAR(200) NOT NULL,
	power VARCHAR(200) NOT NULL,
	tenure INTEGER NOT NULL,
	"order" TEXT NOT NULL,
	text TEXT NOT NULL,
	asked DATETIME NOT NULL,
	answer TEXT NOT NULL,
	answered DATETIME,
	CONSTRAINT pk_questions PRIMARY KEY (game, number),
	CONSTRAINT fk_questions_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE readings (
	game VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	phase_number INTEGER NOT NULL,
	power VARCHAR(200) NOT NULL,
	"order" TEXT NOT NULL,
	read TEXT NOT NULL,
	digest VARCHAR(64) NOT NULL,
	salt VARCHAR(64) NOT NULL,
	text TEXT NOT NULL,
	withheld BOOLEAN NOT NULL,
	CONSTRAINT pk_readings PRIMARY KEY (game, number),
	CONSTRAINT fk_readings_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE reasons (
	game VARCHAR(40) NOT NULL,
	digest VARCHAR(64) NOT NULL,
	salt VARCHAR(64) NOT NULL,
	text TEXT NOT NULL,
	withheld BOOLEAN NOT NULL,
	CONSTRAINT pk_reasons PRIMARY KEY (game, digest),
	CONSTRAINT fk_reasons_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE reports (
	number INTEGER NOT NULL,
	at DATETIME NOT NULL,
	"by" VARCHAR(40),
	about VARCHAR(40),
	game VARCHAR(40),
	messages TEXT NOT NULL,
	sentence TEXT NOT NULL,
	closed BOOLEAN DEFAULT 0 NOT NULL, kind VARCHAR(20) DEFAULT 'other' NOT NULL, thread TEXT DEFAULT '[]' NOT NULL,
	CONSTRAINT pk_reports PRIMARY KEY (number),
	CONSTRAINT fk_reports_by FOREIGN KEY("by") REFERENCES persons (id) ON DELETE SET NULL,
	CONSTRAINT fk_reports_about FOREIGN KEY(about) REFERENCES persons (id) ON DELETE SET NULL,
	CONSTRAINT fk_reports_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE SET NULL
);
CREATE TABLE results (
	game VARCHAR(40) NOT NULL,
	tenure INTEGER NOT NULL,
	power VARCHAR(200) NOT NULL,
	score FLOAT NOT NULL,
	came VARCHAR(20) NOT NULL,
	press BOOLEAN NOT NULL,
	ended DATETIME NOT NULL,
	CONSTRAINT pk_results PRIMARY KEY (game, tenure),
	CONSTRAINT fk_results_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE seats (
	game VARCHAR(40) NOT NULL,
	power VARCHAR(200) NOT NULL,
	computer VARCHAR(200) NOT NULL,
	CONSTRAINT pk_seats PRIMARY KEY (game, power),
	CONSTRAINT fk_seats_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "seats" VALUES('abc','France','');
INSERT INTO "seats" VALUES('abc','England','sensible');
CREATE TABLE seekers (
	person VARCHAR(40) NOT NULL,
	wanted TEXT NOT NULL,
	CONSTRAINT pk_seekers PRIMARY KEY (person),
	CONSTRAINT fk_seekers_person FOREIGN KEY(person) REFERENCES persons (id) ON DELETE CASCADE
);
CREATE TABLE sequels (
	game VARCHAR(40) NOT NULL,
	next VARCHAR(40) NOT NULL,
	CONSTRAINT pk_sequels PRIMARY KEY (game),
	CONSTRAINT fk_sequels_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE sessions (
	digest VARCHAR(64) NOT NULL,
	person VARCHAR(40) NOT NULL,
	device VARCHAR(200) NOT NULL,
	created DATETIME NOT NULL,
	used DATETIME NOT NULL, network VARCHAR(64) DEFAULT '' NOT NULL,
	CONSTRAINT pk_sessions PRIMARY KEY (digest),
	CONSTRAINT fk_sessions_person FOREIGN KEY(person) REFERENCES persons (id) ON DELETE CASCADE
);
CREATE TABLE subscriptions (
	id VARCHAR(40) NOT NULL,
	session VARCHAR(64) NOT NULL,
	endpoint TEXT NOT NULL,
	"key" VARCHAR(200) NOT NULL,
	secret VARCHAR(200) NOT NULL,
	CONSTRAINT pk_subscriptions PRIMARY KEY (id),
	CONSTRAINT fk_subscriptions_session FOREIGN KEY(session) REFERENCES sessions (digest) ON DELETE CASCADE
);
CREATE TABLE tenures (
	game VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	name VARCHAR(200) NOT NULL,
	kind VARCHAR(20) NOT NULL,
	power VARCHAR(200) NOT NULL,
	preferences TEXT NOT NULL,
	person VARCHAR(40),
	since INTEGER NOT NULL,
	until INTEGER,
	CONSTRAINT pk_tenures PRIMARY KEY (game, number),
	CONSTRAINT fk_tenures_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE,
	CONSTRAINT fk_tenures_person FOREIGN KEY(person) REFERENCES persons (id) ON DELETE SET NULL
);
CREATE TABLE turns (
	game VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	phase VARCHAR(200) NOT NULL,
	hash VARCHAR(64) NOT NULL,
	record TEXT NOT NULL, ruling BOOLEAN DEFAULT 0 NOT NULL, at DATETIME,
	CONSTRAINT pk_turns PRIMARY KEY (game, number),
	CONSTRAINT fk_turns_game FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "turns" VALUES('abc',0,'phase 0','hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh','{"phase":"phase 0","hash":"hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh","number":0}',0,'2026-01-02 03:04:05.000000');
CREATE TABLE ways (
	kind VARCHAR(20) NOT NULL,
	identifier VARCHAR(320) NOT NULL,
	person VARCHAR(40) NOT NULL,
	created DATETIME NOT NULL, name VARCHAR(80) DEFAULT '' NOT NULL, "key" TEXT DEFAULT '' NOT NULL, counter BIGINT DEFAULT '0' NOT NULL, used DATETIME,
	CONSTRAINT pk_ways PRIMARY KEY (kind, identifier),
	CONSTRAINT fk_ways_person FOREIGN KEY(person) REFERENCES persons (id) ON DELETE CASCADE
);
CREATE INDEX ix_games_changed ON games (changed);
CREATE INDEX ix_games_parent ON games (parent);
CREATE INDEX ix_keys_game ON keys (game);
CREATE INDEX ix_games_wake ON games (wake);
CREATE INDEX ix_tenures_person ON tenures (person);
CREATE INDEX ix_ways_person ON ways (person);
CREATE INDEX ix_sessions_person ON sessions (person);
CREATE INDEX ix_posts_not_before ON posts (not_before);
CREATE INDEX ix_boards_created ON boards (created);
CREATE INDEX ix_motions_state_until ON motions (state, until);
CREATE INDEX ix_posts_person_game_kind ON posts (person, game, kind);
CREATE INDEX ix_games_listed_state ON games (listed, state);
CREATE INDEX ix_subscriptions_session ON subscriptions (session);
CREATE INDEX ix_counters_until ON counters (until);
CREATE INDEX ix_ban_marks_digest ON ban_marks (digest);
CREATE UNIQUE INDEX ix_messages_game_sender_once ON messages (game, sender, once);
CREATE INDEX ix_message_readers_game_tenure ON message_readers (game, tenure);
CREATE UNIQUE INDEX ix_mail_preferences_token ON mail_preferences (token);
CREATE UNIQUE INDEX ix_mail_preferences_calendar ON mail_preferences (calendar);
COMMIT;
