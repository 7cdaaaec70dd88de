/** A message, or one per grammatical number where the language has more than one. */
export type Message = string | { readonly one: string; readonly other: string }
