// Writes commands under the fence of one partition, each batch once: the server keeps the name of the last
// one, and refuses a batch that does not follow it. So a late batch, one that was sent twice and a server that
// lost its last moments are all noticed.
import { randomBytes } from 'node:crypto'
import type { RedisArgument, RedisConnection } from '../../db/redis.ts'
import { FencedOut, type Ownership, RowsLost } from '../storage.ts'
import { BEGIN, type Command, packPiece, piecesOf, unpackPiece, WRITE } from './commands.ts'
import { bytesOf } from './reading.ts'

const UNSTAGE: readonly RedisArgument[] = ['UNLINK', 's', 0, 'HDEL', 'p', 1, 'staged']

type FenceOptions = {
  readonly connection: RedisConnection
  readonly ownership: Ownership
  readonly tag: string
  /** What the crawl was made as: another crawl of the same number has another word. */
  readonly made: string
  /** The last batch that was written. */
  readonly batch: string
}

export class Fence {
  readonly #options: FenceOptions
  readonly #name = randomBytes(6).toString('base64url')
  #count = 0
  #batch: string
  /** Sent after it, perhaps not written. */
  #sent: string

  constructor(options: FenceOptions) {
    this.#options = options
    this.#batch = options.batch
    this.#sent = options.batch
  }

  /** Changes with everything that is sent. */
  get sent(): string {
    return this.#sent
  }

  /** True if the server's last batch is the last one of this program. */
  follows(batch: string): boolean {
    return batch === this.#batch || batch === this.#sent
  }

  /** Compares what the server has; throws if the partition or its last moments are lost. */
  async check(fields: readonly unknown[]): Promise<void> {
    const [owner, epoch, made, batch] = fields
    const { ownership } = this.#options
    const isOwn =
      owner === ownership.owner &&
      epoch === String(ownership.epoch) &&
      made === this.#options.made &&
      this.follows(String(batch))
    if (!isOwn) throw await this.#refusal(fields)
    this.#batch = String(batch)
  }

  /** All or nothing, though a server never does more than a piece in one go. */
  async send(commands: readonly Command[], last: readonly Command[] = []): Promise<void> {
    const pieces = piecesOf(commands)
    const [end = []] = piecesOf(last, Number.POSITIVE_INFINITY)
    const [first = []] = pieces
    if (pieces.length === 1) return this.#sendPiece([...first, ...end])
    pieces.push(end)
    for (const [at, piece] of pieces.entries()) {
      const isLast = at === pieces.length - 1
      await this.#sendPiece([
        ...(at === 0 ? ['UNLINK', 's', 0] : []),
        ...['RPUSH', 's', 1, packPiece(piece)],
        ...(isLast ? ['HSET', 'p', 2, 'staged', 1] : []),
      ])
    }
    await this.#sendStaged(pieces)
  }

  /** A large batch is written that was left half way. */
  async finishStaged(): Promise<void> {
    const { connection, tag } = this.#options
    const pieces = bytesOf(await connection.callBytes('LRANGE', `${tag}s`, 0, -1))
    await this.#sendStaged(pieces.map(unpackPiece))
  }

  /** In pieces that are not valid until the caller says so. */
  async sendInPieces(commands: readonly Command[]): Promise<void> {
    for (const piece of piecesOf(commands)) await this.#sendPiece(piece)
  }

  /** Takes the partition again, whatever the server knows of it, but not from a newer owner. */
  async begin(fields: readonly RedisArgument[]): Promise<void> {
    const { connection, ownership, tag, made } = this.#options
    const batch = this.#next()
    const { owner, epoch } = ownership
    const args = [made, 'owner', owner, 'epoch', epoch, 'clean', 0, 'batch', batch, ...fields]
    if ((await connection.run(BEGIN, [`${tag}p`], args)) !== 1) throw new FencedOut(ownership)
    this.#batch = batch
  }

  /** Each may be done twice but the last, which ends it. */
  async #sendStaged(pieces: readonly (readonly RedisArgument[])[]): Promise<void> {
    for (const [at, piece] of pieces.entries()) {
      await this.#sendPiece(at === pieces.length - 1 ? [...piece, ...UNSTAGE] : piece)
    }
  }

  async #sendPiece(piece: readonly RedisArgument[]): Promise<void> {
    const { connection, ownership, tag, made } = this.#options
    const { owner, epoch } = ownership
    const [before, batch] = [this.#batch, this.#next()]
    const answer = await connection.run(...([WRITE, [`${tag}p`]] as const), [
      owner,
      epoch,
      made,
      before,
      batch,
      ...piece,
    ])
    if (answer !== 1) throw await this.#refusal(Array.isArray(answer) ? answer : [])
    this.#batch = batch
  }

  #next(): string {
    this.#count++
    this.#sent = `${this.#name}${this.#count}`
    return this.#sent
  }

  async #refusal([owner, epoch, made]: readonly unknown[]): Promise<Error> {
    const { connection, ownership, tag } = this.#options
    const isOther = typeof made === 'string' && made !== this.#options.made
    const isNewer =
      Number(epoch) > ownership.epoch ||
      (Number(epoch) === ownership.epoch && owner !== ownership.owner)
    if (isOther || isNewer) return new FencedOut(ownership)
    const isGone = Number(await connection.call('HEXISTS', `${tag}p`, 'gone')) === 1
    return isGone ? new FencedOut(ownership) : new RowsLost(ownership)
  }
}
