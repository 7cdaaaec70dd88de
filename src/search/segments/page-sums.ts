/** Sums by page, for lists that are made of many. They are kept between searches, because allocating them again takes longer. */
export class PageSums {
  #end = 0
  #has = new Uint32Array(0)
  #texts = new Int32Array(0)
  #heads = new Int32Array(0)

  /** Makes room for pages below `end`. */
  upTo(end: number): void {
    if (end <= this.#end) return
    this.#end = end
    this.#has = new Uint32Array(Math.ceil(end / 32))
    this.#texts = new Int32Array(end)
    this.#heads = new Int32Array(end)
  }

  add(doc: number, text: number, head: number): void {
    const [has, texts, heads] = [this.#has, this.#texts, this.#heads]
    has[doc >>> 5] = (has[doc >>> 5] ?? 0) | (1 << (doc & 31))
    if (text !== 0) texts[doc] = (texts[doc] ?? 0) + text
    if (head !== 0) heads[doc] = (heads[doc] ?? 0) + head
  }

  /** Gives the pages in order, and forgets them. */
  take(each: (doc: number, text: number, head: number) => void): void {
    const [has, texts, heads] = [this.#has, this.#texts, this.#heads]
    for (let word = 0; word < has.length; word++) {
      let bits = has[word] ?? 0
      if (bits === 0) continue
      has[word] = 0
      for (; bits !== 0; bits &= bits - 1) {
        const doc = word * 32 + 31 - Math.clz32(bits & -bits)
        each(doc, texts[doc] ?? 0, heads[doc] ?? 0)
        texts[doc] = 0
        heads[doc] = 0
      }
    }
  }
}
