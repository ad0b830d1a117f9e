"""The methods of views: modals and App Homes. https://docs.slack.dev/reference/methods/views.open"""

from __future__ import annotations

from tests.support.slack.checking import check_view
from tests.support.slack.errors import Json, refused, violates
from tests.support.slack.tasks import Task, carries_out
from tests.support.slack.views import View, opened, published, pushed, updated
from tests.support.slack.world import Trigger


@carries_out("views.open")
def _open(task: Task) -> Json:
    check_view(task.a["view"])
    trigger = _trigger(task)
    return {"view": opened(trigger.person, task.a["view"]).json()}


@carries_out("views.push")
def _push(task: Task) -> Json:
    check_view(task.a["view"])
    trigger = _trigger(task)
    if trigger.view is None or not trigger.person.views:
        raise refused("not_found")
    return {"view": pushed(trigger.person, task.a["view"]).json()}


@carries_out("views.update")
def _update(task: Task) -> Json:
    view = _view(task)
    check_view(task.a["view"], kinds=(view.kind,))
    return {"view": updated(view, task.a["view"], task.a.get("hash")).json()}


@carries_out("views.publish")
def _publish(task: Task) -> Json:
    if not task.world.app.home:
        raise violates("not_enabled")
    person = task.person("user_id")
    check_view(task.a["view"], kinds=("home",))
    return {"view": published(person, task.a["view"], task.a.get("hash")).json()}


def _trigger(task: Task) -> Trigger:
    given = [task.a[name] for name in ("trigger_id", "interactivity_pointer") if name in task.a]
    if len(given) != 1:
        raise violates("invalid_arguments", "missing required field: trigger_id")
    trigger = task.world.takes_trigger(given[0])
    if trigger.person.workspace is not task.workspace:
        raise violates("invalid_trigger_id")
    return trigger


def _view(task: Task) -> View:
    view_id, external_id = task.a.get("view_id"), task.a.get("external_id")
    if (view_id is None) == (external_id is None):
        raise violates("invalid_arguments", "exactly one of view_id and external_id is needed")
    for view in task.world.views.values():
        named = view.id == view_id or (external_id and view.external_id == external_id)
        if named and view.is_open and view.person.workspace is task.workspace:
            return view
    raise refused("not_found")
