"""One small board, the Isle, written by us in every format that is read.

Upland is inland, Cape has a north and a south coast, Town and Port lie on both seas; Red begins in Cape and Town, Blue
in Port. The truth about it stands below as names, apart from all the files.
"""

ARMIES = {("Upland", "Cape"), ("Upland", "Town"), ("Cape", "Town"), ("Town", "Port")}
"""The contacts of armies, each once."""

FLEETS = {
    ("Cape NC", "North Bay"),
    ("Cape SC", "South Bay"),
    ("Cape NC", "Town"),
    ("Town", "North Bay"),
    ("Town", "Port"),
    ("Port", "North Bay"),
    ("Port", "South Bay"),
    ("North Bay", "South Bay"),
}
"""The contacts of fleets, each once."""

KINDS = {
    "Upland": "inland",
    "Cape": "coast",
    "Town": "coast",
    "Port": "coast",
    "North Bay": "sea",
    "South Bay": "sea",
}

OPENING = {"Red": {"F Cape SC", "A Town"}, "Blue": {"F Port"}}
HOMES = {"Red": {"Cape", "Town"}, "Blue": {"Port"}}
CENTRES = {"Cape", "Town", "Port", "Upland"}

JUDGE = {
    "isle.map": """# the isle
USE isle.geography
VICTORY 3
BEGIN SPRING 1850 MOVEMENT
RED (REDDISH) CAP TWN
A TWN
F CAP/SC
BLUE (BLUISH) POR
F POR
UNOWNED UPL
""",
    "isle.geography": """Upland = upl
Cape = cap headland
Cape (north coast) = cap/nc
Cape (south coast) = cap/sc
Town = twn
Port = por
North Bay = nby
South Bay = sby
LAND upl ABUTS cap TWN
COAST cap ABUTS upl twn
COAST CAP/NC ABUTS NBY TWN
COAST CAP/SC ABUTS SBY
COAST TWN ABUTS upl cap CAP/NC NBY por
AMEND TWN ABUTS -por POR
COAST POR ABUTS TWN NBY SBY
WATER NBY ABUTS CAP/NC TWN POR SBY
WATER SBY ABUTS CAP/SC POR NBY
""",
}

NJUDGE = {
    "map.isle": """# the isle
Upland, x upl up
Cape, R cap headland
Town, R twn
Port, B por
North Bay, w nby
South Bay, w sby
-1
upl-mv: cap twn
cap-mv: up twn
cap-nc: nby twn
cap-sc: sby
twn-mv: upl cap por
twn-xc: nby por cap/nc
por-mv: twn
por-xc: twn nby sby
nby-xc: cap/nc twn por sby
sby-xc: cap/sc por nby
-1
""",
    "seed.isle": """S1850M
R: A Town
R: F Headland/sc
B: F Port
-1
-1
""",
    "info.isle": "An isle.\n R: Red, in the west\n B: Blue, in the east\n",
}

