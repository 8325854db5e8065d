"""Tables, columns and stored words by the terms of the glossary: messages, order sets, preferences, host."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

TABLES = {
    "letters": "messages",
    "letter_readers": "message_readers",
    "sheets": "order_sets",
    "mail_wishes": "mail_preferences",
}

COLUMNS = (("tenures", "wishes", "preferences"), ("results", "letters", "press"), ("reports", "letters", "messages"))

INDEXES = (
    ("letters", ("game", "sender", "once"), True),
    ("letter_readers", ("game", "tenure"), False),
    ("mail_wishes", ("token",), True),
    ("mail_wishes", ("calendar",), True),
)

KEYS = {
    "banks": "time_bank_shown",
    "keeper": "host",
    "letters": "press",
    "muster": "ready_check",
    "own_time": "time_bank",
    "own_time_shown": "time_bank_shown",
}
"""Keys of settings and schedules."""

VALUES = {
    "deal": {"wishes": "preferences", "keeper": "host"},
    "host": {"keeper": "host"},
    "state": {"mustering": "ready_check"},
}
"""Values of settings and schedules, by their new keys."""

WORDS = (
    ("tenures", "kind", {"keeper": "host"}),
    ("results", "came", {"keeper": "host"}),
    ("games", "state", {"mustering": "ready_check"}),
    ("posts", "kind", {"letter": "message"}),
)
"""Columns of one word."""

DOCUMENTS = {
    "games": ("settings", "timing"),
    "motions": ("changes",),
    "mail_preferences": ("kinds",),
    "seekers": ("wanted",),
}
"""Columns of JSON, by table."""


def _turned(table: dict[str, str]) -> dict[str, str]:
    return {new: old for old, new in table.items()}


def rename_words(
    value: Any,  # JSON of any shape
    keys: dict[str, str],
    values: dict[str, dict[str, str]],
    path: tuple[str, ...] = (),
) -> Any:
    """Return JSON with other keys, and with other values of some of them; `path` leads to it.

    A `bank` of a seat, or of the rules for missed orders, is its extensions; that of a schedule is the time bank.
    """
    if isinstance(value, list):
        return [rename_words(item, keys, values, path) for item in value]
    if not isinstance(value, dict):
        return value
    renamed: dict[str, Any] = {}
    for name, item in value.items():
        key = keys.get(str(name), str(name))
        if key == "bank":
            key = "extensions" if "missed" in path[-1:] or "seats" in path[-2:-1] else "time_bank"
        words = values.get(key, {})
        renamed[key] = (
            words.get(item, item) if isinstance(item, str) else rename_words(item, keys, values, (*path, key))
        )
    return renamed


def _rename_documents(keys: dict[str, str], values: dict[str, dict[str, str]], *, only: tuple[str, ...]) -> None:
    connection = op.get_bind()
    for name in only:
        known = {column["name"] for column in sa.inspect(connection).get_columns(name)}
        table = sa.table(name, *(sa.column(one) for one in sorted(known)))
        primary = sa.inspect(connection).get_pk_constraint(name)["constrained_columns"]
        for column in set(DOCUMENTS[name]) & known:
            cells = table.c[column]
            for row in connection.execute(sa.select(*(table.c[one] for one in primary), cells)).all():
                if row[-1] is None or (new := json.dumps(rename_words(json.loads(row[-1]), keys, values))) == row[-1]:
                    continue
                here = [table.c[one] == found for one, found in zip(primary, row, strict=False)]
                connection.execute(sa.update(table).where(*here).values({column: new}))


def _index(table: str, columns: tuple[str, ...]) -> str:
    return f"ix_{table}_{'_'.join(columns)}"


def upgrade() -> None:
    """Rename the tables and columns, and the words in them."""
    for table, columns, _ in INDEXES:
        op.drop_index(_index(table, columns), table)
    for old, new in TABLES.items():
        op.rename_table(old, new)
    for table, columns, unique in INDEXES:
        op.create_index(_index(TABLES[table], columns), TABLES[table], list(columns), unique=unique)
    for table, old, new in COLUMNS:
        op.alter_column(table, old, new_column_name=new)
    for table, column, words in WORDS:
        for old, new in words.items():
            op.execute(f"UPDATE {table} SET {column} = '{new}' WHERE {column} = '{old}'")  # noqa: S608  # names of this file
    _rename_documents(KEYS, VALUES, only=("games", "motions"))
    _rename_documents({"letter": "message", "letters": "press"}, {}, only=("mail_preferences", "seekers"))


def downgrade() -> None:
    """Give them back their former names."""
    keys = _turned(KEYS)
    values = {{"host": "keeper"}.get(key, key): _turned(words) for key, words in VALUES.items()}
    _rename_documents({"message": "letter", "press": "letters"}, {}, only=("mail_preferences", "seekers"))
    _rename_documents(keys, values, only=("games", "motions"))
    for table, column, words in WORDS:
        for old, new in words.items():
            op.execute(f"UPDATE {table} SET {column} = '{old}' WHERE {column} = '{new}'")  # noqa: S608  # names of this file
    for table, old, new in COLUMNS:
        op.alter_column(table, new, new_column_name=old)
    for table, columns, _ in INDEXES:
        op.drop_index(_index(TABLES[table], columns), TABLES[table])
    for old, new in TABLES.items():
        op.rename_table(new, old)
    for table, columns, unique in INDEXES:
        op.create_index(_index(table, columns), table, list(columns), unique=unique)
