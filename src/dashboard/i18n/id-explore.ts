// What the views of pages, maps and search say.
import type { enExplore } from './en-explore.ts'
import type { Message } from './i18n.ts'

export const idExplore: Readonly<Record<keyof typeof enExplore, Message>> = {}
