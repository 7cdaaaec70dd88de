"""Run by test/client/python.test.ts against a real server, whose URL and site are in the environment."""

import os
import socket
import threading
import unittest

from jelajah import Client, JelajahError

SERVER = os.environ["TEST_SERVER"]
SEED = os.environ["TEST_SEED"]
TOKEN = os.environ["TEST_TOKEN"]


class CrawlTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = Client(SERVER, token=TOKEN)
        cls.crawl = cls.client.start([SEED], max_pages=5, name="tea & more")
        cls.end = cls.client.wait(cls.crawl, timeout=120, every=0.1)

    def test_a_crawl_is_waited_for(self):
        self.assertEqual((self.end["status"], self.end["stored"]), ("completed", 5))
        self.assertEqual(self.client.status(self.crawl)["name"], "tea & more")

    def test_pages_come_one_by_one_with_the_fields_that_were_asked_for(self):
        pages = list(self.client.pages(self.crawl, fields=("url", "title", "markdown")))
        self.assertEqual(len(pages), 5)
        self.assertEqual(set(pages[0]), {"url", "title", "markdown"})
        self.assertEqual(len(list(self.client.pages(self.crawl, limit=2, duplicates=False))), 2)

    def test_pages_can_be_searched_and_explained(self):
        title = next(self.client.pages(self.crawl, fields=["title"]))["title"]
        found = self.client.search(title, crawl=self.crawl, limit=3)
        while found["behind"] > 0:
            found = self.client.search(title, crawl=self.crawl, limit=3)
        self.assertGreater(found["total"], 0)
        self.assertEqual(self.client.explain(self.crawl, SEED)["state"], "stored")

    def test_the_web_is_read_without_a_crawl(self):
        page = self.client.scrape(SEED, formats=["markdown", "links"])
        self.assertEqual(page["status_code"], 200)
        self.assertTrue(page["links"])
        self.assertEqual(len(self.client.map(SEED, limit=3)["urls"]), 3)

    def test_the_same_key_starts_no_second_crawl(self):
        ids = {self.client.start(SEED, key="once", max_pages=1) for _ in range(2)}
        self.assertEqual(len(ids), 1)
        self.client.wait(ids.pop(), timeout=120, every=0.1)

    def test_waiting_ends_in_time_and_a_crawl_can_be_stopped(self):
        crawl = self.client.start(SEED, delay=60_000, concurrency=1)
        with self.assertRaises(TimeoutError):
            self.client.wait(crawl, timeout=0)
        self.assertEqual(self.client.stop(crawl)["status"], "stopped")


class WaitTest(unittest.TestCase):
    def test_every_status_in_which_nothing_more_happens_ends_the_waiting(self):
        for status in ("completed", "incomplete", "stopped", "failed", "paused"):
            client = Client(SERVER)
            client.status = lambda _, now=status: {"status": now}
            self.assertEqual(client.wait("crawl_1", timeout=0)["status"], status)


class RefusalTest(unittest.TestCase):
    def test_a_refusal_names_every_field(self):
        with self.assertRaises(JelajahError) as caught:
            Client(SERVER, token=TOKEN).start(SEED, max_pages=0, colour="red")
        self.assertEqual(caught.exception.status, 400)
        self.assertEqual({one["at"] for one in caught.exception.problems}, {"max_pages", "colour"})

    def test_a_wrong_token_is_told(self):
        with self.assertRaises(JelajahError) as caught:
            Client(SERVER, token="not-the-token-of-this-server").status("crawl_1")
        self.assertEqual(caught.exception.status, 401)

    def test_an_id_cannot_lead_to_another_address(self):
        with self.assertRaises(JelajahError) as caught:
            Client(SERVER, token=TOKEN).status("../health?x=")
        self.assertEqual(caught.exception.status, 404)

    def test_no_server_is_an_error_with_advice(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with self.assertRaisesRegex(JelajahError, "is `jelajah serve` running"):
            Client(url).status("crawl_1")


class BrokenAnswerTest(unittest.TestCase):
    """What a server that dies in the middle of an answer looks like."""

    def read(self, answer):
        with socket.create_server(("127.0.0.1", 0)) as server:

            def serve():
                connection, _ = server.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(answer)

            thread = threading.Thread(target=serve)
            thread.start()
            try:
                client = Client(f"http://127.0.0.1:{server.getsockname()[1]}", timeout=10)
                return list(client.pages("crawl_1", fields=["url"]))
            finally:
                thread.join()

    def test_pages_that_break_off_are_an_error(self):
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        self.assertEqual(self.read(head + b"c\r\n{\"url\":\"a\"}\n\r\n0\r\n\r\n"), [{"url": "a"}])
        for cut in (b"c\r\n{\"url\":\"a\"}\n\r\n", b"5\r\n{\"url\r\n", b"c\r\n{\"u"):
            with self.assertRaisesRegex(JelajahError, "broke off"):
                self.read(head + cut)

    def test_what_is_no_answer_is_an_error_of_the_client(self):
        cut = b"HTTP/1.1 500 Oops\r\nContent-Length: 300\r\n\r\nabc"
        for answer in (b"no HTTP\r\n\r\n", cut):
            with self.assertRaises(JelajahError):
                self.read(answer)
        with self.assertRaisesRegex(JelajahError, "cannot be asked"):
            Client("http://a b").status("crawl_1")

    def test_a_redirect_does_not_carry_the_token_away(self):
        answer = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        with self.assertRaises(JelajahError) as caught:
            self.read(answer)
        self.assertEqual(caught.exception.status, 302)


if __name__ == "__main__":
    unittest.main()