JDIP = {
    "variants/isle/variants.xml": """<?xml version="1.0"?>
<!DOCTYPE VARIANTS [ <!ELEMENT VARIANTS (VARIANT+)> ]>
<VARIANTS>
<VARIANT name="Isle" version="1.0">
<DESCRIPTION><![CDATA[<p>An isle. Author: Ann Other</p>]]></DESCRIPTION>
<MAP adjacencyURI="isle_adjacency.xml"/>
<RULEOPTIONS><RULEOPTION name="OPTION_BUILDS" value="VALUE_BUILDS_ANY_OWNED"/></RULEOPTIONS>
<POWER name="Red" active="true" adjective="Reddish"/>
<POWER name="Blue" active="true" adjective="Bluish" altnames="azure"/>
<STARTINGTIME turn="Spring, 1850, Movement"/>
<VICTORYCONDITIONS><WINNING_SUPPLY_CENTERS value="3"/></VICTORYCONDITIONS>
<SUPPLYCENTER province="cap" homepower="red" owner="red"/>
<SUPPLYCENTER province="twn" homepower="red" owner="red"/>
<SUPPLYCENTER province="por" homepower="azure" owner="blue"/>
<SUPPLYCENTER province="upl"/>
<INITIALSTATE province="twn" power="red" unit="army"/>
<INITIALSTATE province="cap" power="red" unit="fleet" unitcoast="sc"/>
<INITIALSTATE province="por" power="blue" unit="fleet"/>
</VARIANT>
</VARIANTS>
""",
    "variants/isle/isle_adjacency.xml": """<?xml version="1.0"?>
<PROVINCES>
<PROVINCE shortname="upl" fullname="Upland"><UNIQUENAME name="up"/><ADJACENCY type="mv" refs="cap twn"/></PROVINCE>
<PROVINCE shortname="cap" fullname="Cape"><ADJACENCY type="mv" refs="up twn"/>
<ADJACENCY type="nc" refs="nby twn"/><ADJACENCY type="sc" refs="sby"/></PROVINCE>
<PROVINCE shortname="twn" fullname="Town"><ADJACENCY type="mv" refs="upl cap por"/>
<ADJACENCY type="xc" refs="nby por cap-nc"/></PROVINCE>
<PROVINCE shortname="por" fullname="Port"><ADJACENCY type="mv" refs="twn"/>
<ADJACENCY type="xc" refs="twn nby sby"/></PROVINCE>
<PROVINCE shortname="nby" fullname="North Bay"><ADJACENCY type="xc" refs="cap-nc twn por sby"/></PROVINCE>
<PROVINCE shortname="sby" fullname="South Bay"><ADJACENCY type="xc" refs="cap-sc por nby"/></PROVINCE>
</PROVINCES>
""",
}

WDIPLOMACY = {
    "variants/Isle/variant.php": """<?php
// a variant of our own
class IsleVariant extends WDVariant {
    public $name = 'Isle'; public $fullName = 'The Isle';
    public $description = 'An isle.'; public $author = 'Ann Other';
    public $countries = array('Red', 'Blue');
    public $supplyCenterTarget = 3;
    public function turnAsDate($turn) { return floor($turn/2) + 1850; }
}
""",
    "variants/Isle/install.php": """<?php
$territoryRawData=array(
    array('Upland', 'Land', 'Yes', 0, 10, 10),
    array('Cape', 'Coast', 'Yes', 1, 0, 20), # the west
    array('Cape (North Coast)', 'Coast', 'No', 1, 0, 15),
    array('Cape (South Coast)', 'Coast', 'No', 1, 0, 25),
    array('Town', 'Coast', 'Yes', 1, 10, 20),
    array('Port', 'Coast', 'Yes', 2, 20, 20),
    array("North Bay", 'Sea', 'No', 0, 10, 30),
    array('South Bay', 'Sea', 'No', 0, 10, 0)
);
foreach($territoryRawData as $territoryRawRow) { list($name, $type, $supply, $countryID, $x, $y)=$territoryRawRow; }
$bordersRawData=array(
    array('Upland','Cape','No','Yes'), array('Upland','Town','No','Yes'),
    array('Cape','Town','No','Yes'), array('Town','Port','Yes','Yes'),
    array('Cape (North Coast)','North Bay','Yes','No'), array('Cape (South Coast)','South Bay','Yes','No'),
    array('Cape (North Coast)','Town','Yes','No'), array('Town','North Bay','Yes','No'),
    array('Port','North Bay','Yes','No'), array('Port','South Bay','Yes','No'),
    array('North Bay','South Bay','Yes','No')
);
""",
    "variants/Isle/classes/adjudicatorPreGame.php": """<?php
class IsleVariant_adjudicatorPreGame extends adjudicatorPreGame {
    protected $countryUnits = array(
        'Red' => array('Cape (South Coast)' => 'Fleet', 'Town' => 'Army'),
        'Blue' => array('Port' => 'Fleet'),
    );
}
""",
}

