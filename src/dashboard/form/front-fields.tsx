// The fields that most crawls need: where to begin, what to look for, how far to go.
import { useEffect, useState } from 'preact/hooks'
import { post } from '../api.ts'
import { AreaField, SelectField, TextField } from '../components/field.tsx'
import { t } from '../i18n/i18n.ts'
import { type Draft, questionOf } from './draft.ts'
import type { KnownOptions } from './known-options.ts'
import { fieldId, OrderingField } from './option-field.tsx'

export function FrontFields({
  known,
  draft,
  errors,
  standardOrdering,
  onChange,
}: {
  readonly known: KnownOptions
  readonly draft: Draft
  readonly errors: ReadonlyMap<string, string>
  readonly standardOrdering: string
  readonly onChange: (name: string, value: string) => void
}) {
  const field = (name: string) => ({
    id: fieldId(name),
    error: errors.get(name),
    value: draft[name] ?? '',
    onChange: (value: string) => onChange(name, value),
  })
  return (
    <>
      <fieldset class="card form-part">
        <legend>{t('form.where')}</legend>
        <AreaField
          {...field('seeds')}
          mono
          rows={4}
          label={t('form.seeds')}
          help={t('form.seedsHelp')}
          placeholder="https://example.com/"
        />
      </fieldset>
      <fieldset class="card form-part">
        <legend>{t('form.what')}</legend>
        <p class="muted small">{t('form.whatHelp')}</p>
        <div class="field-grid">
          <AreaField
            {...field('topic')}
            rows={2}
            label={t('form.topic')}
            placeholder={t('form.topicPlaceholder')}
          />
          <AreaField
            {...field('keywords')}
            rows={2}
            label={t('form.keywords')}
            help={t('form.keywordsHelp')}
          />
        </div>
        <TopicWords known={known} draft={draft} />
      </fieldset>
      <fieldset class="card form-part">
        <legend>{t('form.how')}</legend>
        <div class="field-grid narrow">
          <TextField
            {...field('max_pages')}
            label={t('form.maxPages')}
            inputMode="numeric"
            placeholder={defaultOf(known, 'max_pages')}
          />
          <TextField
            {...field('max_depth')}
            label={t('form.maxDepth')}
            inputMode="numeric"
            placeholder={t('form.maxDepthAny')}
          />
          <SelectField {...field('scope')} label={t('form.scope')} choices={scopes()} />
        </div>
        <OrderingField
          orderings={known.orderings}
          draft={draft}
          errors={errors}
          standard={standardOrdering}
          onChange={onChange}
        />
        <TextField {...field('name')} label={t('form.name')} help={t('form.nameHelp')} />
      </fieldset>
    </>
  )
}

const scopes = () => [
  { value: '', label: t('form.scopeDomain') },
  { value: 'host', label: t('form.scopeHost') },
  { value: 'any', label: t('form.scopeAny') },
]

function defaultOf({ options }: KnownOptions, name: string): string {
  return String(options.find((option) => option.name === name)?.default ?? '')
}

type LookedFor = {
  readonly kind: string
  readonly languages: readonly string[]
  readonly words: readonly { readonly stem: string; readonly weight: number }[]
  readonly dropped: readonly string[]
}

/** How long nothing is typed before the server is asked. */
const PAUSE_MS = 400
const SHOWN = 24

/** What the topic that is being written would look for, told by the server while one writes. */
function TopicWords({ known, draft }: { readonly known: KnownOptions; readonly draft: Draft }) {
  const [topic, setTopic] = useState<LookedFor | null>(null)
  const asked = JSON.stringify(questionOf(draft, known))
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(async () => {
      const answer =
        asked === '{}' ? null : await post<{ topic: LookedFor | null }>('/topic', JSON.parse(asked))
      // What is wrong with it the form says when it is sent.
      if (isCurrent) setTopic(answer?.ok === true ? answer.value.topic : null)
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [asked])
  return (
    <div class="topic-words" aria-live="polite">
      {topic && <TopicShown topic={topic} />}
    </div>
  )
}

function TopicShown({ topic: { kind, languages, words, dropped } }: { readonly topic: LookedFor }) {
  if (kind === 'language') {
    return <p class="field-help">{t('form.topicLanguage', { languages: languages.join(', ') })}</p>
  }
  return (
    <>
      <p class="field-help">{t('form.lookedFor')}</p>
      <ul class="word-weights">
        {words.slice(0, SHOWN).map(({ stem, weight }) => (
          <li key={stem}>
            {stem} <span class="muted">{weight.toFixed(2)}</span>
          </li>
        ))}
      </ul>
      {dropped.length > 0 && (
        <p class="field-help">{t('form.notLookedFor', { words: dropped.join(', ') })}</p>
      )}
    </>
  )
}
