"""MLPerf's log lines, read as their format says; with mlperf-logging's own parser, too, where that is installed."""
import json

MARK = ":::MLLOG "
FIELDS = ["namespace", "time_ms", "event_type", "key", "value", "metadata"]
EVENT_TYPES = {"INTERVAL_START", "INTERVAL_END", "POINT_IN_TIME"}
RULESET = "4.1.0"


def read(path):
    """The events of a file; what is no event is an error."""
    events = []
    for line in path.read_text().splitlines():
        assert line.startswith(MARK), line
        event = json.loads(line[len(MARK):])
        assert list(event) == FIELDS, line
        assert event["event_type"] in EVENT_TYPES, line
        assert isinstance(event["time_ms"], int), line
        assert isinstance(event["metadata"]["file"], str), line
        assert isinstance(event["metadata"]["lineno"], int), line
        events.append(event)
    _check_with_their_parser(path, events)
    return events


def _check_with_their_parser(path, events):
    try:
        from mlperf_logging.compliance_checker import mlp_parser
    except ImportError:
        return
    lines, errors = mlp_parser.parse_file(str(path), ruleset=RULESET)
    assert not errors, errors
    assert [line.key for line in lines] == [event["key"] for event in events]


def values(events):
    """{key: value} of the events that have one."""
    return {event["key"]: event["value"] for event in events if event["value"] is not None}
