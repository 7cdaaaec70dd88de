// Ready-made sites.
import { createSite, type Site } from './site.ts'

/** One site forty times as large as another, to show fairness. */
export function threeUnequalSites(seed: number): Site {
  return createSite({
    seed,
    hosts: [
      { name: 'raksasa', pages: 20_000, language: 'id', style: 'news' },
      { name: 'middling', pages: 2_000, language: 'en', style: 'blog' },
      { name: 'mungil', pages: 500, language: 'id', style: 'forum' },
    ],
    meanBytes: 6_000,
  })
}

/** A dozen small hosts with many special cases; every link leads to one of them. */
export function demoSite(seed = 7): Site {
  return createSite({
    seed,
    hosts: [
      { name: 'kabar-sehat', pages: 140, language: 'id', style: 'news' },
      { name: 'open-roads', pages: 110, language: 'en', style: 'blog' },
      { name: 'dapur-nusantara', pages: 80, language: 'id', style: 'blog' },
      { name: 'tinkerbench', pages: 60, language: 'en', style: 'news' },
      { name: 'forum.tinkerbench', pages: 50, language: 'en', style: 'forum' },
      { name: 'docs.tinkerbench', pages: 45, language: 'en', style: 'docs' },
      { name: 'bola-kita', pages: 40, language: 'id', style: 'news' },
      { name: 'green-delta', pages: 30, language: 'en', style: 'news' },
      { name: 'toko-buku', pages: 20, language: 'id', style: 'shop' },
      { name: 'pasar-uang', pages: 15, language: 'id', style: 'blog' },
      { name: 'night-school', pages: 8, language: 'en', style: 'docs' },
      { name: 'kedai', pages: 4, language: 'id', style: 'shop' },
    ],
    specials: 4,
  })
}
