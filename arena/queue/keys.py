"""Every name that the queue uses in Redis."""

JOBS = "sevens:jobs"  # stream: jobs to be played, {job_id, job, attempts, failed_on, failing_since}
ANALYSES = "sevens:analyses"  # stream: matches to be analysed, with the same fields
WORKERS = "workers"  # the consumer group of both
RESULTS = "sevens:results"  # stream: outcomes to be recorded, {job_id, outcome}
RECORDERS = "recorders"  # its consumer group
RECORDER = "recorder"  # the one consumer of that group: the holder of the data folder
SETTLED = "sevens:settled"  # prefix of receipts: leases that their workers have just ended
PLAYING = "sevens:playing"  # set: the versions that play, and ANNOUNCED
ANNOUNCED = ""  # not a version: it distinguishes an empty set from one that was never written
WATCHED = "sevens:watched"  # prefix of flags that expire: jobs with watchers
BROADCAST = "sevens:broadcast"  # prefix of values that expire: the states of watched matches
BLOCKED = "sevens:blocked"  # set: the machines whose workers get no jobs
REPORTS = "sevens:worker"  # prefix of values that expire: the reports of workers
