// Reads a page in one walk over its DOM.
package main

import (
	"io"
	"strings"

	"golang.org/x/net/html"
)

func (r *reader) read(body io.Reader) error {
	tree, err := html.Parse(body)
	if err != nil {
		return err
	}
	r.walk(tree)
	return nil
}

func (r *reader) walk(node *html.Node) {
	if node.Type == html.ElementNode {
		switch node.Data {
		case "html":
			r.page.Language, _ = attribute(node, "lang")
		case "title":
			if r.page.Title == "" {
				r.page.Title = plain(node)
			}
		case "meta":
			if name, _ := attribute(node, "name"); name == "description" {
				r.page.Description, _ = attribute(node, "content")
			}
		case "base":
			if href, ok := attribute(node, "href"); ok {
				r.rebase(href)
			}
		case "a":
			if href, ok := attribute(node, "href"); ok {
				rel, _ := attribute(node, "rel")
				r.link(href, plain(node), rel)
			}
		case "body":
			r.page.Text = plain(node)
		}
	}
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		r.walk(child)
	}
}

func attribute(node *html.Node, name string) (string, bool) {
	for _, attr := range node.Attr {
		if attr.Key == name {
			return attr.Val, true
		}
	}
	return "", false
}

func plain(node *html.Node) string {
	var text strings.Builder
	textOf(node, &text)
	return strings.Join(strings.Fields(text.String()), " ")
}

func textOf(node *html.Node, into *strings.Builder) {
	if node.Type == html.TextNode {
		into.WriteString(node.Data)
		into.WriteByte(' ')
	}
	if node.Type == html.ElementNode {
		switch node.Data {
		case "script", "style", "noscript", "template":
			return
		}
	}
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		textOf(child, into)
	}
}
