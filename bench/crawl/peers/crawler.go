// A crawler in Go on the same task: net/http, the DOM of golang.org/x/net/html (which Colly and goquery read
// pages with), title, text and links of every page as JSON lines. It is built with one of the files beside it:
// nodes.go walks the DOM once, selectors.go asks goquery for each thing, as programs on Colly do.
//
// Usage: crawler OPTIONS, one JSON object: { seeds, out, concurrency, perHost }
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
)

type options struct {
	Seeds       []string
	Out         string
	Concurrency int
	PerHost     int
}

type link struct {
	URL    string `json:"url"`
	Anchor string `json:"anchor"`
	Rel    string `json:"rel"`
}

type page struct {
	URL         string `json:"url"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Language    string `json:"language"`
	Text        string `json:"text"`
	Links       []link `json:"links"`
}

var notAPage = regexp.MustCompile(`(?i)\.(?:txt|css|js|json|xml|png|jpe?g|gif|svg|ico|pdf|epub|ps|gz|xz|bz2|zip|tgz|tar|py|c|h|rst|inv|diff|patch|sh|csv|so|dat|bin)$`)

type crawler struct {
	options
	client *http.Client
	hosts  map[string]chan struct{}
	all    chan struct{}
	mutex  sync.Mutex
	known  map[string]bool
	group  sync.WaitGroup
	out    *json.Encoder
}

// reader makes a page's record, and remembers which of its links may be pages.
type reader struct {
	page  page
	base  *url.URL
	known map[string]bool
	next  []*url.URL
}

func (r *reader) rebase(href string) {
	if base, err := r.base.Parse(href); err == nil {
		r.base = base
	}
}

func (r *reader) link(href, anchor, rel string) {
	target, err := r.base.Parse(strings.TrimSpace(href))
	if err != nil || !strings.HasPrefix(target.Scheme, "http") {
		return
	}
	target.Fragment = ""
	address := target.String()
	if address == r.page.URL || r.known[address] {
		return
	}
	r.known[address] = true
	r.page.Links = append(r.page.Links, link{address, anchor, rel})
	if !notAPage.MatchString(target.Path) {
		r.next = append(r.next, target)
	}
}

func (c *crawler) add(target *url.URL) {
	host, isOurs := c.hosts[target.Host]
	address := target.String()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !isOurs || c.known[address] {
		return
	}
	c.known[address] = true
	c.group.Add(1)
	go func() {
		defer c.group.Done()
		host <- struct{}{}
		c.all <- struct{}{}
		defer func() { <-c.all; <-host }()
		c.visit(target)
	}()
}

func (c *crawler) visit(target *url.URL) {
	response, err := c.client.Get(target.String())
	if err != nil {
		return
	}
	defer response.Body.Close()
	if response.StatusCode != 200 || !strings.Contains(response.Header.Get("Content-Type"), "html") {
		io.Copy(io.Discard, response.Body)
		return
	}
	r := reader{page: page{URL: target.String()}, base: target, known: map[string]bool{}}
	if err := r.read(response.Body); err != nil {
		return
	}
	for _, next := range r.next {
		c.add(next)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err := c.out.Encode(r.page); err != nil {
		panic(err)
	}
}

func main() {
	c := crawler{hosts: map[string]chan struct{}{}, known: map[string]bool{}}
	if err := json.Unmarshal([]byte(os.Args[1]), &c.options); err != nil {
		panic(err)
	}
	file, err := os.Create(c.Out)
	if err != nil {
		panic(err)
	}
	buffered := bufio.NewWriter(file)
	c.out = json.NewEncoder(buffered)
	c.all = make(chan struct{}, c.Concurrency)
	dialer := net.Dialer{}
	c.client = &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: c.PerHost,
		MaxConnsPerHost:     c.PerHost,
		// The C library does not resolve names below .localhost.
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			_, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			return dialer.DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
		},
	}}
	var seeds []*url.URL
	for _, seed := range c.Seeds {
		target, err := url.Parse(seed)
		if err != nil {
			panic(err)
		}
		c.hosts[target.Host] = make(chan struct{}, c.PerHost)
		seeds = append(seeds, target)
	}
	for _, seed := range seeds {
		c.add(seed)
	}
	c.group.Wait()
	if err := buffered.Flush(); err != nil {
		panic(err)
	}
	if err := file.Close(); err != nil {
		panic(err)
	}
}
