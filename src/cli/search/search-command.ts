// What a search on the command line asks for.
import type { PageKind } from '../../core/page.ts'
import type { Field } from '../../core/search-field.ts'
import type { WorkspaceChoice } from '../../core/workspace-url.ts'
import type { Sort } from '../../search/search-index.ts'
import type { SynonymRule, Synonyms } from '../../search/synonyms.ts'
import type { SynonymsChoice } from '../synonyms-option.ts'

export type SearchChoices = WorkspaceChoice &
  SynonymsChoice & {
    readonly json: boolean
    readonly quiet: boolean
    /** As it was written. */
    readonly crawl: string
    readonly columns: readonly Field[]
    readonly host: string
    readonly language: string
    readonly kind: PageKind
    readonly topic: string
    readonly hot: boolean
    /** Times as they were written. */
    readonly since: string
    readonly until: string
    readonly publishedSince: string
    readonly publishedUntil: string
    readonly sort: Sort
    readonly limit: number
    readonly offset: number
    readonly all: boolean
    readonly exact: boolean
    readonly suggest: boolean
    /** A URL. */
    readonly like: string
    readonly rankWeight: number
    /** Names of saved searches. */
    readonly save: string
    readonly saved: string
    readonly forget: string
    readonly listSaved: boolean
    readonly new: boolean
  }

/** An absent field was not asked for. */
export type SearchCommand = Partial<SearchChoices> &
  Pick<WorkspaceChoice, 'dataDir'> & {
    readonly query: string
    /** Only what changed after this cursor. */
    readonly changedAfter?: number
    /** Synonyms of its words. */
    readonly rules?: readonly SynonymRule[]
    /** Where its words are not known yet, since they were saved. */
    readonly rulesOf?: Synonyms
    readonly limit: number
    readonly offset: number
  }
