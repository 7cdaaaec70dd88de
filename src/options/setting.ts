// One entry of the table of crawl options: everything there is to say about an option. It is read as a flag,
// a variable, a key of the config file and a field of a request by `read`, has the value `preset` where
// nobody chose, and is written into the options of a job by `encode`.
import {
  type About,
  bytes,
  choice,
  flag,
  list,
  number,
  type OptionInfo,
  type Reader,
  text,
} from './option.ts'

/** Runs of a crawl after its first one. Over HTTP fewer options may change than on the command line. */
type LaterRun = 'resume' | 'resume-over-http' | 'refresh'

/** What a request carries in place of the name of a file, or of texts K=V. */
export const CARRIED = ['examples', 'words', 'model', 'pairs', 'rules'] as const
export type Carried = (typeof CARRIED)[number]

export type SettingInfo = OptionInfo & {
  /** In which later runs of the same crawl the value may be another. */
  readonly mayChange: readonly LaterRun[]
  /** A request may use it only where the server was started with --allow-private. */
  readonly privileged?: boolean
  readonly carries?: Carried
  /** Help for requests, where the words of the command line would mislead. */
  readonly bodyHelp?: string
}

/** Several texts as a program gives them: one, or a list. */
export type Texts = string | readonly string[]

export type Setting<V> = SettingInfo &
  Reader<V> & {
    readonly preset: V
    /** As a request has it. What is null or empty is left out of the options of a job. */
    readonly encode: (value: V) => unknown
  }

type Described = Omit<SettingInfo, 'kind' | 'value'> & { readonly value?: string }
type Own<V> = { readonly preset: V; readonly encode: (value: V) => unknown }
type NumberAbout<P> = Described & {
  readonly min: number
  readonly preset: P
  readonly scale?: Scale
}

/** How people write a number, and how the settings have it. */
type Scale = {
  readonly to: (written: number) => number
  readonly from: (kept: number) => number
  /** A sign that may stand behind the number. */
  readonly sign?: RegExp
}
const AS_WRITTEN: Scale = { to: (number) => number, from: (number) => number }
/** Written in seconds, kept in milliseconds. */
export const SECONDS: Scale = {
  to: (seconds) => Math.round(seconds * 1000),
  from: (ms) => ms / 1000,
}
/** Written in percent, kept as a share from 0 to 1. */
export const PERCENT: Scale = {
  to: (percents) => percents / 100,
  from: (share) => Math.round(share * 1e9) / 1e7,
  sign: / ?%$/,
}

/** A number; null as the preset: there may be none. */
export function numberSetting<P extends number | null>(about: NumberAbout<P>): Setting<number | P> {
  const { scale = AS_WRITTEN, preset, ...described } = about
  const own: Own<number | P> = {
    preset,
    encode: (kept) => (kept === null ? null : scale.from(kept)),
  }
  const shown = preset === null ? {} : { default: String(scale.from(preset)) }
  const option = number({ ...shown, ...described, to: scale.to })
  const bare = (raw: unknown) =>
    typeof raw === 'string' && scale.sign !== undefined ? raw.replace(scale.sign, '') : raw
  return { ...described, ...option, read: (raw, at) => option.read(bare(raw), at), ...own }
}

const MIB = 2 ** 20

/** Bytes. */
export function sizeSetting(
  about: Described & { readonly min: number; readonly max: number; readonly preset: number },
): Setting<number> {
  const { preset, ...described } = about
  const shown = { default: `${preset / MIB}MiB` }
  return { ...described, ...bytes({ ...shown, ...described, to: same }), preset, encode: same }
}

export function textSetting<V>(about: Described & About<V, string> & Own<V>): Setting<V> {
  const { preset, encode, ...described } = about
  return { ...described, ...text(described), preset, encode }
}

/** A file on the command line; a request carries what is in it, and no answer shows its name. */
export function fileSetting(
  about: Omit<Described, 'value'> & { readonly carries: Carried },
): Setting<string | null> {
  const encode = () => null
  return textSetting<string | null>({ ...about, value: 'FILE', preset: null, to: same, encode })
}

export function choiceSetting<C extends string>(
  about: Described & { readonly choices: readonly C[]; readonly preset: C },
): Setting<C> {
  const { preset, ...described } = about
  const shown = { default: preset }
  const option = choice<C, C>({ ...shown, ...described, to: same })
  return { ...described, ...option, preset, encode: same }
}

export function listSetting<V>(
  about: Described & About<V, readonly string[]> & Own<V>,
): Setting<V> {
  const { preset, encode, ...described } = about
  return { ...described, ...list(described), preset, encode }
}

/** On or off; `preset` true: the flag that matters is `--no-name`. */
export function flagSetting(about: Described & { readonly preset?: boolean }): Setting<boolean> {
  const { preset = false, ...described } = about
  const on = preset ? { on: true } : {}
  return { ...described, ...flag({ ...on, ...described, to: same }), preset, encode: same }
}

/** For later runs: which of them may have another value. */
export const NEVER: readonly LaterRun[] = []
export const ON_RESUME: readonly LaterRun[] = ['resume']
export const ON_REFRESH: readonly LaterRun[] = ['refresh']
export const ALWAYS: readonly LaterRun[] = ['resume', 'refresh']

export function same<V>(value: V): V {
  return value
}
