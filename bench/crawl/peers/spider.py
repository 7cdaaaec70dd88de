"""Scrapy on the same task: title, description, language, text and links of every page, as JSON lines.

Usage: spider.py OPTIONS, one JSON object: { seeds, out, concurrency, perHost }
"""
import json
import re
import sys
from urllib.parse import urldefrag, urljoin, urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer

OPTIONS = json.loads(sys.argv[1])
NOT_A_PAGE = re.compile(
    r"\.(?:txt|css|js|json|xml|png|jpe?g|gif|svg|ico|pdf|epub|ps|gz|xz|bz2|zip|tgz|tar|py|c|h|rst|inv|diff"
    r"|patch|sh|csv|so|dat|bin)$",
    re.I,
)
HOSTS = {urlsplit(seed).netloc for seed in OPTIONS["seeds"]}


class LoopbackResolver(CachingThreadedResolver):
    """The C library does not resolve names below .localhost."""

    def getHostByName(self, name, timeout=None):
        return defer.succeed("127.0.0.1")


class Pages(scrapy.Spider):
    name = "pages"
    start_urls = OPTIONS["seeds"]

    def parse(self, response):
        if response.status != 200 or not isinstance(response, scrapy.http.HtmlResponse):
            return
        base = urljoin(response.url, response.xpath("//base/@href").get() or "")
        links = {}
        for a in response.xpath("//a[@href]"):
            url = urldefrag(urljoin(base, a.attrib["href"].strip()))[0]
            if not url.startswith("http") or url == response.url or url in links:
                continue
            anchor = " ".join(a.xpath(".//text()").getall()).strip()
            links[url] = {"url": url, "anchor": anchor, "rel": a.attrib.get("rel", "")}
            parts = urlsplit(url)
            if parts.netloc in HOSTS and not NOT_A_PAGE.search(parts.path):
                yield scrapy.Request(url)
        text = response.xpath(
            "//body//text()[not(ancestor::script or ancestor::style or ancestor::noscript or ancestor::template)]"
        ).getall()
        yield {
            "url": response.url,
            "title": (response.xpath("//title/text()").get() or "").strip(),
            "description": response.xpath('//meta[@name="description"]/@content').get() or "",
            "language": response.xpath("/html/@lang").get() or "",
            "text": " ".join(" ".join(text).split()),
            "links": list(links.values()),
        }


process = CrawlerProcess(
    {
        "CONCURRENT_REQUESTS": OPTIONS["concurrency"],
        "CONCURRENT_REQUESTS_PER_DOMAIN": OPTIONS["perHost"],
        "ROBOTSTXT_OBEY": True,
        "RETRY_ENABLED": False,
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
        "DNS_RESOLVER": LoopbackResolver,
        "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
        "DOWNLOAD_MAXSIZE": 64 * 1024 * 1024,
        "FEEDS": {OPTIONS["out"]: {"format": "jsonlines"}},
    }
)
process.crawl(Pages)
process.start()
