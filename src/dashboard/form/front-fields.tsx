// What most crawls are told: where to begin, what to look for, how far to go.
import { AreaField, SelectField, TextField } from '../components/field.tsx'
import { t } from '../i18n/i18n.ts'
import type { Draft } from './draft.ts'
import type { KnownOptions } from './known-options.ts'
import { fieldId } from './option-field.tsx'
import { OrderingField } from './ordering-field.tsx'
import { TopicWords } from './topic-words.tsx'

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
