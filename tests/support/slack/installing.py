"""The methods of tokens and installations.

https://docs.slack.dev/authentication/installing-with-oauth
"""

from __future__ import annotations

from tests.support.slack.errors import Json, refused
from tests.support.slack.tasks import Task, carries_out
from tests.support.slack.workspace import Workspace
from tests.support.slack.world import CLIENT_ID

CLIENT_SECRET = "a-client-secret-for-tests-on-loopback"


@carries_out("api.test")
def _test(task: Task) -> Json:
    if "error" in task.a:
        raise refused(task.a["error"])
    return {}


@carries_out("auth.test")
def _auth_test(task: Task) -> Json:
    space = task.workspace
    return {
        "url": f"{task.world.url}/",
        "team": space.name,
        "user": task.world.app.name.lower(),
        "team_id": space.id,
        "user_id": space.bot_user_id,
        "bot_id": space.bot_id,
        "app_id": task.world.app_id,
        "is_enterprise_install": False,
    }


@carries_out("auth.revoke")
def _revoke(task: Task) -> Json:
    if not task.a.get("test"):
        task.workspace.revokes()
    return {"revoked": not task.a.get("test")}


@carries_out("apps.connections.open")
def _connect(task: Task) -> Json:
    ticket = task.world.delivery.sockets.ticket()
    host = task.world.url.removeprefix("http://")
    return {"url": f"ws://{host}/link/?ticket={ticket}&app_id={task.world.app_id}"}


@carries_out("apps.uninstall")
def _uninstall(task: Task) -> Json:
    _check_client(task)
    task.workspace.uninstalls()
    return {}


@carries_out("oauth.v2.access")
def _access(task: Task) -> Json:
    _check_client(task)
    if task.a.get("grant_type") == "refresh_token":
        return _refreshed(task)
    code = task.a.get("code", "")
    if code in task.world.used_codes:
        raise refused("code_already_used")
    grant = task.world.grants.pop(code, None)
    if grant is None:
        raise refused("invalid_code")
    task.world.used_codes.add(code)
    if task.a.get("redirect_uri", grant.redirect_uri) != grant.redirect_uri:
        raise refused("bad_redirect_uri")
    space = grant.workspace
    if space.access != "installed":
        space.token = f"xoxb-{space.id}-{task.world.next_id('token')}"
        space.access = "installed"
    if task.world.app.rotates:
        space.rotates()
    task.world.touch()
    return {
        **_token(space),
        "scope": grant.scope,
        "bot_user_id": space.bot_user_id,
        "app_id": task.world.app_id,
        "team": {"name": space.name, "id": space.id},
        "enterprise": {"id": space.enterprise, "name": "Org"} if space.enterprise else None,
        "is_enterprise_install": False,
        "authed_user": {"id": grant.person.id},
    }


def _refreshed(task: Task) -> Json:
    """Each refresh token is good once (docs.slack.dev/authentication/using-token-rotation)."""
    given = task.a.get("refresh_token")
    space = next((one for one in task.world.workspaces if given and one.refresh == given), None)
    if space is None or space.access != "installed":
        raise refused("invalid_refresh_token")
    space.rotates()
    return {**_token(space), "team": {"name": space.name, "id": space.id}}


def _token(space: Workspace) -> Json:
    told = {"access_token": space.token, "token_type": "bot"}
    if not space.refresh:
        return told
    return {**told, "refresh_token": space.refresh, "expires_in": space.world.token_life}


def _check_client(task: Task) -> None:
    given = task.sent.basic or (task.a.get("client_id"), task.a.get("client_secret"))
    if given[0] != CLIENT_ID:
        raise refused("invalid_client_id")
    if given[1] != CLIENT_SECRET:
        raise refused("bad_client_secret")
