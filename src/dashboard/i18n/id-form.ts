// What the form that starts a crawl says.
import type { enForm } from './en-form.ts'
import type { Message } from './i18n.ts'

export const idForm: Readonly<Record<keyof typeof enForm, Message>> = {}
