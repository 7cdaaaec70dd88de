// Types of packages that have none; only what is used here.

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
