// Reads a page as programs on Colly do: its bytes as a whole, then a selector of goquery for each thing.
package main

import (
	"bytes"
	"io"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

func (r *reader) read(body io.Reader) error {
	whole, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	page, err := goquery.NewDocumentFromReader(bytes.NewReader(whole))
	if err != nil {
		return err
	}
	if href, ok := page.Find("base[href]").Attr("href"); ok {
		r.rebase(href)
	}
	r.page.Language = page.Find("html").AttrOr("lang", "")
	r.page.Title = words(page.Find("title").First())
	r.page.Description = page.Find("meta[name=description]").AttrOr("content", "")
	page.Find("a[href]").Each(func(_ int, a *goquery.Selection) {
		r.link(a.AttrOr("href", ""), words(a), a.AttrOr("rel", ""))
	})
	page.Find("script, style, noscript, template").Remove()
	r.page.Text = words(page.Find("body"))
	return nil
}

func words(selection *goquery.Selection) string {
	return strings.Join(strings.Fields(selection.Text()), " ")
}
