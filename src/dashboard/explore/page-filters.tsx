// What narrows the table of pages.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { CheckField, type Choosable, SelectField, TextField } from '../components/field.tsx'
import { formatCount, formatRate } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { visible } from '../web-text.ts'
import { filterCount, type PageQuery, withoutFilters } from './page-query.ts'
import { KINDS, kindName, LANGUAGES_OFFERED, languageName } from './words.ts'

const THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]

export function PageFilters({
  query,
  hosts,
  focused,
  onChange,
}: {
  readonly query: PageQuery
  /** Stored pages per host. */
  readonly hosts: Readonly<Record<string, number>>
  /** Whether pages have a relevance. */
  readonly focused: boolean
  readonly onChange: (query: PageQuery) => void
}) {
  const [text, setText] = useTyped(query.text, (typed) => onChange({ ...query, text: typed }))
  const set = (change: Partial<PageQuery>): void => onChange({ ...query, text, ...change })
  return (
    <search class="filters" aria-label={t('pages.filters')}>
      <TextField id="filter-text" label={t('pages.text')} value={text} onChange={setText} />
      <SelectField
        id="filter-host"
        label={t('pages.host')}
        value={query.host}
        choices={hostChoices(hosts, query.host)}
        onChange={(host) => set({ host })}
      />
      <SelectField
        id="filter-kind"
        label={t('pages.kind')}
        value={query.kind}
        choices={choices(t('pages.anyKind'), KINDS, query.kind, kindName)}
        onChange={(kind) => set({ kind })}
      />
      <SelectField
        id="filter-language"
        label={t('pages.language')}
        value={query.language}
        choices={choices(t('pages.anyLanguage'), LANGUAGES_OFFERED, query.language, languageName)}
        onChange={(language) => set({ language })}
      />
      {focused && (
        <SelectField
          id="filter-relevance"
          label={t('pages.minRelevance')}
          value={query.minRelevance === null ? '' : String(query.minRelevance)}
          choices={relevanceChoices(query.minRelevance)}
          onChange={(least) => set({ minRelevance: least === '' ? null : Number(least) })}
        />
      )}
      <div class="filter-checks">
        <CheckField
          id="filter-hot"
          label={t('pages.hot')}
          checked={query.hot}
          onChange={(hot) => set({ hot })}
        />
        <CheckField
          id="filter-duplicates"
          label={t('pages.duplicates')}
          checked={query.duplicates}
          onChange={(duplicates) => set({ duplicates })}
        />
      </div>
      {filterCount(query) > 0 && (
        <Button small look="quiet" onClick={() => onChange(withoutFilters(query))}>
          {t('pages.clear')}
        </Button>
      )}
    </search>
  )
}

/** What is offered, with what is chosen among it, whatever that is. */
function choices(
  any: string,
  offered: readonly string[],
  chosen: string,
  name: (value: string) => string,
): Choosable[] {
  const all = chosen === '' || offered.includes(chosen) ? offered : [...offered, chosen]
  return [{ value: '', label: any }, ...all.map((value) => ({ value, label: name(value) }))]
}

export function hostChoices(
  hosts: Readonly<Record<string, number>>,
  chosen: string,
  any: string = t('pages.anyHost'),
): Choosable[] {
  const name = (host: string): string => {
    const count = Object.hasOwn(hosts, host) ? hosts[host] : undefined
    return visible(host, 60) + (count === undefined ? '' : ` (${formatCount(count)})`)
  }
  return choices(any, Object.keys(hosts), chosen, name)
}

function relevanceChoices(chosen: number | null): Choosable[] {
  const offered = THRESHOLDS.map(String)
  const name = (least: string): string => formatRate(Number(least))
  return choices(t('pages.anyLanguage'), offered, chosen === null ? '' : String(chosen), name)
}

// A text that is typed into a field and takes effect when the typing pauses.
const PAUSE_MS = 250

/** What stands in the field, and how to change it. `apply` is called once typing pauses. */
function useTyped(
  value: string,
  apply: (value: string) => void,
): readonly [string, (value: string) => void] {
  const [typed, setTyped] = useState(value)
  // What changed elsewhere (a cleared filter, the way back) goes into the field.
  const known = useRef(value)
  useEffect(() => {
    if (known.current !== value) setTyped(value)
    known.current = value
  }, [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => apply(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
