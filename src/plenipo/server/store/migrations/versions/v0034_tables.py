"""The oldest tables that this program reads; a new database has the tables of `schema` from the start."""

revision = "0034"
down_revision = None
branch_labels = None
depends_on = None