GODIP = {
    "variants/isle/isle.go": """package isle
const (
    Red  godip.Nation = "Red"
    Blue godip.Nation = "Blue"
)
var Nations = []godip.Nation{Red, Blue}
var IsleVariant = common.Variant{
    Name: "Isle", Nations: Nations, CreatedBy: "Ann Other",
    SoloWinner: common.SCCountWinner(3),
    ProvinceLongNames: map[godip.Province]string{ "upl": "Upland", "cap": "Cape", "twn": "Town", "por": "Port",
        "nby": "North Bay", "sby": "South Bay" },
}
func IsleStart() (result *state.State, err error) {
    startPhase := classical.NewPhase(1850, godip.Spring, godip.Movement)
    if err = result.SetUnits(map[godip.Province]godip.Unit{
        "twn": godip.Unit{godip.Army, Red}, // the army
        "cap/sc": godip.Unit{godip.Fleet, Red},
        "por": {godip.Fleet, Blue},
    }); err != nil { return }
    result.SetSupplyCenters(map[godip.Province]godip.Nation{ "cap": Red, "twn": Red, "por": Blue })
    return
}
func IsleGraph() *graph.Graph {
    return graph.New().
        Prov("upl").Conn("cap", godip.Land).Conn("twn", godip.Land).Flag(godip.Land).SC(godip.Neutral).
        Prov("cap").Conn("upl", godip.Land).Conn("twn", godip.Land).Flag(godip.Land).SC(Red).
        Prov("cap/nc").Conn("nby", godip.Sea).Conn("twn", godip.Sea).Flag(godip.Sea).
        Prov("cap/sc").Conn("sby", godip.Sea).Flag(godip.Sea).
        Prov("twn").Conn("upl", godip.Land).Conn("cap", godip.Land).Conn("cap/nc", godip.Sea).Conn("nby", godip.Sea).
        Conn("por", godip.Coast...).Flag(godip.Coast...).SC(Red).
        Prov("por").Conn("twn", godip.Coast...).Conn("nby", godip.Sea).Conn("sby", godip.Sea).
        Flag(godip.Coast...).SC(Blue).
        Prov("nby").Conn("cap/nc", godip.Sea).Conn("cap", godip.Sea).Conn("twn", godip.Sea).Conn("por", godip.Sea).
        Conn("sby", godip.Sea).Flag(godip.Sea).
        Prov("sby").Conn("cap/sc", godip.Sea).Conn("por", godip.Sea).Conn("nby", godip.Sea).Flag(godip.Sea).
        Done()
}
""",
}

DIPLICITY = {
    "service/data/isle.json": """{"id": "isle", "name": "Isle", "author": "Ann Other", "soloVictorySCCount": 3,
"nations": [{"name": "Red"}, {"name": "Blue"}],
"provinces": [
 {"id": "upl", "name": "Upland", "type": "land", "supply_center": true},
 {"id": "cap", "name": "Cape", "type": "coastal", "supply_center": true},
 {"id": "cap/nc", "name": "Cape (NC)", "type": "named_coast", "parent": "cap"},
 {"id": "cap/sc", "name": "Cape (SC)", "type": "named_coast", "parent": "cap"},
 {"id": "twn", "name": "Town", "type": "coastal", "supply_center": true},
 {"id": "por", "name": "Port", "type": "coastal", "supply_center": true},
 {"id": "nby", "name": "North Bay", "type": "sea", "supply_center": false},
 {"id": "sby", "name": "South Bay", "type": "sea", "supply_center": false}],
"initial_phase": {"season": "Spring", "year": 1850, "type": "Movement"},
"initial_units": [{"type": "Army", "nation": "Red", "province": "twn"},
 {"type": "Fleet", "nation": "Red", "province": "cap/sc"}, {"type": "Fleet", "nation": "Blue", "province": "por"}],
"initial_supply_centers": [{"nation": "Red", "province": "cap"}, {"nation": "Red", "province": "twn"},
 {"nation": "Blue", "province": "por"}]}
""",
    "service/0002_adjacencies.py": """ADJACENCIES = {
    "isle": {
        "upl": [{"to": "cap", "pass": "army"}, {"to": "twn", "pass": "army"}],
        "cap": [{"to": "upl", "pass": "army"}, {"to": "twn", "pass": "army"}],
        "cap/nc": [{"to": "nby", "pass": "fleet"}, {"to": "twn", "pass": "fleet"}],
        "cap/sc": [{"to": "sby", "pass": "fleet"}],
        "twn": [{"to": "upl", "pass": "army"}, {"to": "cap", "pass": "army"}, {"to": "cap/nc", "pass": "fleet"},
                {"to": "nby", "pass": "fleet"}, {"to": "por", "pass": "both"}],
        "por": [{"to": "twn", "pass": "both"}, {"to": "nby", "pass": "fleet"}, {"to": "sby", "pass": "fleet"}],
        "nby": [{"to": "cap/nc", "pass": "fleet"}, {"to": "cap", "pass": "fleet"}, {"to": "twn", "pass": "fleet"},
                {"to": "por", "pass": "fleet"}, {"to": "sby", "pass": "fleet"}],
        "sby": [{"to": "cap/sc", "pass": "fleet"}, {"to": "por", "pass": "fleet"}, {"to": "nby", "pass": "fleet"}],
    },
}
raise SystemExit("this file is read, never run")
""",
}

