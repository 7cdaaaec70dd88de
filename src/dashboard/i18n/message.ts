/** A message, or one per grammatical number where the language has more than one. */
export type Message = string | { readonly one: string; readonly other: string }

/** Messages in another language. A missing one is shown in English: see `missingWords`. */
export type Translated<English> = { readonly [Key in keyof English]?: Message }
