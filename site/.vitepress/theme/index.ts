// The default theme, with our own search box in place of the generator's.
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import { SearchBox } from './search-box.ts'
import './style.css'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'nav-bar-content-before': () => h(SearchBox) }),
}
