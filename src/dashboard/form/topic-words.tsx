// What the topic that is being written would look for, told by the server while one writes.
import { useEffect, useState } from 'preact/hooks'
import { post } from '../api.ts'
import { t } from '../i18n/i18n.ts'
import type { Draft } from './draft.ts'
import { questionOf } from './draft.ts'
import type { KnownOptions } from './known-options.ts'

type LookedFor = {
  readonly kind: string
  readonly languages: readonly string[]
  readonly words: readonly { readonly stem: string; readonly weight: number }[]
  readonly dropped: readonly string[]
}

/** So long nobody has typed before the server is asked. */
const PAUSE_MS = 400
const SHOWN = 24

export function TopicWords({
  known,
  draft,
}: {
  readonly known: KnownOptions
  readonly draft: Draft
}) {
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
      {topic && <Told topic={topic} />}
    </div>
  )
}

function Told({ topic: { kind, languages, words, dropped } }: { readonly topic: LookedFor }) {
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
