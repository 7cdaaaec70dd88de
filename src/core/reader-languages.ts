/** The languages that the dashboard, saved maps and reports speak. */
export const LANGUAGES = ['en', 'id'] as const
export type Language = (typeof LANGUAGES)[number]