CFG = {
    "isle.cfg": """# Designed by Ann Other
[variant]
name=isle
description=Isle, a small board
start=SPR 1850
[positions]
RED=FLT CAP SCS,AMY TWN
BLU=FLT POR
[ownership]
RED=CAP,TWN
BLU=POR
UNO=UPL
[homes]
RED=CAP,TWN
BLU=POR
UNO=
[borders]
UPL=AMY CAP TWN
CAP=AMY UPL TWN, (FLT NCS) NBY TWN, (FLT SCS) SBY
TWN=AMY UPL CAP POR, FLT (CAP NCS) NBY POR
POR=AMY TWN, FLT TWN NBY SBY
NBY=FLT (CAP NCS) TWN POR SBY
SBY=FLT (CAP SCS) POR NBY
[powers]
RED=Red,Reddish
BLU=Blue,Bluish
[provinces]
UPL=Upland
CAP=Cape
TWN=Town
POR=Port
NBY=North Bay
SBY=South Bay
""",
}

CSV = {
    "isle.csv": """Code,Name,Kind,Centre,Owner,Unit,Touches,X,Y
UPL,Upland,inland,yes,,,CAP TWN,1,1
CAP,Cape,coast,yes,Red,F/SC,TWN NC>NBY SC>SBY NC>TWN,0,1
TWN,Town,coast,yes,Red,A,NBY POR,2,1
POR,Port,coast,yes,Blue,F,NBY SBY,3,1
NBY,North Bay,sea,,,,SBY,2,2
SBY,South Bay,sea,,,,,2,0
""",
}

MDF = {
    "isle.txt": """MDF (RED BLU)
(((RED CAP TWN) (BLU POR) (UNO UPL)) (NBY SBY))
((UPL (AMY CAP TWN)) (CAP (AMY UPL TWN) ((FLT NCS) NBY TWN) ((FLT SCS) SBY))
 (TWN (AMY UPL CAP POR) (FLT (CAP NCS) NBY POR)) (POR (AMY TWN) (FLT TWN NBY SBY))
 (NBY (FLT (CAP NCS) TWN POR SBY)) (SBY (FLT (CAP SCS) POR NBY)))
NOW (SPR 1850) (RED FLT (CAP SCS)) (RED AMY TWN) (BLU FLT POR)
""",
}

SAMPLES = {
    "judge_map": JUDGE,
    "njudge": NJUDGE,
    "jdip": JDIP,
    "wdiplomacy": WDIPLOMACY,
    "godip": GODIP,
    "diplicity": DIPLICITY,
    "daide": CFG,
    "csv": CSV,
}
"""The Isle by the readers that read it."""
