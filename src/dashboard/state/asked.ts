// A question to the server as a component holds it: the answer, or what went wrong, and asking again.
import { useEffect, useState } from 'preact/hooks'
import { type Failure, get, type Query } from '../api.ts'

type Asked<T> = {
  /** The last answer; null before the first. Kept while asking again. */
  readonly value: T | null
  readonly failure: Failure | null
  readonly asking: boolean
  readonly again: () => void
}

/** Asks when `path`, the query or `moment` changes; a path of null asks nothing. */
export function useAsked<T>(path: string | null, query: Query = {}, moment?: unknown): Asked<T> {
  const [turn, setTurn] = useState(0)
  const key = path === null ? null : `${path} ${JSON.stringify(query)}`
  const [state, setState] = useState<Omit<Asked<T>, 'again'> & { key: string | null }>({
    key: null,
    value: null,
    failure: null,
    asking: false,
  })
  useEffect(() => {
    if (path === null) return
    const stop = new AbortController()
    setState((before) => ({ ...before, asking: true }))
    void get<T>(path, query, stop.signal).then((answer) => {
      if (stop.signal.aborted) return
      setState((before) => ({
        key,
        value: answer.ok ? answer.value : before.key === key ? before.value : null,
        failure: answer.ok ? null : answer.failure,
        asking: false,
      }))
    })
    return () => stop.abort()
  }, [key, turn, moment])
  return { ...state, again: () => setTurn((before) => before + 1) }
}
