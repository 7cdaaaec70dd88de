/** Bytes that grow. Numbers are written with the lowest byte first. */
export class Bytes {
  length = 0
  #all = new Uint8Array(1024)

  u8(value: number): void {
    this.#room(1)
    this.#all[this.length++] = value
  }

  u16(value: number): void {
    this.#room(2)
    this.#all[this.length++] = value
    this.#all[this.length++] = value >>> 8
  }

  u32(value: number): void {
    this.#room(4)
    this.#set32(this.length, value)
    this.length += 4
  }

  /** Seven bits per byte; up to 2^53. */
  varint(value: number): void {
    this.#room(8)
    if (value < 128) {
      this.#all[this.length++] = value
      return
    }
    let left = value
    while (left > 0x7fff_ffff) {
      this.#all[this.length++] = (left % 128) | 128
      left = Math.floor(left / 128)
    }
    while (left > 127) {
      this.#all[this.length++] = (left & 127) | 128
      left >>>= 7
    }
    this.#all[this.length++] = left
  }

  copy(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.#room(to - from)
    // A call for some bytes costs more than a loop.
    if (to - from < 32) {
      for (let at = from; at < to; at++) this.#all[this.length++] = bytes[at] ?? 0
      return
    }
    this.#all.set(bytes.subarray(from, to), this.length)
    this.length += to - from
  }

  /** Leaves room to be filled later; returns where. */
  leave(bytes: number): number {
    this.#room(bytes)
    const at = this.length
    this.length += bytes
    return at
  }

  set8(at: number, value: number): void {
    this.#all[at] = value
  }

  set32(at: number, value: number): void {
    this.#set32(at, value)
  }

  setFloat(at: number, value: number): void {
    FLOAT[0] = value
    this.#set32(at, FLOAT_BITS[0] ?? 0)
  }

  /** Valid until more is written. */
  done(): Uint8Array {
    return this.#all.subarray(0, this.length)
  }

  /** Removes the first bytes. */
  shift(bytes: number): void {
    this.#all.copyWithin(0, bytes, this.length)
    this.length -= bytes
  }

  clear(): void {
    this.length = 0
  }

  #set32(at: number, value: number): void {
    this.#all[at] = value
    this.#all[at + 1] = value >>> 8
    this.#all[at + 2] = value >>> 16
    this.#all[at + 3] = value >>> 24
  }

  #room(more: number): void {
    if (this.length + more <= this.#all.length) return
    const larger = new Uint8Array(Math.max(this.length + more, this.#all.length * 2))
    larger.set(this.#all.subarray(0, this.length))
    this.#all = larger
  }
}

const FLOAT = new Float32Array(1)
const FLOAT_BITS = new Uint32Array(FLOAT.buffer)

export function u32At(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24)) >>>
    0
  )
}

export function floatAt(bytes: Uint8Array, at: number): number {
  FLOAT_BITS[0] = u32At(bytes, at)
  return FLOAT[0] ?? 0
}
