// Types that packages and Node lack; only what is used here.

declare module 'html-encoding-sniffer' {
  /** The WHATWG name of the encoding of an HTML (or XML) byte stream. */
  function sniffEncoding(
    bytes: Uint8Array,
    options?: {
      readonly xml?: boolean
      readonly transportLayerEncodingLabel?: string | undefined
      readonly defaultEncoding?: string
      readonly maxPrescanBytes?: number
    },
  ): string
  export = sniffEncoding
}

declare module 'whatwg-mimetype' {
  export class MIMEType {
    static parse(text: string): MIMEType | null
    readonly essence: string
    readonly parameters: { get(name: string): string | undefined }
  }
  /** The type by the MIME Sniffing Standard; without a header by the bytes alone. */
  export function computedMIMEType(bytes: Uint8Array): MIMEType
}

// WebAssembly in Node. The full types belong to the browser's.
declare namespace WebAssembly {
  class Memory {
    constructor(options: { readonly initial: number })
    readonly buffer: ArrayBuffer
    /** By pages of 64 KiB; views of the old buffer are then empty. */
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>)
  }
  class Instance {
    constructor(
      module: Module,
      imports?: Readonly<Record<string, Readonly<Record<string, Memory>>>>,
    )
    readonly exports: Readonly<Record<string, unknown>>
  }
}
