"""What went wrong, in the terms of OpenAI's API."""

import logging

from starlette.responses import Response

from hippograph.state import BadInput, HippographError, HomeInUse, ModelUnavailable, PromptTooLong
from hippograph.web import shapes
from hippograph.web.completions import Refused
from hippograph.web.naming import NotGranted

log = logging.getLogger(__name__)


def failed(error: Exception) -> Response:
    """Return what went wrong in OpenAI's shape; what another try would not mend says so."""
    status, body = described(error)
    return shapes.Told(body, status_code=status, headers={} if status == 503 else {"x-should-retry": "false"})


def described(error: Exception) -> tuple[int, shapes.Json]:
    """Return the status and the body of what went wrong; what nobody foresaw is logged."""
    if isinstance(error, Refused):
        return error.status, shapes.error(str(error), "invalid_request_error", error.param, error.code)
    if isinstance(error, NotGranted):
        return 403, shapes.error(str(error), "permission_error", "user")
    if isinstance(error, PromptTooLong):
        return 400, shapes.error(str(error), "invalid_request_error", "messages", "context_length_exceeded")
    if isinstance(error, BadInput):
        return 400, shapes.error(str(error), "invalid_request_error")
    if isinstance(error, HippographError):
        return 503 if isinstance(error, ModelUnavailable | HomeInUse) else 500, shapes.error(str(error), "server_error")
    log.error("An answer failed.", exc_info=error)
    line = " ".join(str(error).split()) or "no message"
    return 500, shapes.error(f"{type(error).__name__}: {line}. The server's log has more.", "server_error")
