"""The store: what must not be lost, on SQLite or PostgreSQL, by the same code.

    store = await Store.open("sqlite+aiosqlite:///data/surestep.db")   # makes the folder
    await store.migrate()            # at every start; processes that start at once take turns
    ...
    await store.close()              # always: gives back leases, ends SQLite's threads

`open` raises StoreError, whose message is fit for an operator. A call either has happened when it
returns, or nothing of it has. A call that is cancelled may have happened: its transaction ends in
order in the background. No transaction is ever open when a method returns.

Coming in. `dedupe` is the platform's id with its channel before it ("telegram:8124"), unique over
all lanes. A lane is named "channel:...".

    fresh = await store.accept(lane, dedupe, reply, hold=0.8, person=person)   # then acknowledge

A held reply waits `hold` seconds from the last held one; one that is not held makes the lane
claimable at once. `person` is met when nobody was: the first claim then has a state. Words that
their sender edits are `await store.amend(dedupe, text)`: that counts while the reply is pending.

Taking a turn. One worker holds a lane, by a lease on the database's clock, and writes under its
fence; whoever comes too late gets Fenced, and has written nothing.

    claim = await store.claim(owner, lease=30.0)       # None: nothing to do
    claim.lane, claim.entries, claim.state             # up to 50 pending entries, oldest first
    await store.renew(claim)                           # every third of the lease; Fenced
    await store.waiting(claim, after=entry_id)         # pending behind that entry
    await store.settle(claim, done=entries, state=state, effects=effects, destinations=names)
    await store.fail(claim, [ids], "TimeoutError", retry_in=2.0)      # False when it was lost
    await store.release(claim)                         # nothing done, nothing counted

`settle`, `fail` and `release` end the claim. `settle` is one transaction: state, inbox marks,
outbox (keys `lane:turn:n`), transcript, events, submission with its deliveries (keys
`journey:destination`). It raises Fenced, AlreadySubmitted for a journey's second submission, or
Amended when an entry's words were changed after they were read: release, and take the turn anew. An
entry that failed `max_tries` times, also by killing its worker, is parked, what `apology` makes of
it is accepted, and the lane goes on.

Going out. All that a lane has to send is leased together, as one run, and the lane is due again
when its run has ended; one that waits holds back its lane.

    rows = await store.due(owner, ["telegram"])        # leased for 60 s; each lane's in its order
    row.effect, row.drawn, row.tries                   # where its card stands; perhaps sent before
    await store.all_sent([Sent(row, native, card)])    # Say and Draw before the next one is sent
    await store.retry(row, error, seconds, behind=[])  # the rest of the run; or park(row, error)
    await store.hold(rows, lease)                      # what is left of a run; False: it was lost
    await store.outgoing.wait(1.0)                     # a bell: somebody of this process settled
    await store.show(lane, key, effect)                # beside any turn, behind what is to be sent
    await store.remember(lane, card, native)
    await store.amend_place(lane, card, change)        # change(native or None): what it becomes

    for one in await store.due_deliveries(owner):      # one.key, .destination, .submitted
        await store.delivered(one)                     # or retry_delivery(...), dead(...)

Both retries take `counts=False` when the other side only asked to wait. What is sent or delivered
can happen twice when a process dies in between; the key is the same each time.

Looking up: `ready` (how many replies wait in a lane), `conversation`, `transcript`, `words`,
`conversations_with_open_ask`, `to_be_drawn`, `is_perhaps_drawn`, `submissions`, `deliveries`,
`tallies`, `keep_manifest`, `manifest`, `load_directory`, `search_directory`, `find_record`; for an
admin `parked` and `unpark`.
"""

from core.store.admin import Parked, Queue
from core.store.deliveries import Delivery, Stage, Submitted
from core.store.errors import AlreadySubmitted, Amended, Fenced, StoreError
from core.store.inbox import Amend, Entry
from core.store.journeys import Tally
from core.store.lanes import Claim
from core.store.outbox import Native, Outgoing
from core.store.store import Store

__all__ = [
    "AlreadySubmitted",
    "Amend",
    "Amended",
    "Claim",
    "Delivery",
    "Entry",
    "Fenced",
    "Native",
    "Outgoing",
    "Parked",
    "Queue",
    "Stage",
    "Store",
    "StoreError",
    "Submitted",
    "Tally",
]
