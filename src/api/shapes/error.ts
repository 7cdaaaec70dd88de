// The answer to a request that failed.
import { type Static, Type } from 'typebox'

export const ApiError = Type.Object({
  error: Type.Object({
    /** Machine-readable: bad-request, not-found, conflict, unauthorised, forbidden, too-many … */
    code: Type.String(),
    message: Type.String(),
    /** All wrong fields at once. */
    problems: Type.Optional(Type.Array(Type.Object({ at: Type.String(), message: Type.String() }))),
  }),
})
export type ApiError = Static<typeof ApiError>
