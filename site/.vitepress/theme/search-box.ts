// The search box of docs/SITE-SEARCH.md. The file search.json beside the pages says which server it asks, and with which
// key; without that file there is no box.
import { useData, withBase } from 'vitepress'
import { defineComponent, h, onMounted, ref, watchEffect } from 'vue'

type SearchPlace = {
  readonly server: string
  readonly key: string
  readonly crawls: Readonly<Record<string, string>>
}

export const SearchBox = defineComponent({
  setup() {
    const { isDark, lang } = useData()
    const holder = ref<HTMLElement | null>(null)
    const place = ref<SearchPlace | null>(null)
    onMounted(async () => {
      const answer = await fetch(withBase('/search.json')).catch(() => null)
      if (answer?.ok !== true) return
      place.value = await answer.json()
    })
    watchEffect(() => {
      if (holder.value === null || place.value === null) return
      const { server, key, crawls } = place.value
      const crawl = crawls[lang.value] ?? ''
      loadOnce(new URL('search.js', server).href)
      const box = document.createElement('jelajah-search')
      const attributes = { server, key, crawl, theme: isDark.value ? 'dark' : 'light' }
      for (const [name, value] of Object.entries(attributes)) box.setAttribute(name, value)
      box.setAttribute('lang', lang.value)
      holder.value.replaceChildren(box)
    })
    return () => h('div', { class: 'search-holder', ref: holder })
  },
})

function loadOnce(src: string): void {
  if (document.querySelector(`script[src="${src}"]`) !== null) return
  const script = document.createElement('script')
  script.src = src
  document.head.append(script)
}
