"""A client of `jelajah serve`, with nothing but the standard library (Python 3.9 or newer).

    from jelajah import Client

    client = Client("http://127.0.0.1:8088")
    crawl = client.start("https://example.com/", max_pages=50)
    client.wait(crawl)
    for page in client.pages(crawl, fields=("url", "title", "text")):
        print(page["url"], len(page["text"]))
"""

import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

__all__ = ["Client", "JelajahError"]

#: Statuses in which nothing more happens to a crawl by itself.
ENDS = ("completed", "incomplete", "stopped", "failed", "paused")


class JelajahError(Exception):
    """What the server refused, or why it could not be asked.

    `status` is the HTTP status (0: there was no answer), `code` a short name of the reason, and `problems` lists every
    field that was wrong as {"at": …, "message": …}.
    """

    def __init__(self, message, status=0, code="unreachable", problems=()):
        super().__init__(message)
        self.status = status
        self.code = code
        self.problems = list(problems)


class Client:
    """Asks one server. Methods raise JelajahError when it refuses.

    `token` is that of the server; without it, the variable JELAJAH_TOKEN counts. `timeout` is in seconds, for each
    wait on the network.
    """

    def __init__(self, url="http://127.0.0.1:8088", token=None, timeout=130):
        self.url = url.rstrip("/")
        self.timeout = timeout
        self._token = token if token is not None else os.environ.get("JELAJAH_TOKEN")
        # A token goes to the server that was named and to no other: no proxies, no redirects.
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), _NoRedirect()
        )

    def start(self, urls, key=None, **options):
        """Starts a crawl from a URL or a list of URLs, and returns its id.

        `options` are those of POST /crawl, such as max_pages=100 or topic="green tea". With the same `key`, the same
        request starts no second crawl.
        """
        seeds = {"url": urls} if isinstance(urls, str) else {"urls": list(urls)}
        headers = {} if key is None else {"Idempotency-Key": key}
        return self._post("/crawl", {**seeds, **options}, headers)["job_id"]

    def status(self, crawl):
        """A crawl as it is now: status, note, stored, queued, refused, failed and more."""
        return self._get(f"/crawl/{_quoted(crawl)}/overview")["job"]

    def wait(self, crawl, timeout=None, every=1.0):
        """Waits until a crawl has come to an end or to rest, and returns its status.

        Raises TimeoutError after `timeout` seconds; the crawl goes on.
        """
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            now = self.status(crawl)
            if now["status"] in ENDS:
                return now
            if until is not None and time.monotonic() >= until:
                raise TimeoutError(f"{crawl} is still {now['status']}")
            left = every if until is None else min(every, until - time.monotonic())
            time.sleep(max(left, 0))

    def pages(self, crawl, fields=("url", "title", "text"), **filters):
        """Gives the stored pages one by one, each a dict with these fields.

        They are read as the loop goes on; memory has one at a time. `filters` are those of GET /crawl/:id/pages, such
        as language="en", host="example.com", after=120 or limit=10.
        """
        query = {"fields": ",".join(fields), **filters}
        with self._open(f"/crawl/{_quoted(crawl)}/pages?{_query(query)}") as answer:
            for line in _lines(answer):
                yield json.loads(line)

    def search(self, query, **options):
        """Searches stored pages: a dict with total, hits and facets.

        `options` are those of GET /search, such as crawl="crawl_1", limit=20 or language="en".
        """
        return self._get(f"/search?{_query({'q': query, **options})}")

    def scrape(self, url, **options):
        """Reads one page now, with formats=["markdown", "links"] what is asked for; nothing is stored."""
        return self._post("/scrape", {"url": url, **options})

    def map(self, url, **options):
        """The URLs of a site: a dict with urls, sitemaps and complete. Options: limit, search, subdomains."""
        return self._post("/map", {"url": url, **options})

    def explain(self, crawl, url):
        """The story of one URL in a crawl: where it was found, what became of it, and why."""
        return self._get(f"/crawl/{_quoted(crawl)}/explain?{_query({'url': url})}")

    def pause(self, crawl):
        """Finishes what is under way and keeps the rest for `resume`."""
        return self._post(f"/crawl/{_quoted(crawl)}/pause", None)["job"]

    def resume(self, crawl, **limits):
        """Goes on with a crawl at rest, with larger limits such as max_pages=500 where it reached its own."""
        return self._post(f"/crawl/{_quoted(crawl)}/resume", limits)["job"]

    def stop(self, crawl):
        """Ends a crawl; what is stored stays."""
        return self._post(f"/crawl/{_quoted(crawl)}/stop", None)["job"]

    def _get(self, path):
        with self._open(path) as answer:
            return _decoded(answer)

    def _post(self, path, body, headers=None):
        with self._open(path, body, headers or {}, "POST") as answer:
            return _decoded(answer)

    def _open(self, path, body=None, headers=None, method="GET"):
        data = None if body is None else json.dumps(body).encode("utf-8")
        request = urllib.request.Request(self.url + path, data=data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        try:
            return self._opener.open(request, timeout=self.timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(error) from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            message = f"{self.url} cannot be asked: {reason}; is `jelajah serve` running there?"
            raise JelajahError(message) from error


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def _lines(answer):
    """The lines of a stream. One that breaks off is an error, never a shorter result."""
    begun = []
    while True:
        try:
            # Iterating over the answer would take a connection that is lost between two chunks for the end.
            piece = answer.read1(65536)
        except (OSError, http.client.HTTPException) as error:
            raise JelajahError(f"the answer broke off: {error}", code="cut") from error
        if not piece:
            break
        *ended, rest = piece.split(b"\n")
        for line in ended:
            begun.append(line)
            whole = b"".join(begun)
            begun = []
            if whole:
                yield whole
        if rest:
            begun.append(rest)
    if begun:
        raise JelajahError("the answer broke off inside a line", code="cut")


def _decoded(answer):
    try:
        return json.load(answer)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise JelajahError(f"the answer cannot be read: {error}", code="cut") from error


def _refusal(error):
    try:
        said = json.load(error)["error"]
        return JelajahError(said["message"], error.code, said["code"], said.get("problems", ()))
    except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        return JelajahError(f"the server answered {error.code}", error.code, "no-json")


def _query(fields):
    """A query as the server reads it: true and false in small letters, lists by comma; None is left out."""
    given = {name: _text(value) for name, value in fields.items() if value is not None}
    return urllib.parse.urlencode(given)


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _quoted(crawl):
    return urllib.parse.quote(str(crawl), safe="")
