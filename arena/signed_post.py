"""Sends a signed document to an address."""

from __future__ import annotations

import asyncio
import hmac
from hashlib import sha256

import httpx

SIGNATURE = "X-Sevens-Signature"
WITHIN_S = 10.0


def signature_of(body: bytes, secret: str) -> str:
    """Returns the HMAC-SHA256 of a body, in the form of the header."""
    return f"sha256={hmac.new(secret.encode(), body, sha256).hexdigest()}"


async def signed_post(url: str, body: bytes, secret: str) -> str:
    """Sends a JSON document by POST. Returns the reason why it was not accepted, a sentence; empty
    if it was.

    Nothing of the answer but its status is read, and no redirect is followed: neither can take more
    time or memory than this.
    """
    headers = {"Content-Type": "application/json", SIGNATURE: signature_of(body, secret)}
    try:
        async with (
            asyncio.timeout(WITHIN_S),
            httpx.AsyncClient(timeout=None) as client,
            client.stream("POST", url, content=body, headers=headers) as answer,
        ):
            status = answer.status_code
    except TimeoutError:
        return f"It did not answer within {WITHIN_S:g} seconds."
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        # The last two: certificates or a proxy that the environment names wrongly.
        return f"It cannot be reached: {error or type(error).__name__}."
    if 200 <= status < 300:
        return ""
    return f"It answered with status {status}, not with one from 200 to 299."
